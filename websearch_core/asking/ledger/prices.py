"""What a query of one kind cost last: what the next one is expected to cost."""

from __future__ import annotations

from math import inf
from typing import Literal, NamedTuple

from pydantic import TypeAdapter, ValidationError

from ...contract.interfaces import Clock, Store

GOOD_S = 86400.0
"""For how long a price is expected to hold."""

_MOST = 10**12
"""Thousandths of a unit, or millionths of a dollar: no call costs more, whatever an answer says."""

Measure = Literal["milli_units", "micro_usd"]


class Price(NamedTuple):
    """What one query costs, as far as it is known."""

    milli_units: int | None = None
    micro_usd: int | None = None

    def expected(self, measure: Measure, most_milli_units: int = 1000) -> int:
        """What to hold back for the next query, which may take so many units: never less than the last cost."""
        if measure == "milli_units":
            return max(self.milli_units or 0, most_milli_units)
        # of a price that is known for fewer units, in proportion; rounded up, as a cap is rather kept too strictly
        known = max(self.milli_units or 0, 1000)
        return -(-(self.micro_usd or 0) * max(most_milli_units, known) // known)


_Json = TypeAdapter(tuple[int | None, int | None])


class _Learnt(NamedTuple):
    price: Price
    at: float


class Prices:
    """Learnt from answers, shared with other processes, forgotten after a day.

    Were it kept, one call that cost more than a whole cap would keep its engine from ever being asked again.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._learnt: dict[tuple[str, str], _Learnt] = {}
        self._silent: set[tuple[str, str]] = set()

    async def of(self, source: str, kind: str) -> Price:
        """The last price that this process, or at first any, learnt. Raises what the store raises."""
        now = self._clock.monotonic()
        learnt = self._learnt.get((source, kind))
        if learnt is None or now - learnt.at >= GOOD_S:
            learnt = _Learnt(_read(await self._store.get(_key(source, kind))), now)
            self._learnt[source, kind] = learnt
        price = learnt.price
        return price._replace(micro_usd=0) if price.micro_usd is None and (source, kind) in self._silent else price

    async def learn(self, source: str, kind: str, milli_units: int | None, micro_usd: int | None) -> None:
        """An answer came, and said this much. One that says nothing of dollars costs none, as far as is known here.

        Raises what the store raises.
        """
        now = self._clock.monotonic()
        before = self._learnt.get((source, kind), _Learnt(Price(), -inf))
        price = Price(
            before.price.milli_units if milli_units is None else milli_units,
            before.price.micro_usd if micro_usd is None else micro_usd,
        )
        if micro_usd is None:
            self._silent.add((source, kind))
        if price != before.price or now - before.at >= GOOD_S / 2:
            self._learnt[source, kind] = _Learnt(price, now)
            await self._store.set(_key(source, kind), _Json.dump_json(price), GOOD_S)


def _key(source: str, kind: str) -> str:
    return f"price:{source}:{kind}"


def _read(raw: bytes | None) -> Price:
    try:
        return Price(*_Json.validate_json(raw)) if raw else Price()
    except ValidationError:
        return Price()


def whole(amount: float | None, scale: float) -> int | None:
    """In whole parts; nonsense (less than nothing, no number, more than anybody asks) is as if nothing were said."""
    return round(amount * scale) if amount is not None and 0 <= amount <= _MOST / scale else None
