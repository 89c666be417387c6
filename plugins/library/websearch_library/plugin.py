"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import Field

from websearch_core import Command, Fetcher, PluginContext, SearchBackend, Settings, hookimpl


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


@hookimpl
def websearch_search_backends(ctx: PluginContext) -> Iterator[SearchBackend]:
    """The index, asked last."""
    from .backend import LibraryBackend
    from .library import Library

    yield LibraryBackend(Library(ctx.settings(LibrarySettings).file(ctx), ctx.clock), ctx.clock)


@hookimpl
def websearch_fetchers(ctx: PluginContext) -> Iterator[Fetcher]:
    """The index's own pages first, its copies of other pages last."""
    from .fetchers import OwnPages, StoredCopies
    from .library import Library

    library = Library(ctx.settings(LibrarySettings).file(ctx), ctx.clock)
    yield OwnPages(library)
    yield StoredCopies(library, ctx.web, ctx.clock)


@hookimpl
def websearch_commands(ctx: PluginContext) -> Iterator[Command]:
    """`websearch library`."""
    from .command import LibraryCommand

    yield LibraryCommand(ctx, ctx.settings(LibrarySettings))
