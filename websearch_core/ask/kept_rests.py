"""Rests that outlive the process: kept in the store, for one revision of the source's settings."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable, Mapping
from math import inf
from typing import Any, cast

from pydantic import Field, SecretStr, ValidationError

from ..errors import Code, cause
from ..interfaces import Clock, Store
from ..parts import Value
from ..settings import Settings
from .rests import MOST_DETAIL, MOST_REPEATS, RULES, Rest

log = logging.getLogger(__name__)

FORGET_S = 86400.0
"""A kept rest that was over so long ago says nothing any more."""
AHEAD_S = 60.0
"""What was kept later than so long from now was kept by a clock that was wrong: nobody knows what it means."""
_TRIES = 3


class KeptRest(Value):
    """A rest, with its end on the wall clock: monotonic time means nothing to another process."""

    code: Code
    until: float | None = None
    """Seconds since the epoch; None: until the settings change."""
    repeats: int = Field(default=0, ge=0)
    detail: str = Field(default="", max_length=MOST_DETAIL)
    next_step: str = Field(default="", max_length=MOST_DETAIL)


class KeptState(Value):
    """How one source stands, and since when. Without any rest: it answered again."""

    revision: str
    at: float
    """When this last changed, in seconds since the epoch."""
    service: KeptRest | None = None
    kinds: Mapping[str, KeptRest] = Field(default={}, max_length=100)


class KeptRests:
    """Where one source's state lies. A store that fails is logged by type, and otherwise the same as none."""

    def __init__(self, store: Store, name: str, revision: str) -> None:
        """`revision` is that of the source's settings: what was kept under another one is not read."""
        self._store = store
        self._name = name
        self._revision = revision

    async def read(self, now: float) -> KeptState | None:
        """What is kept for this revision. Never raises."""
        try:
            return self._readable(await self._store.get(self._name), now)
        except Exception as error:  # noqa: BLE001 - whatever a store raises
            self._log(error)
            return None

    async def write(self, at: float, service: KeptRest | None, kinds: Mapping[str, KeptRest], now: float) -> bool:
        """Keep this, unless another process has kept something later; whether either is kept now. Never raises."""
        state = KeptState(revision=self._revision, at=at, service=service, kinds=kinds)
        raw = state.model_dump_json().encode()
        try:
            for _ in range(_TRIES):
                found = await self._store.get(self._name)
                there = self._readable(found, now)
                # as state, without an expiry: one entry for each source, which no flood of answers pushes out
                if (there and there.at > at) or await self._store.compare_and_set(self._name, found, raw):
                    return True
        except Exception as error:  # noqa: BLE001 - whatever a store raises
            self._log(error)
        return False

    def _readable(self, raw: bytes | None, now: float) -> KeptState | None:
        if raw is None:
            return None
        try:
            state = KeptState.model_validate_json(raw)
        except ValidationError:
            return None
        return state if state.revision == self._revision and state.at <= now + AHEAD_S else None

    def _log(self, error: Exception) -> None:
        log.warning("the store could not keep how %s stands (%s)", self._name, cause(error))


def kept_of(rest: Rest | None, clock: Clock) -> KeptRest | None:
    """The rest as other processes can read it."""
    if rest is None:
        return None
    until = None if rest.until == inf else clock.now() + rest.until - clock.monotonic()
    return KeptRest(code=rest.code, until=until, repeats=rest.repeats, detail=rest.detail, next_step=rest.next_step)


def revived(kept: KeptRest | None, at: float, clock: Clock) -> Rest | None:
    """The rest on this process's clock, as it stood at `at`: from then on never longer than its class allows."""
    if kept is None or (rule := RULES.get(kept.code)) is None:
        return None
    now = clock.now()
    left = min(inf if kept.until is None else kept.until, min(at, now) + rule.longest) - now
    if left < -FORGET_S:
        return None
    return Rest(kept.code, clock.monotonic() + left, min(kept.repeats, MOST_REPEATS), kept.detail, kept.next_step)


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
