"""Turns at a few places, fairly: the caller with the fewest is next, and none has them all while others may come."""

from __future__ import annotations

from collections import Counter
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import asyncio


class Asker(NamedTuple):
    """The caller and the call that work is done for."""

    tenant: str = ""
    call: object = None

    @property
    def share(self) -> object:
        """What has a share of the places: a caller; of callers without a name, each call."""
        return self.tenant or (self.call,)


ASKER: ContextVar[Asker] = ContextVar("ASKER", default=Asker())  # noqa: B039 - a tuple cannot change
"""The caller and the call that the work under way is done for."""


class FairQueue:
    """A limited number of places. Where there are several, the last one is kept for a caller that has none."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._held: list[Asker] = []
        self._waiting: dict[asyncio.Future[None], Asker] = {}

    async def acquire(self, asker: Asker) -> None:
        """Wait for a place: first callers with the fewest places, then calls with the fewest, then the order."""
        import asyncio  # late: listing plugins starts no loop

        turn = asyncio.get_running_loop().create_future()
        self._waiting[turn] = asker
        self._grant()
        try:
            await turn
        except asyncio.CancelledError:
            if self._waiting.pop(turn, None) is None:  # it had been granted already
                self.release(asker)
            raise

    def release(self, asker: Asker) -> None:
        """Give a place back."""
        self._held.remove(asker)
        self._grant()

    def _grant(self) -> None:
        while (free := self._places - len(self._held)) > 0:
            calls, shares = Counter(self._held), Counter(asker.share for asker in self._held)
            last = free == 1 and self._places > 1
            able = {
                turn: (shares[asker.share], calls[asker])
                for turn, asker in self._waiting.items()
                # a turn that is done was cancelled, and has not noticed yet
                if not turn.done() and not (last and asker.share in shares)
            }
            if not able:
                return
            turn = min(able, key=able.__getitem__)
            self._held.append(self._waiting.pop(turn))
            turn.set_result(None)
