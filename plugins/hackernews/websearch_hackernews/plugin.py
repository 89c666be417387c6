"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from websearch_core import BackendError, EngineResponse, Fetcher, PluginContext, Settings, hookimpl
from websearch_core.kit import NotFound


class HackerNewsSettings(Settings):
    """`[plugin.hackernews]`."""

    base_url: str = "https://hn.algolia.com/api/v1"
    """Where items are asked for: Hacker News' own search service, which answers with whole threads."""
    max_comments: int = Field(default=200, ge=1, le=2000)
    """How many comments of a thread are shown; those near the top go before deep replies."""


def explain(response: EngineResponse) -> BackendError | None:
    """What statuses mean here; None: as always."""
    return NotFound("Hacker News has no such item") if response.status in (404, 410) else None


@hookimpl
def websearch_fetchers(ctx: PluginContext) -> Iterator[Fetcher]:
    """The reader of threads."""
    from .fetcher import HackerNews

    settings = ctx.settings(HackerNewsSettings)
    api = ctx.api(settings.base_url, explain=explain)
    yield HackerNews(ctx, api, settings.max_comments)
