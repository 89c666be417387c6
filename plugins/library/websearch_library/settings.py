"""The plugin's settings; imports little."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from websearch_core import PluginContext, Settings


class LibrarySettings(Settings):
    """`[plugin.library]`: where the index lies, and how politely pages are added."""

    path: str = ""
    """The index, a SQLite file; not set: library.db in the plugin's data folder."""
    pace_s: float = Field(default=1.0, ge=0)
    """Least seconds between two requests to one host while adding; a site's Crawl-delay can make it longer."""
    max_pages: int = Field(default=1000, ge=1)
    """The most pages that one `websearch library add` fetches, unless `--max-pages` says otherwise."""
    max_file_bytes: int = Field(default=10_000_000, ge=1)
    """Larger local files are left out."""

    def file(self, ctx: PluginContext) -> Path:
        """The index's path."""
        return Path(self.path) if self.path else ctx.data_dir / "library.db"
