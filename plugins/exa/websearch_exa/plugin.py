"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from pydantic import Field

from websearch_core import Fetcher, KeyPool, Keys, PluginContext, SearchBackend, Settings, hookimpl


class ExaSettings(Settings):
    """`[plugin.exa]`: the key, and how Exa is asked."""

    aliases: ClassVar[Mapping[str, str]] = {"EXA_API_KEY": "api_key"}

    api_key: Keys
    base_url: str = "https://api.exa.ai"
    type: Literal["auto", "fast", "instant", "lite", "deep-lite", "deep", "deep-reasoning", "neural"] = "fast"
    """How Exa searches. `fast` asks Exa's own index only, so a query goes to nobody else."""
    max_age_hours: int | None = Field(default=None, ge=-1)
    """How old Exa's copy of a page may be where the request does not say; not set: as Exa thinks best."""
    fetch: bool = True
    """Whether Exa is also asked to read pages: then it learns their addresses."""
    searches_per_second: int = Field(default=10, ge=1)
    """How many searches a second Exa takes of each key."""


_READS = (100, 1.0)
"""How many pages Exa reads for each key in so many seconds."""


@hookimpl
def websearch_search_backends(ctx: PluginContext) -> Iterator[SearchBackend]:
    """Exa's search, when there is a key."""
    settings = ctx.settings(ExaSettings)
    from .backend import Exa
    from .error_mapping import explain

    keys = KeyPool(settings.api_key, header="x-api-key")
    api = ctx.api(settings.base_url, keys=keys, pace=(settings.searches_per_second, 1.0), explain=explain)
    yield Exa(api, ctx.clock, type=settings.type, max_age_hours=settings.max_age_hours)


@hookimpl
def websearch_fetchers(ctx: PluginContext) -> Iterator[Fetcher]:
    """Exa's reader, when there is a key and `fetch` is on."""
    settings = ctx.settings(ExaSettings)
    from .error_mapping import explain
    from .fetcher import ExaContents

    if settings.fetch:
        keys = KeyPool(settings.api_key, header="x-api-key")
        api = ctx.api(settings.base_url, keys=keys, pace=_READS, explain=explain)
        yield ExaContents(api, ctx.clock, max_age_hours=settings.max_age_hours)
