"""Turns at a few places, fairly: whoever has the fewest is next, and nobody has them all while others may come."""

from __future__ import annotations

from collections import Counter
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import asyncio


class Asker(NamedTuple):
    """For whom work is done: a caller, and one call of theirs."""

    tenant: str = ""
    call: object = None

    @property
    def share(self) -> object:
        """Whose share of the places this is; callers without a name are told apart by their calls."""
        return self.tenant or (self.call,)


_NOBODY = Asker()
ASKER: ContextVar[Asker] = ContextVar("ASKER", default=_NOBODY)
"""For whom the work under way is done."""


class FairQueue:
    """So many places. Of several, one is always left for somebody who has none."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._shares: Counter[object] = Counter()
        self._calls: Counter[object] = Counter()
        self._waiting: dict[asyncio.Future[None], Asker] = {}

    async def acquire(self, asker: Asker) -> None:
        """Wait for a place: first those who have the fewest, then those of their calls that do, then who came first."""
        import asyncio  # late: listing plugins starts no loop

        mine = asyncio.get_running_loop().create_future()
        self._waiting[mine] = asker
        self._grant()
        try:
            await mine
        except asyncio.CancelledError:
            if self._waiting.pop(mine, None) is None:  # it had been granted already
                self.release(asker)
            raise

    def release(self, asker: Asker) -> None:
        """Give a place back."""
        for counts, key in ((self._shares, asker.share), (self._calls, asker)):
            counts[key] -= 1
            if not counts[key]:
                del counts[key]
        self._grant()

    def _grant(self) -> None:
        while (free := self._places - self._shares.total()) > 0:
            last = free == 1 and self._places > 1
            # a turn that is done was cancelled, and has not noticed yet
            waiting = [(turn, asker) for turn, asker in self._waiting.items() if not turn.done()]
            able = [turn for turn, asker in waiting if not (last and asker.share in self._shares)]
            if not able:
                return
            turn = min(able, key=lambda turn: self._standing(self._waiting[turn]))
            asker = self._waiting.pop(turn)
            self._shares[asker.share] += 1
            self._calls[asker] += 1
            turn.set_result(None)

    def _standing(self, asker: Asker) -> tuple[int, int]:
        return self._shares[asker.share], self._calls[asker]
