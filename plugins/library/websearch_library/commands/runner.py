"""Runs the sub-commands in a terminal: waits for the work, prints what came of it, says how to exit."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from websearch_core import Gateway, PluginContext

from ..adding.importer import ImportTally
from ..index.connections import UnusableError
from .operations import LibraryOperations
from .progress import Quiet, printable, shown
from .targets import TargetError, target

if TYPE_CHECKING:
    from ..settings import LibrarySettings

T = TypeVar("T")

_SHOWN_FAILURES = 10
_INTERRUPTED = 130


class CommandRunner:
    """Each method is a sub-command; it raises `typer.Exit` with 1 (nothing came of it), 2 (not possible) or 130."""

    def __init__(
        self,
        ctx: PluginContext,
        settings: LibrarySettings,
        gateway: Callable[[], AbstractAsyncContextManager[Gateway]],
    ) -> None:
        self._ctx = ctx
        self._settings = settings
        self._work = LibraryOperations(ctx, settings, gateway)

    def add(self, words: Sequence[str], depth: int, max_pages: int | None, *, as_json: bool) -> None:
        """Add what the words name."""
        try:
            targets = [target(word) for word in words]
        except TargetError as error:
            raise _failed(str(error), 2) from None
        tally, barren = ImportTally(), list[str]()
        most = max_pages or self._settings.max_pages

        async def run(progress: Quiet) -> None:
            barren.extend(await self._work.add(targets, depth, most, tally, progress))

        self._reported(run, tally, barren, as_json=as_json)

    def refresh(self, under: str, older_than: float, *, as_json: bool) -> None:
        """Read again."""
        tally, barren = ImportTally(), list[str]()

        async def run(progress: Quiet) -> None:
            if not await self._work.refresh(under, older_than, tally, progress):
                barren.append("nothing in the library is meant by this; see `websearch library list`")
            elif not tally.done:
                barren.append("nothing could be read again")

        self._reported(run, tally, barren, as_json=as_json)

    def remove(self, words: Sequence[str], *, under: bool) -> None:
        """Take out what the words name."""
        count = _run(self._work.remove(words, under=under))
        typer.echo(f"Removed {count} {'page' if count == 1 else 'pages'}.")
        if not count:
            raise _failed("nothing in the library has this address; see `websearch library list`", 1)

    def show(self, text: str, limit: int, *, as_json: bool) -> None:
        """Print what was added."""
        rows, total = _run(self._work.listed(text, limit))
        if as_json:
            _print_json(rows)
        elif rows:
            _table(("address", "title", "characters", "fetched"), [_cells(row) for row in rows])
            if total > len(rows):
                typer.echo(f"{total - len(rows)} more; --limit {total} shows them.")
        else:
            typer.echo("Nothing was added yet. Try: websearch library add https://example.com/docs/ --depth 1")

    def stats(self, *, as_json: bool) -> None:
        """Print numbers about the index."""
        facts = _run(self._work.stats())
        if as_json:
            _print_json(facts)
        else:
            _table(("what", "how much"), [(key.replace("_", " "), str(value)) for key, value in facts.items()])

    def _reported(
        self, run: Callable[[Quiet], Coroutine[Any, Any, None]], tally: ImportTally, barren: list[str], *, as_json: bool
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


def _print_tally(tally: ImportTally) -> None:
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
