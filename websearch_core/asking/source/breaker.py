"""Rest for a source that cannot answer, so that callers do not wait for it and it is not pestered."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from math import inf
from typing import Literal, NamedTuple

from ...contract.errors import BackendError, Code, of_code
from ...contract.interfaces import Clock
from .cooldowns import (
    AHEAD_S,
    Cooldown,
    CooldownStore,
    CoolingDown,
    StoredState,
    kept_of,
    rest_after,
    revived,
)

State = Literal["closed", "open", "half-open"]
STANDING: Mapping[State, str] = {"closed": "ready", "open": "resting", "half-open": "on trial"}
"""The states in an operator's words."""

THRESHOLD = 5
"""Failures in a row that open it, where one alone does not."""
REREAD_S = 5.0
"""While it is open, what other processes found out is read at most this often."""
RESAVE_S = 5.0
"""A change that the store refused is offered again at most this often."""

IN_PART = "a part of a request failed so"
RESTING = "resting"
RESTING_FOR_GOOD = "resting until the operator changes its settings"
OF_THE_SERVICE = frozenset((Code.TIMEOUT, Code.NETWORK, Code.SERVER))
"""What always concerns the source as a whole. A challenge does when the source itself showed it."""
_AT_ONCE = frozenset((Code.RATE_LIMITED, Code.AUTH, Code.QUOTA, Code.PLAN))


class Circuit:
    """Closed without a rest, open during one, and half-open after it: then the next to enter is the probe."""

    def __init__(self) -> None:
        self.rest: Cooldown | None = None
        self.failures = 0
        """In a row, while it is closed."""
        self.probing = False
        self.generation = 0
        """Rises with each change: who entered before it has no say any more."""

    def left(self, now: float) -> float | None:
        """Seconds for which nobody is let through, 0 while a probe is out; None: somebody is."""
        if self.rest is None or (self.rest.until <= now and not self.probing):
            return None
        return max(self.rest.until - now, 0.0)

    def enter(self) -> int:
        """One call goes through. The generation that it belongs to."""
        self.probing = self.rest is not None
        return self.generation

    def leave(self, generation: int) -> None:
        """A call came to nothing that counts."""
        if generation == self.generation:
            self.probing = False

    def change(self, rest: Cooldown | None) -> None:
        """Open, or close."""
        self.rest = rest
        self.failures = 0
        self.probing = False
        self.generation += 1


class Permit(NamedTuple):
    """For one call: what it says counts only for the state in which it was let through."""

    kind: str
    service: int
    of_kind: int


