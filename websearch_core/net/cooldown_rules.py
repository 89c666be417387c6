"""How long what refused us is left alone, by the kind of failure: for sources, for one key of an engine, for sites."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

from ..contract.errors import Code

CLOCKS_DIFFER_S = 60.0
"""At most, between the processes that share a store."""
_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0


@dataclass(frozen=True, slots=True)
class CooldownRule:
    """What one class of failure means, in seconds."""

    first: float
    longest: float
    grows: bool = False
    """Each cool-down is twice the last while the next try fails likewise."""
    asked: bool = False
    """Where the other side says how long (`Retry-After`), that counts, up to the longest."""

    def seconds(self, asked: float | None, repeats: int = 0) -> float:
        """How long, where the other side said `asked` seconds, after `repeats` tries in a row that failed likewise."""
        if self.asked and asked is not None:
            return min(max(asked, 0.0), self.longest)
        return min(self.first * 2**repeats, self.longest)


SOURCES: Mapping[Code, CooldownRule] = {
    Code.TIMEOUT: CooldownRule(30.0, 2 * _MINUTE, grows=True),
    Code.NETWORK: CooldownRule(30.0, 10 * _MINUTE, grows=True),
    Code.SERVER: CooldownRule(30.0, 10 * _MINUTE, grows=True),
    # a site that showed a challenge remembers our address: to ask on makes it worse
    Code.BLOCKED_BY_SITE: CooldownRule(_HOUR, _DAY, grows=True),
    # to ask once an hour does no harm, and a nonsensical header must not silence a source
    Code.RATE_LIMITED: CooldownRule(_MINUTE, _HOUR, asked=True),
    Code.QUOTA: CooldownRule(_HOUR, _DAY, asked=True),
    Code.PLAN: CooldownRule(_HOUR, _HOUR),
    # only the operator can mend a refused key
    Code.AUTH: CooldownRule(inf, inf),
}
"""A backend or remote fetcher: the classes that are about it, and not about one request or one page."""

LONE_KEY: Mapping[Code, CooldownRule] = {
    # the request itself and the breaker have a patience of their own
    Code.RATE_LIMITED: CooldownRule(1.0, _HOUR, asked=True),
}
"""An engine's only key. Used up or refused, the breaker sees to it: a check must be able to ask."""

ONE_OF_SEVERAL_KEYS: Mapping[Code, CooldownRule] = {
    # the other keys do the work meanwhile
    Code.RATE_LIMITED: CooldownRule(_MINUTE, _HOUR, asked=True),
    Code.QUOTA: CooldownRule(_HOUR, _HOUR, asked=True),
    Code.AUTH: CooldownRule(_HOUR, _HOUR),
}
"""A key of an engine that has others."""

PAGE = CooldownRule(0.0, _HOUR, asked=True)
"""An address whose site asked for a pause."""
HOST = CooldownRule(0.0, 2 * _MINUTE, asked=True)
"""Its host: no longer than this one address speaks for all others, which may be other people's."""
