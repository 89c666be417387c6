"""How long a source rests after a failure, by the failure's class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, inf
from typing import NamedTuple

from ..errors import BackendError, Code

MOST_DETAIL = 300
"""Characters of what the failure said that are remembered."""
MOST_REPEATS = 20
"""Doubling this often passes every longest rest."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What one class of failure means, in seconds."""

    first: float
    longest: float
    grows: bool = False
    """Each rest is twice the last while the probe after it fails likewise."""
    asked: bool = False
    """Where the source itself says how long, that counts, up to the longest."""


_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0

RULES: Mapping[Code, Rule] = {
    Code.TIMEOUT: Rule(30.0, 2 * _MINUTE, grows=True),
    Code.NETWORK: Rule(30.0, 10 * _MINUTE, grows=True),
    Code.SERVER: Rule(30.0, 10 * _MINUTE, grows=True),
    # whoever showed a challenge remembers our address: asking on makes it worse
    Code.BLOCKED_BY_SITE: Rule(_HOUR, _DAY, grows=True),
    # asking once an hour harms nobody, and a nonsensical header must not silence a source
    Code.RATE_LIMITED: Rule(_MINUTE, _HOUR, asked=True),
    Code.QUOTA: Rule(_HOUR, _DAY, asked=True),
    Code.PLAN: Rule(_HOUR, _HOUR),
    # only the operator can mend a refused key
    Code.AUTH: Rule(inf, inf),
}
"""The classes that are about a source, and not about one request or one page."""

_KIN = frozenset((Code.NETWORK, Code.SERVER))


@dataclass(frozen=True, slots=True)
class Rest:
    """Why a source rests, and until when."""

    code: Code
    until: float
    """On the monotonic clock; infinite: until the configuration changes."""
    repeats: int = 0
    """How many probes in a row failed likewise."""
    detail: str = ""
    """What the failure that opened it said: constant text by whoever wrote the source."""
    next_step: str = ""
    """What to do about it, where its code does not say."""


def rest_after(error: BackendError, now: float, before: Rest | None) -> Rest:
    """The rest that this failure opens at `now`; `before` is the one that was over, when it was a probe that failed."""
    rule, detail = RULES[error.code], error.detail[:MOST_DETAIL]
    if rule.asked and error.retry_after is not None:
        return Rest(error.code, now + min(max(error.retry_after, 0.0), rule.longest), detail=detail)
    alike = before is not None and (before.code is error.code or {before.code, error.code} <= _KIN)
    repeats = min(before.repeats + 1, MOST_REPEATS) if before and alike and rule.grows else 0
    seconds = min(rule.first * 2**repeats, rule.longest, error.rest_s)
    return Rest(error.code, now + seconds, repeats, detail, error.next_step[:MOST_DETAIL])


class Resting(NamedTuple):
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
