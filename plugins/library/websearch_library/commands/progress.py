"""How far it is, on standard error: a bar in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from websearch_core import Clock

    from ..adding.importer import ImportTally

_LINE_EVERY_S = 5.0


def printable(text: str) -> str:
    """Text from outside without control characters, which a terminal would obey."""
    return "".join(character if character.isprintable() else " " for character in text)


class Quiet:
    """Says nothing."""

    def moved(self, tally: ImportTally, waiting: int, current: str) -> None:
        """Nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Nothing to end."""


class Lines(Quiet):
    """A line every few seconds, for logs and pipes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._said_at = clock.monotonic()

    def moved(self, tally: ImportTally, waiting: int, current: str) -> None:
        """After each page."""
        now = self._clock.monotonic()
        if now - self._said_at >= _LINE_EVERY_S:
            self._said_at = now
            print(  # noqa: T201 - standard error is where progress belongs
                f"{tally.done} done, {len(tally.failures)} failed, {waiting} waiting: {printable(current)}",
                file=sys.stderr,
            )


class Bar(Quiet):
    """A progress bar."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        # The address is cut by the column, never read as markup.
        self._bar: Any = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.description}", markup=False),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("", total=None)

    def moved(self, tally: ImportTally, waiting: int, current: str) -> None:
        """After each page."""
        done = tally.done + len(tally.failures)
        self._bar.update(
            self._task, completed=done, total=done + waiting if waiting else None, description=printable(current)[:60]
        )

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bar.stop()


def shown(clock: Clock) -> Quiet:
    """A bar in a terminal, lines elsewhere."""
    return Bar() if sys.stderr.isatty() else Lines(clock)
