"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pydantic import Field

from websearch_core import KeyPool, Keys, PluginContext, SearchBackend, Settings, hookimpl


class SerperSettings(Settings):
    """`[plugin.serper]`: the keys, and what a credit costs."""

    aliases: ClassVar[Mapping[str, str]] = {"SERPER_API_KEY": "api_key"}

    api_key: Keys
    base_url: str = "https://google.serper.dev"
    requests_per_second: int = Field(default=50, ge=1)
    """What your pack allows for each key: Serper's answers do not say."""
    usd_per_unit: float = Field(default=0.001, ge=0, le=1000, allow_inf_nan=False)
    """What a credit cost you, in US dollars."""


@hookimpl
def websearch_search_backends(ctx: PluginContext) -> Iterator[SearchBackend]:
    """Serper, when there is a key."""
    settings = ctx.settings(SerperSettings)
    from .backend import Serper
    from .error_mapping import explain

    keys = KeyPool(settings.api_key, header="x-api-key")
    api = ctx.api(settings.base_url, keys=keys, pace=(settings.requests_per_second, 1.0), explain=explain)
    yield Serper(api, usd_per_unit=settings.usd_per_unit)