class Breaker:
    """Closed: calls pass. Open: none does. Half-open, when the rest is over: exactly one, and it decides.

    `admit` gives a permit or raises; the permit goes to exactly one of `succeeded`, `failed` and `released`. What calls
    report that were let through before the last change of state is ignored. A plan that lacks something rests for
    that kind of request only, where calls say of which kind they are. With `kept`, `refresh` and `save` share the
    state with whoever shares the store.
    """

    def __init__(
        self, clock: Clock, counts: frozenset[Code] | None = OF_THE_SERVICE, kept: CooldownStore | None = None
    ) -> None:
        """`counts`: of the failures that may concern one page or the whole source, those that concern the source.

        None: no failure says anything about it, so it stays closed.

        Timeouts, network and server failures open it when five come in a row; rate limits, an empty account, a refused
        key and, where it counts, a challenge open it at once.
        """
        self._clock = clock
        self._in_a_row = counts & OF_THE_SERVICE if counts else frozenset[Code]()
        self._at_once = frozenset[Code]() if counts is None else _AT_ONCE | (counts & {Code.BLOCKED_BY_SITE})
        self._kept = kept
        self._service = Circuit()
        self._kinds: dict[str, Circuit] = {}
        self._changed_at = -inf
        self._unsaved = False
        self._save_from = -inf
        self._read_at: float | None = None
        self._first_reading = asyncio.Lock()

    @property
    def state(self) -> State:
        """`open` while the source rests; `half-open` from then until a probe has answered."""
        if (rest := self._service.rest) is None:
            return "closed"
        return "half-open" if self._clock.monotonic() >= rest.until else "open"

    def rests(self) -> tuple[CoolingDown, ...]:
        """What rests, and for how long: the source, or kinds of request."""
        now = self._clock.monotonic()
        named = {"": self._service, **self._kinds}
        return tuple(
            CoolingDown(
                circuit.rest.code, None if circuit.rest.until == inf else max(circuit.rest.until - now, 0.0), kind
            )
            for kind, circuit in named.items()
            if circuit.rest is not None
        )

    def resting(self, kind: str = "") -> BackendError | None:
        """The error that `admit` would raise now, or None."""
        now = self._clock.monotonic()
        for circuit in (self._service, self._kinds.get(kind)):
            if circuit and circuit.rest and (left := circuit.left(now)) is not None:
                return _refusal(circuit.rest, left)
        return None

    def admit(self, kind: str = "") -> Permit:
        """A permit for one call. Raises the last failure's kind of error: what it said, and the time that remains."""
        if (error := self.resting(kind)) is not None:
            raise error
        circuit = self._kinds.get(kind)
        return Permit(kind, self._service.enter(), circuit.enter() if circuit else 0)

    def succeeded(self, permit: Permit) -> None:
        """The source answered: closed, and everything is forgotten."""
        for circuit, generation in self._of(permit):
            if generation == circuit.generation:
                circuit.failures = 0
                if circuit.rest is not None:
                    self._change(circuit, None)

    def released(self, permit: Permit) -> None:
        """The call came to nothing that says something about the source: cancelled, or the request was at fault."""
        for circuit, generation in self._of(permit):
            circuit.leave(generation)

    def failed(self, permit: Permit, error: BackendError) -> None:
        """The call failed: whether that counts, and for what, depends on its code."""
        circuit, generation = self._service, permit.service
        if error.code is Code.PLAN and permit.kind:
            circuit, generation = self._kinds.setdefault(permit.kind, Circuit()), permit.of_kind
        probed = circuit.probing
        self.released(permit)
        if generation != circuit.generation:
            return
        opens = error.code in self._at_once
        if not opens and error.code in self._in_a_row:
            circuit.failures += 1
            opens = probed or circuit.failures >= THRESHOLD
        if opens:
            self._change(circuit, rest_after(error, self._clock.monotonic(), circuit.rest))

    def troubled(self, code: Code, kind: str = "") -> None:
        """A part of a call that was answered failed so: as if a call had. While it rests already, nothing changes."""
        circuit = self._kinds.get(kind) if code is Code.PLAN and kind else self._service
        if circuit is None or circuit.rest is None:
            permit = Permit(kind, self._service.generation, circuit.generation if circuit else 0)
            self.failed(permit, of_code(code, IN_PART))

    def close(self) -> None:
        """Somebody knows that the source answers again: nothing rests any more."""
        for circuit in (self._service, *self._kinds.values()):
            if circuit.rest is not None:
                self._change(circuit, None)

    async def refresh(self) -> None:
        """Read what is kept: before the first call, and while something rests, every few seconds. Never raises.

        Then, too, a change that the store refused is offered to it again.
        """
        if self._kept is None:
            return
        if self._read_at is None:
            async with self._first_reading:
                if self._read_at is None:
                    self._adopt(await self._kept.read(self._clock.now()))
                    self._read_at = self._clock.monotonic()
        elif self._clock.monotonic() - self._read_at >= REREAD_S and self.rests():
            self._read_at = self._clock.monotonic()
            self._adopt(await self._kept.read(self._clock.now()))
            await self.save()

    async def save(self) -> None:
        """Keep the last change, if there is one that is not kept yet. Never raises."""
        if self._kept is None or not self._unsaved or self._clock.monotonic() < self._save_from:
            return
        at = self._changed_at
        kinds = {kind: rest for kind, circuit in self._kinds.items() if (rest := kept_of(circuit.rest, self._clock))}
        if await self._kept.write(at, kept_of(self._service.rest, self._clock), kinds, self._clock.now()):
            self._unsaved = self._changed_at > at
        elif self._changed_at == at:
            self._save_from = self._clock.monotonic() + RESAVE_S

    def _of(self, permit: Permit) -> tuple[tuple[Circuit, int], ...]:
        circuit = self._kinds.get(permit.kind)
        both = (self._service, permit.service)
        return (both, (circuit, permit.of_kind)) if circuit else (both,)

    def _change(self, circuit: Circuit, rest: Cooldown | None) -> None:
        circuit.change(rest)
        self._changed_at = self._clock.now()
        self._unsaved, self._save_from = True, -inf

    def _adopt(self, kept: StoredState | None) -> None:
        """Stand as the store says, if that is later than what is known here."""
        if kept is None or (kept.at <= self._changed_at <= self._clock.now() + AHEAD_S):
            return
        self._changed_at, self._unsaved = kept.at, False
        rests: Mapping[str, Cooldown | None] = {"": kept.service, **kept.kinds}
        for kind in {*self._kinds, *rests}:
            rest = revived(rests.get(kind), kept.at, self._clock)
            circuit = self._kinds.get(kind) if kind else self._service
            if circuit is None:
                circuit = self._kinds[kind] = Circuit()
            if rest is not None or circuit.rest is not None:
                circuit.change(rest)


def _refusal(rest: Cooldown, left: float) -> BackendError:
    """The remedy that the first caller was told is told to all who come after."""
    after, said, since = None, RESTING_FOR_GOOD, ""
    if left < inf:
        after, said, since = max(left, 1.0), RESTING, " since"
    error = of_code(rest.code, f"{said}{since}: {rest.detail}" if rest.detail else said, after, rest.next_step)
    error.resting = True
    return error
