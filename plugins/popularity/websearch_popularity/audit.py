"""A share of what could be trusted is judged anyway, and both are counted."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import NamedTuple

from websearch_core import Store

log = logging.getLogger(__name__)

_EVERY = 100
"""Counts are written once for so many documents: a count is not worth a write each."""


class Counts(NamedTuple):
    """Since counting began."""

    trusted: int
    """Documents that skipped filters."""
    audited: int
    """Documents that might have skipped filters and were judged anyway."""


class Audit:
    """Draws, and counts in the store: for all processes together where the store is shared."""

    def __init__(self, store: Store, share: float, chance: Callable[[], float]) -> None:
        """`chance` gives numbers from 0 up to 1; nobody outside can foretell them."""
        self._store = store
        self._share = share
        self._chance = chance
        self._pending = [0, 0]

    async def draws(self) -> bool:
        """Whether this trusted document is to be judged anyway."""
        drawn = self._chance() < self._share
        self._pending[drawn] += 1
        if drawn or sum(self._pending) >= _EVERY:
            await self.write()
        return drawn

    async def write(self) -> None:
        """Add what was counted here to what the store holds; when that fails, later."""
        pending, self._pending = self._pending, [0, 0]
        for position, name in enumerate(Counts._fields):
            if not pending[position]:
                continue
            try:
                await self._store.incr(name, pending[position])
            except Exception as error:  # noqa: BLE001 - a count decides nothing
                self._pending[position] += pending[position]
                log.warning("the audit's counts were not kept (%s)", type(error).__name__)

    async def counts(self) -> Counts:
        """What was written so far."""
        trusted, audited = [int(await self._store.get(name) or 0) for name in Counts._fields]
        return Counts(trusted, audited)
