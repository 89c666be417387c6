"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pydantic import Field

from websearch_core import KeyPool, Keys, PluginContext, SearchBackend, Settings, hookimpl


class SearchApiSettings(Settings):
    """`[plugin.searchapi]`: the keys, and what a search costs."""

    aliases: ClassVar[Mapping[str, str]] = {"SEARCHAPI_API_KEY": "api_key"}

    api_key: Keys
    base_url: str = "https://www.searchapi.io/api/v1"
    usd_per_unit: float = Field(default=0.004, ge=0, le=1000, allow_inf_nan=False)
    """What a search costs you, in US dollars: each brings one page of results."""


@hookimpl
def websearch_search_backends(ctx: PluginContext) -> Iterator[SearchBackend]:
    """SearchApi, when there is a key."""
    settings = ctx.settings(SearchApiSettings)
    from .backend import SearchApi
    from .error_mapping import explain

    keys = KeyPool(settings.api_key, header="authorization", prefix="Bearer ")
    api = ctx.api(settings.base_url, keys=keys, explain=explain)
    yield SearchApi(api, ctx.clock, usd_per_unit=settings.usd_per_unit)
