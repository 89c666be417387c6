"""The plugin's settings; imports little."""

from __future__ import annotations

from websearch_core import (
    Settings,
)


class YouTubeSettings(Settings):
    """`[plugin.youtube]`."""

    languages: tuple[str, ...] = ()
    """Languages of captions in order of preference (`["de", "en"]`); without: the language that is spoken."""
    base_url: str = "https://www.youtube.com"
    client_name: str = "ANDROID_VR"
    """The app whose captions are asked for, since those of the watch page often come empty; empty: none."""
    client_version: str = "1.65.10"
