"""`websearch library`: add, list, remove, refresh, stats."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from websearch_core import Command, Gateway, PluginContext

from .adding import Tally
from .library import UnusableError
from .progress import Quiet, printable, shown
from .targets import TargetError, target

if TYPE_CHECKING:
    from .plugin import LibrarySettings

T = TypeVar("T")

_SHOWN_FAILURES = 10
_INTERRUPTED = 130

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
        from .work import Work

        work = Work(self._ctx, self._settings, gateway)
        app = typer.Typer(help=self.summary, no_args_is_help=True, add_completion=False)

        @app.command()
        def add(words: Words, depth: Depth = 0, max_pages: MaxPages = None, as_json: Json = False) -> None:
            """Add pages, sitemaps, files or folders. Repeat an interrupted command and it goes on."""
            try:
                targets = [target(word) for word in words]
            except TargetError as error:
                raise _failed(str(error), 2) from None
            tally, barren = Tally(), list[str]()

            async def run(progress: Quiet) -> None:
                barren.extend(await work.add(targets, depth, max_pages or self._settings.max_pages, tally, progress))

            self._reported(run, tally, barren, as_json)

        @app.command()
        def refresh(
            under: Annotated[str, typer.Argument(metavar="[URL|FILE|FOLDER]", help="Only what is there.")] = "",
            older_than: Annotated[float, typer.Option(min=0, help="Only copies older than so many hours.")] = 0.0,
            as_json: Json = False,
        ) -> None:
            """Read what was added again; only what has changed is indexed anew."""
            tally, barren = Tally(), list[str]()

            async def run(progress: Quiet) -> None:
                if not await work.refresh(under, older_than, tally, progress):
                    barren.append("nothing in the library is meant by this; see `websearch library list`")
                elif not tally.done:
                    barren.append("nothing could be read again")

            self._reported(run, tally, barren, as_json)

        @app.command()
        def remove(
            words: Annotated[list[str], typer.Argument(metavar="URL|FILE|FOLDER...")],
            under: Annotated[bool, typer.Option(help="Also every page whose address begins like this.")] = False,
        ) -> None:
            """Take pages, files or whole folders out of the index. Files themselves are not touched."""
            count = _run(work.remove(words, under=under))
            typer.echo(f"Removed {count} {'page' if count == 1 else 'pages'}.")
            if not count:
                raise _failed("nothing in the library has this address; see `websearch library list`", 1)

        @app.command("list")
        def show(
            text: Annotated[str, typer.Argument(help="Only addresses, paths and titles that hold this.")] = "",
            limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 100,
            as_json: Json = False,
        ) -> None:
            """Show what was added, newest first."""
            rows, total = _run(work.listed(text, limit))
            if as_json:
                _print_json(rows)
            elif rows:
                _table(("address", "title", "characters", "fetched"), [_cells(row) for row in rows])
                if total > len(rows):
                    typer.echo(f"{total - len(rows)} more; --limit {total} shows them.")
            else:
                typer.echo("Nothing was added yet. Try: websearch library add https://example.com/docs/ --depth 1")

        @app.command()
        def stats(as_json: Json = False) -> None:
            """Say how much the index holds and where it lies."""
            facts = _run(work.stats())
            if as_json:
                _print_json(facts)
            else:
                _table(("what", "how much"), [(key.replace("_", " "), str(value)) for key, value in facts.items()])

        return app

    def _reported(
        self, run: Callable[[Quiet], Coroutine[Any, Any, None]], tally: Tally, barren: list[str], as_json: bool
    ) -> None:
        """Run with progress, print what came of it, and exit with 0, 1 or 130."""
        interrupted = False
        try:
            with Quiet() if as_json else shown(self._ctx.clock) as progress:
                _run(run(progress))
        except KeyboardInterrupt:
            interrupted = True
        if as_json:
            _print_json(
                {
                    **tally.put._asdict(),
                    "waiting": tally.waiting,
                    "interrupted": interrupted,
                    "failures": [failure._asdict() for failure in tally.failures],
                }
            )
        else:
            _print_tally(tally)
        if interrupted:
            raise _failed("Stopped. What is done is kept; repeat the command to go on.", _INTERRUPTED)
        for line in barren:
            typer.echo(f"error: {printable(line)}", err=True)
        if barren:
            raise typer.Exit(1)


def _run(work: Coroutine[Any, Any, T]) -> T:
    import anyio

    async def main() -> T:
        return await work

    try:
        return anyio.run(main)
    except UnusableError as error:
        raise _failed(str(error), 2) from None


def _failed(text: str, code: int) -> typer.Exit:
    typer.echo(text if code == _INTERRUPTED else f"error: {printable(text)}", err=True)
    return typer.Exit(code)


def _print_tally(tally: Tally) -> None:
    put = tally.put
    typer.echo(f"Added {put.added}, changed {put.changed}, unchanged {put.unchanged}, failed {len(tally.failures)}.")
    for failure in tally.failures[:_SHOWN_FAILURES]:
        typer.echo(f"  {failure.code}: {printable(failure.where)} ({failure.detail})", err=True)
    if len(tally.failures) > _SHOWN_FAILURES:
        typer.echo(f"  … and {len(tally.failures) - _SHOWN_FAILURES} more; --json lists them all", err=True)
    if tally.waiting:
        typer.echo(f"{tally.waiting} addresses wait: repeat the command to go on.")


def _print_json(value: Any) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    return (row["path"] or row["url"], row["title"], str(row["chars"]), row["fetched_at"][:10])


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for head in heads:
        table.add_column(head, overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    Console(width=None if sys.stdout.isatty() else 200).print(table)
