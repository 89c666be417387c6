"""How long a source rests after a failure, and how that is kept in the store for restarts and other processes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from math import ceil, inf
from typing import Annotated, Any, NamedTuple, cast

from pydantic import BeforeValidator, Field, SecretStr, ValidationError

from ...contract.errors import BackendError, Code
from ...contract.fields import Value
from ...contract.interfaces import Clock, Store
from ...contract.settings import Settings
from ...net.cooldown_rules import CLOCKS_DIFFER_S, SOURCES
from ...stores.resilient import ResilientStore

FORGET_S = 86400.0
"""A kept rest that ended longer ago than this is ignored."""
PATIENCE_S = 5.0
"""A store that takes longer has failed."""
STORE_AGAIN_S = 5.0
"""A store that has failed is left alone this long."""

MOST_DETAIL = 300
"""Characters of the failure's text that are kept."""
MOST_REPEATS = 20
"""After this many doublings every rest has its longest length."""

_KIN = frozenset((Code.NETWORK, Code.SERVER))


_Seconds = Annotated[float, BeforeValidator(lambda seconds: inf if seconds is None else seconds)]
"""In JSON null where they are infinite."""


class Cooldown(Value):
    """Why a source rests, and until when."""

    code: Code
    until: _Seconds = inf
    """In seconds since the epoch. Infinite: until the configuration changes."""
    length: _Seconds = inf
    """In seconds, as it was when it began."""
    repeats: int = Field(default=0, ge=0, le=MOST_REPEATS)
    """How many probes in a row failed likewise."""
    detail: str = Field(default="", max_length=MOST_DETAIL)
    """What the failure said: constant text by the author of the source."""
    next_step: str = Field(default="", max_length=MOST_DETAIL)
    """What to do about it, where its code does not say."""

    def left(self, now: float) -> float:
        """Seconds until a call may try again; 0: it is over."""
        seconds = max(self.until - now, 0.0)
        # more than its length, or than its class allows, means that a clock was wrong
        return seconds if seconds <= min(self.length, SOURCES[self.code].longest) + CLOCKS_DIFFER_S else 0.0


def rest_after(error: BackendError, now: float, before: Cooldown | None) -> Cooldown:
    """The rest that this failure opens at `now`; `before` is the one that was over, when it was a probe that failed."""
    rule, detail = SOURCES[error.code], error.detail[:MOST_DETAIL]
    if rule.asked and error.retry_after is not None:
        seconds = rule.seconds(error.retry_after)
        return Cooldown(code=error.code, until=now + seconds, length=seconds, detail=detail)
    alike = before is not None and (before.code is error.code or {before.code, error.code} <= _KIN)
    repeats = min(before.repeats + 1, MOST_REPEATS) if before and alike and rule.grows else 0
    seconds = min(rule.seconds(None, repeats), error.rest_s)
    step = error.next_step[:MOST_DETAIL]
    return Cooldown(
        code=error.code, until=now + seconds, length=seconds, repeats=repeats, detail=detail, next_step=step
    )


class CoolingDown(NamedTuple):
    """One rest, as operators are told of it."""

    code: Code
    seconds: float | None
    """Until a call may try; None: until its settings change."""
    kind: str = ""
    """The kind of request that rests; empty: the whole source does."""

    def __str__(self) -> str:
        what = f"{self.code} ({self.kind})" if self.kind else str(self.code)
        if self.seconds is None:
            return f"{what} until its settings change"
        return f"{what}, {ceil(self.seconds)} s" if self.seconds > 0 else f"{what}, over: the next call is a trial"


class StoredState(Value):
    """How one source stands. Without any rest: it answered again."""

    revision: str
    at: float
    """When this last changed, in seconds since the epoch."""
    rests: Mapping[str, Cooldown] = {}
    """By kind of request; under the empty name, the rest of the whole source."""


class CooldownStore:
    """Where one source's state lies. A store that fails is as good as none."""

    def __init__(self, store: Store, clock: Clock, name: str, revision: str) -> None:
        """`revision` is that of the source's settings: what was kept under another one is not read."""
        meaning = f"how {name} stands is known to this process alone"
        self._store = ResilientStore(store, clock, "skip", meaning, patience_s=PATIENCE_S, again_s=STORE_AGAIN_S)
        self._clock = clock
        self._name = name
        self._revision = revision

    async def read(self) -> StoredState | None:
        """What is kept for this revision. Never raises."""
        return self._readable(await self._store.get(self._name))

    async def write(self, at: float, rests: Mapping[str, Cooldown]) -> bool:
        """Keep this, unless something later is kept; False: try again later. Never raises."""
        raw = StoredState(revision=self._revision, at=at, rests=rests).model_dump_json().encode()
        found = await self._store.get(self._name)
        there = self._readable(found)
        # as state, without an expiry: no flood of answers pushes it out
        return (there is not None and there.at > at) or await self._store.compare_and_set(self._name, found, raw)

    def _readable(self, raw: bytes | None) -> StoredState | None:
        now = self._clock.now()
        try:
            state = StoredState.model_validate_json(raw or b"")
        except ValidationError:
            return None
        if state.revision != self._revision or state.at > now + CLOCKS_DIFFER_S:
            return None
        rests = {
            kind: rest for kind, rest in state.rests.items() if rest.code in SOURCES and rest.until > now - FORGET_S
        }
        return state.model_copy(update={"rests": rests})


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
