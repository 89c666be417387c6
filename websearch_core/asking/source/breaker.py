"""Rest for a source that cannot answer, so that callers do not wait for it and it is left in peace."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Literal, NamedTuple

from ...contract.errors import BackendError, Code, of_code
from ...contract.interfaces import Clock
from ...net.cooldown_rules import CLOCKS_DIFFER_S
from .cooldowns import Cooldown, CooldownStore, CoolingDown, rest_after

State = Literal["closed", "open", "half-open"]

THRESHOLD = 5
"""Failures in a row that open it, where one alone does not."""
REREAD_S = 5.0
"""While something rests, what other processes found out is read this often."""

IN_PART = "a part of a request failed so"
RESTING = "resting"
RESTING_FOR_GOOD = "resting until the operator changes its settings"

_IN_A_ROW = frozenset((Code.TIMEOUT, Code.NETWORK, Code.SERVER))
"""Several of these in a row say something about the source; one of the others does at once."""
OF_THE_SERVICE = _IN_A_ROW | {Code.RATE_LIMITED, Code.AUTH, Code.QUOTA, Code.PLAN}
"""Failures that concern the source as a whole. A challenge does when the source itself showed it."""
_WHOLE = ""
"""The kind of request under which the source as a whole is listed."""


class Permit(NamedTuple):
    """For one call."""

    kind: str
    seen: Mapping[str, Cooldown | None]
    """The rests that were over when it was let through. Its outcome counts only where nothing changed since."""


class Breaker:
    """Closed: calls pass. Open: none does. Half-open, when the rest is over: one call is let through, and it decides.

    `admit` gives a permit or raises; the permit goes to exactly one of `succeeded`, `failed` and `released`. A plan
    that lacks something rests for that kind of request only, where calls say of which kind they are. With `kept`,
    `refresh` and `save` share the state with all processes that use the store.
    """

    def __init__(
        self, clock: Clock, counts: frozenset[Code] = OF_THE_SERVICE, kept: CooldownStore | None = None
    ) -> None:
        """`counts`: the failures that concern the source.

        Timeouts, network and server failures open it when five come in a row, all others at once.
        """
        self._clock = clock
        self._counts = counts
        self._kept = kept
        self._rests: dict[str, Cooldown] = {}
        self._probing: set[str] = set()
        self._failures = 0
        """In a row, while it is closed."""
        self._changed_at = -inf
        self._unsaved = False
        self._read_at: float | None = None

    @property
    def state(self) -> State:
        """`open` while the source rests; `half-open` from then until a probe has answered."""
        if (rest := self._rests.get(_WHOLE)) is None:
            return "closed"
        return "open" if rest.left(self._clock.now()) else "half-open"

    def rests(self) -> tuple[CoolingDown, ...]:
        """What rests, and for how long: the source first, then kinds of request."""
        now = self._clock.now()
        whole_first = sorted(self._rests.items(), key=lambda entry: entry[0] != _WHOLE)
        lefts = [(kind, rest.code, rest.left(now)) for kind, rest in whole_first]
        return tuple(CoolingDown(code, None if left == inf else left, kind) for kind, code, left in lefts)

    def resting(self, kind: str = _WHOLE) -> BackendError | None:
        """The error that `admit` would raise now, or None."""
        for each, rest in self._met_by(kind).items():
            if rest and ((left := rest.left(self._clock.now())) or each in self._probing):
                return _refusal(rest, left)
        return None

    def admit(self, kind: str = _WHOLE) -> Permit:
        """A permit for one call. Raises the last failure's kind of error: what it said, and the time that remains."""
        if (error := self.resting(kind)) is not None:
            raise error
        seen = self._met_by(kind)
        self._probing.update(each for each, rest in seen.items() if rest)
        return Permit(kind, seen)

    def succeeded(self, permit: Permit) -> None:
        """The source answered: closed, and everything is forgotten."""
        for kind in self._unchanged(permit):
            if kind == _WHOLE:
                self._failures = 0
            if kind in self._rests:
                self._change(kind, None)

    def released(self, permit: Permit) -> None:
        """The call says nothing about the source: it was cancelled, or the request was at fault."""
        self._probing.difference_update(self._unchanged(permit))

    def failed(self, permit: Permit, error: BackendError) -> None:
        """The call failed: whether that counts, and for what, depends on its code."""
        kind = permit.kind if error.code is Code.PLAN else _WHOLE
        probed = kind in self._probing
        self.released(permit)
        if kind not in self._unchanged(permit) or error.code not in self._counts:
            return
        if error.code in _IN_A_ROW:
            self._failures += 1
            if not probed and self._failures < THRESHOLD:
                return
        self._change(kind, rest_after(error, self._clock.now(), self._rests.get(kind)))

    def troubled(self, code: Code, kind: str = _WHOLE, retry_after: float | None = None) -> None:
        """A part of a call that was answered failed so: as if a call had. While it rests already, nothing changes."""
        if (kind if code is Code.PLAN else _WHOLE) not in self._rests:
            self.failed(Permit(kind, self._met_by(kind)), of_code(code, IN_PART, retry_after))

    def close(self) -> None:
        """The source is known to answer again: nothing rests any more."""
        for kind in tuple(self._rests):
            self._change(kind, None)

    async def refresh(self) -> None:
        """Read what is kept: before the first call, and while something rests, every few seconds. Never raises."""
        now = self._clock.monotonic()
        if self._kept and (self._read_at is None or (self._rests and now - self._read_at >= REREAD_S)):
            self._read_at = now
            state = await self._kept.read()
            was_set_back = self._changed_at > self._clock.now() + CLOCKS_DIFFER_S
            if state and (state.at > self._changed_at or was_set_back):
                self._rests = dict(state.rests)
                self._probing, self._failures = set(), 0
                self._changed_at, self._unsaved = state.at, False
            await self.save()

    async def save(self) -> None:
        """Keep the last change, if it is not kept yet. Never raises."""
        if self._kept and self._unsaved:
            at = self._changed_at
            saved = await self._kept.write(at, self._rests)
            self._unsaved = not saved or self._changed_at > at

    def _met_by(self, kind: str) -> dict[str, Cooldown | None]:
        """The rests that a call of this kind meets."""
        return {each: self._rests.get(each) for each in (_WHOLE, kind)}

    def _unchanged(self, permit: Permit) -> list[str]:
        return [kind for kind, rest in permit.seen.items() if self._rests.get(kind) is rest]

    def _change(self, kind: str, rest: Cooldown | None) -> None:
        self._rests.pop(kind, None)
        if rest:
            self._rests[kind] = rest
        if kind == _WHOLE:
            self._failures = 0
        self._probing.discard(kind)
        self._changed_at, self._unsaved = self._clock.now(), True


def _refusal(rest: Cooldown, left: float) -> BackendError:
    """What the first caller was told, for all who come after."""
    after, said, since = None, RESTING_FOR_GOOD, ""
    if left < inf:
        after, said, since = max(left, 1.0), RESTING, " since"
    error = of_code(rest.code, f"{said}{since}: {rest.detail}" if rest.detail else said, after, rest.next_step)
    error.resting = True
    return error
