"""How long a source rests after a failure, by the failure's class; and rests kept in the store, for other processes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from math import ceil, inf
from typing import Annotated, Any, NamedTuple, cast

from pydantic import BeforeValidator, Field, SecretStr, ValidationError

from ...contract.errors import BackendError, Code
from ...contract.fields import Value
from ...contract.interfaces import Clock, Store
from ...contract.settings import Settings
from ...net.cooldown_rules import SOURCES
from ...stores.resilient import ResilientStore, StoreUnavailable

FORGET_S = 86400.0
"""A kept rest that was over so long ago says nothing any more."""
AHEAD_S = 60.0
"""What was kept later than so long from now was kept by a clock that was wrong: nobody knows what it means."""
PATIENCE_S = 5.0
"""A store that takes longer has failed."""
_TRIES = 3

MOST_DETAIL = 300
"""Characters of what the failure said that are remembered."""
MOST_REPEATS = 20
"""Doubling this often passes every longest rest."""

_KIN = frozenset((Code.NETWORK, Code.SERVER))


class Cooldown(Value):
    """Why a source rests, and until when."""

    code: Code
    until: Annotated[float, BeforeValidator(lambda until: inf if until is None else until)] = inf
    """On the monotonic clock; in the store, where that means nothing to others, since the epoch. Infinite (in JSON
    null): until the configuration changes."""
    repeats: int = Field(default=0, ge=0)
    """How many probes in a row failed likewise."""
    detail: str = Field(default="", max_length=MOST_DETAIL)
    """What the failure that opened it said: constant text by whoever wrote the source."""
    next_step: str = Field(default="", max_length=MOST_DETAIL)
    """What to do about it, where its code does not say."""


def rest_after(error: BackendError, now: float, before: Cooldown | None) -> Cooldown:
    """The rest that this failure opens at `now`; `before` is the one that was over, when it was a probe that failed."""
    rule, detail = SOURCES[error.code], error.detail[:MOST_DETAIL]
    if rule.asked and error.retry_after is not None:
        return Cooldown(code=error.code, until=now + rule.seconds(error.retry_after), detail=detail)
    alike = before is not None and (before.code is error.code or {before.code, error.code} <= _KIN)
    repeats = min(before.repeats + 1, MOST_REPEATS) if before and alike and rule.grows else 0
    seconds = min(rule.seconds(None, repeats), error.rest_s)
    step = error.next_step[:MOST_DETAIL]
    return Cooldown(code=error.code, until=now + seconds, repeats=repeats, detail=detail, next_step=step)


class CoolingDown(NamedTuple):
    """One rest, as operators are told of it."""

    code: Code
    seconds: float | None
    """Until somebody may try; None: until its settings change."""
    kind: str = ""
    """The kind of request that rests; empty: the whole source does."""

    def __str__(self) -> str:
        what = f"{self.code} ({self.kind})" if self.kind else str(self.code)
        if self.seconds is None:
            return f"{what} until its settings change"
        return f"{what}, {ceil(self.seconds)} s" if self.seconds > 0 else f"{what}, over: the next call is a trial"


class StoredState(Value):
    """How one source stands, and since when. Without any rest: it answered again."""

    revision: str
    at: float
    """When this last changed, in seconds since the epoch."""
    service: Cooldown | None = None
    kinds: Mapping[str, Cooldown] = Field(default={}, max_length=100)


class CooldownStore:
    """Where one source's state lies. A store that fails is the same as none."""

    def __init__(self, store: Store, clock: Clock, name: str, revision: str) -> None:
        """`revision` is that of the source's settings: what was kept under another one is not read."""
        meaning = f"how {name} stands is known to this process alone"
        self._store = ResilientStore(store, clock, "hold", meaning, patience_s=PATIENCE_S)
        self._name = name
        self._revision = revision

    async def read(self, now: float) -> StoredState | None:
        """What is kept for this revision. Never raises."""
        try:
            return self._readable(await self._store.get(self._name), now)
        except StoreUnavailable:
            return None

    async def write(self, at: float, service: Cooldown | None, kinds: Mapping[str, Cooldown], now: float) -> bool:
        """Keep this, unless another process has kept something later; whether either is kept now. Never raises."""
        state = StoredState(revision=self._revision, at=at, service=service, kinds=kinds)
        raw = state.model_dump_json().encode()
        with suppress(StoreUnavailable):
            for _ in range(_TRIES):
                found = await self._store.get(self._name)
                there = self._readable(found, now)
                # as state, without an expiry: one entry for each source, which no flood of answers pushes out
                if (there and there.at > at) or await self._store.compare_and_set(self._name, found, raw):
                    return True
        return False

    def _readable(self, raw: bytes | None, now: float) -> StoredState | None:
        if raw is None:
            return None
        try:
            state = StoredState.model_validate_json(raw)
        except ValidationError:
            return None
        return state if state.revision == self._revision and state.at <= now + AHEAD_S else None


def kept_of(rest: Cooldown | None, clock: Clock) -> Cooldown | None:
    """The rest as other processes can read it."""
    return rest and rest.model_copy(update={"until": clock.now() + rest.until - clock.monotonic()})


def revived(kept: Cooldown | None, at: float, clock: Clock) -> Cooldown | None:
    """The rest on this process's clock, as it stood at `at`: from then on never longer than its class allows."""
    if kept is None or (rule := SOURCES.get(kept.code)) is None:
        return None
    now = clock.now()
    left = min(kept.until, min(at, now) + rule.longest) - now
    if left < -FORGET_S:
        return None
    return kept.model_copy(update={"until": clock.monotonic() + left, "repeats": min(kept.repeats, MOST_REPEATS)})


def revision_of(version: str, settings: Iterable[Settings]) -> str:
    """A digest of a plugin's version and settings, keys included: it changes with them and gives none of them away."""
    values = [[type(each).__name__, each.model_dump()] for each in settings]
    text = json.dumps([version, values], sort_keys=True, default=_plain)
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    if isinstance(value, set | frozenset):
        return sorted(str(each) for each in cast("frozenset[object]", value))
    return str(value)
