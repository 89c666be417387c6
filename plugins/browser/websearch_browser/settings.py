"""The plugin's settings; imports little."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from websearch_core import Settings

Kind = Literal["font", "image", "media", "ping", "stylesheet"]


class BrowserSettings(Settings):
    """`[plugin.browser]`: which Chromium, and what a page may take."""

    executable_path: str = ""
    """Chromium's program; not set: the first of chromium, chromium-browser, google-chrome in PATH."""
    run_as: str = "nobody"
    """The user that Chromium runs as where the server runs as root: Chromium's sandbox is not for root."""
    sandbox: bool = True
    """`false`: without Chromium's sandbox, for a container that is one itself."""
    pages: int = Field(default=3, ge=1, le=32)
    """How many pages are rendered at once; others wait for their turn."""
    timeout_s: float = Field(default=30.0, gt=0)
    """The most time for one page, waiting for its turn included; the caller's deadline counts, too."""
    settle_s: float = Field(default=5.0, ge=0)
    """How long a page may go on loading after its document is there, until the network is quiet for half a second."""
    scroll: int = Field(default=0, ge=0, le=50)
    """So many screens are scrolled down, for what loads only then."""
    max_bytes: int = Field(default=5_000_000, ge=1)
    """The most bytes of a rendered document."""
    transfer_mb: int = Field(default=50, ge=1)
    """The most that one page may load, everything together."""
    memory_mb: int = Field(default=1500, ge=200)
    """The most memory of all the browser's processes; beyond it the largest is ended, and its page fails."""
    block: tuple[Kind, ...] = ("font", "image", "media", "ping")
    """Kinds of what a page loads that text can do without; a screenshot's page gets its fonts and images."""
    block_trackers: bool = True
    """Ask nothing of hosts that only count visitors and sell places for advertisements."""
