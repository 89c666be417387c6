"""`websearch library`: add, list, remove, refresh, stats."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Annotated

import typer

from websearch_core import Command, Gateway, PluginContext

if TYPE_CHECKING:
    from ..settings import LibrarySettings
    from .runner import CommandRunner

Words = Annotated[list[str], typer.Argument(metavar="URL|FILE|FOLDER|SITEMAP...", help="What to add.")]
Depth = Annotated[int, typer.Option(min=0, max=20, help="Follow links so many steps, within the page's folder.")]
MaxPages = Annotated[int | None, typer.Option(min=1, help="Stop after so many pages; the rest waits.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


class LibraryCommand(Command):
    """The operator's hand on the index."""

    name = "library"
    summary = "The embedded index: add pages, files and folders; list, refresh and remove them."

    def __init__(self, ctx: PluginContext, settings: LibrarySettings) -> None:
        self._ctx = ctx
        self._settings = settings

    def app(self, gateway: Callable[[], AbstractAsyncContextManager[Gateway]]) -> typer.Typer:
        """The sub-commands; only `add` and `refresh` of web pages start the chain."""

        def running() -> CommandRunner:
            from .runner import CommandRunner

            return CommandRunner(self._ctx, self._settings, gateway)

        app = typer.Typer(help=self.summary, no_args_is_help=True, add_completion=False)

        @app.command()
        def add(words: Words, depth: Depth = 0, max_pages: MaxPages = None, as_json: Json = False) -> None:
            """Add pages, sitemaps, files or folders. Repeat an interrupted command and it goes on."""
            running().add(words, depth, max_pages, as_json=as_json)

        @app.command()
        def refresh(
            under: Annotated[str, typer.Argument(metavar="[URL|FILE|FOLDER]", help="Only what is there.")] = "",
            older_than: Annotated[float, typer.Option(min=0, help="Only copies older than so many hours.")] = 0.0,
            as_json: Json = False,
        ) -> None:
            """Read what was added again; only what has changed is indexed anew."""
            running().refresh(under, older_than, as_json=as_json)

        @app.command()
        def remove(
            words: Annotated[list[str], typer.Argument(metavar="URL|FILE|FOLDER...")],
            under: Annotated[bool, typer.Option(help="Also every page whose address begins like this.")] = False,
        ) -> None:
            """Take pages, files or whole folders out of the index. Files themselves are not touched."""
            running().remove(words, under=under)

        @app.command("list")
        def show(
            text: Annotated[str, typer.Argument(help="Only addresses, paths and titles that hold this.")] = "",
            limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 100,
            as_json: Json = False,
        ) -> None:
            """Show what was added, newest first."""
            running().show(text, limit, as_json=as_json)

        @app.command()
        def stats(as_json: Json = False) -> None:
            """Say how much the index holds and where it lies."""
            running().stats(as_json=as_json)

        return app
