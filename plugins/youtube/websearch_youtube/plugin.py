"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator

from websearch_core import (
    ApiResponse,
    BackendError,
    BlockedBySite,
    Fetcher,
    NotFound,
    PluginContext,
    Settings,
    hookimpl,
)


class YouTubeSettings(Settings):
    """`[plugin.youtube]`."""

    languages: tuple[str, ...] = ()
    """Languages of captions in order of preference (`["de", "en"]`); without: the language that is spoken."""
    base_url: str = "https://www.youtube.com"
    client_name: str = "ANDROID_VR"
    """The app whose captions are asked for, since those of the watch page often come empty; empty: none."""
    client_version: str = "1.65.10"


def explain(response: ApiResponse) -> BackendError | None:
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
    from .fetcher import YouTube

    settings = ctx.settings(YouTubeSettings)
    yield YouTube(ctx, ctx.api(settings.base_url, explain=explain), settings)
