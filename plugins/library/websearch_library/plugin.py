"""Hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator

from websearch_core import Command, Fetcher, PluginContext, SearchBackend, hookimpl

from .settings import LibrarySettings


@hookimpl
def websearch_search_backends(ctx: PluginContext) -> Iterator[SearchBackend]:
    """The index, asked last."""
    from .backend import LibraryBackend
    from .index.library import Library

    yield LibraryBackend(Library(ctx.settings(LibrarySettings).file(ctx), ctx.clock), ctx.clock)


@hookimpl
def websearch_fetchers(ctx: PluginContext) -> Iterator[Fetcher]:
    """The index's own pages first, its copies of other pages last."""
    from .fetchers import OwnPages, StoredCopies
    from .index.library import Library

    library = Library(ctx.settings(LibrarySettings).file(ctx), ctx.clock)
    yield OwnPages(library)
    yield StoredCopies(library, ctx.web, ctx.clock)


@hookimpl
def websearch_commands(ctx: PluginContext) -> Iterator[Command]:
    """`websearch library`."""
    from .commands.command import LibraryCommand

    yield LibraryCommand(ctx, ctx.settings(LibrarySettings))
