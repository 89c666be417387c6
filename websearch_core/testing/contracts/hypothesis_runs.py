"""Examples for the contracts: hypothesis makes bytes, and what they come to is the same in each run."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from anyio import from_thread, to_thread
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

T = TypeVar("T")

_ROLLS = 61
"""Bytes for one example."""


class Dice:
    """Chooses by the bytes that hypothesis made; by zeros, once they are used up: the first and simplest of all.

    Hypothesis is asked for nothing else: into numbers and texts it mixes constants of the modules that happen to be
    loaded, and the examples would not be the same in each run.
    """

    def __init__(self, rolls: bytes) -> None:
        self._rolls = iter(rolls)

    def below(self, count: int) -> int:
        """A number from 0."""
        return (next(self._rolls, 0) * 256 + next(self._rolls, 0)) % count

    def one_of(self, values: Sequence[T]) -> T:
        """One of them."""
        return values[self.below(len(values))]


async def each(make: Callable[[Dice], T], check: Callable[[T], Coroutine[Any, Any, None]], examples: int = 200) -> None:
    """Await `check` for so many of what `make` makes; what it raises is shrunk to the simplest that raises.

    At most twice as many as Hypothesis' loaded profile says, whose default is 100.
    """
    most = min(examples, 2 * settings().max_examples)

    def run() -> None:
        @settings(
            max_examples=most,
            derandomize=True,
            deadline=None,
            database=None,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),  # pyright: ignore[reportArgumentType] - the class is the list
        )
        @given(st.binary(min_size=_ROLLS, max_size=_ROLLS).map(lambda rolls: make(Dice(rolls))))
        def holds(value: T) -> None:
            from_thread.run(check, value)

        holds()

    # hypothesis does not await: it runs beside the loop, and each value is checked on it
    await to_thread.run_sync(run)
