"""Settings and hooks; imports little."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import ClassVar

from pydantic import Field, field_validator

from websearch_core import KeyPool, Keys, PluginContext, SearchBackend, Settings, hookimpl


class GoogleSettings(Settings):
    """`[plugin.google]`: the keys, and which search engine they ask."""

    aliases: ClassVar[Mapping[str, str]] = {
        "GOOGLE_CUSTOM_SEARCH_API_KEY": "api_key",
        "GOOGLE_CUSTOM_SEARCH_ID": "cx",
    }

    api_key: Keys
    cx: str
    """The search engine's ID, as programmablesearchengine.google.com shows it."""
    base_url: str = "https://customsearch.googleapis.com/customsearch/v1"
    usd_per_unit: float = Field(default=0.005, ge=0, le=1000, allow_inf_nan=False)
    """What a request costs you, in US dollars: each brings up to ten results."""

    @field_validator("cx")
    @classmethod
    def _id(cls, value: str) -> str:
        identifier = value.strip()
        if not re.fullmatch(r"[A-Za-z0-9:_-]+", identifier):
            raise ValueError("must be the search engine's ID alone, without the address around it")
        return identifier


@hookimpl
def websearch_search_backends(ctx: PluginContext) -> Iterator[SearchBackend]:
    """Google Programmable Search, when there are a key and a search engine's ID."""
    settings = ctx.settings(GoogleSettings)
    from .backend import Google
    from .error_mapping import explain

    keys = KeyPool(settings.api_key, param="key")
    api = ctx.api(settings.base_url, keys=keys, explain=partial(explain, clock=ctx.clock))
    yield Google(api, ctx.clock, cx=settings.cx, usd_per_unit=settings.usd_per_unit)
