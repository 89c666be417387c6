"""Hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator

from websearch_core import BackendError, EngineResponse, Fetcher, PluginContext, hookimpl
from websearch_core.kit import BlockedBySite, NotFound

from .settings import YouTubeSettings


def explain(response: EngineResponse) -> BackendError | None:
    """What statuses mean here; None: as always."""
    match response.status:
        case 401 | 403:
            return BlockedBySite("YouTube does not let us read this")
        case 404 | 410:
            return NotFound("YouTube has no such video")
        case _:
            return None


@hookimpl
def websearch_fetchers(ctx: PluginContext) -> Iterator[Fetcher]:
    """The reader of videos."""
    from .fetcher import YouTubeFetcher

    settings = ctx.settings(YouTubeSettings)
    yield YouTubeFetcher(ctx, ctx.api(settings.base_url, explain=explain), settings)
