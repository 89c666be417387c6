"""What an engine's headers say of its limits: windows to keep, quotas that are used up. Never raises.

Understood are lists with a policy (Brave), one limit with a reset in seconds or since the epoch (the old custom), the
RateLimit fields of the IETF's drafts (up to 06, 07, and from 08 on), and a limit with an interval (Crossref).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

from ..contract.errors import Code
from .rate_schedule import LONGEST_REST_S, Window

PACED_S = 60.0
"""Windows up to this length are kept by counting; a longer one is a quota: nobody waits for it before it is used up."""
SLOWEST_S = 10.0
"""For one request. No search engine that tells its limits asks for more, so a slower window was misread: it is not kept
by counting, and after a good answer a key rests no longer than this for each request that the used-up limit allows.
When the engine means it, it will say so with a 429, which counts in full."""
FASTEST = 1000.0
"""Requests a second. A higher limit needs no keeping."""
DAY_S = 86_400.0
FURTHEST_RESET_S = 32 * DAY_S
"""A month. A reset that is farther off is nonsense."""

_FIRST_EPOCH = 1e9
"""From here on a reset is a moment, not a number of seconds."""
_EPOCH_MS = 1e12
_LONGEST_HEADER = 1000
_MOST_ITEMS = 10
_PREFIXES = ("x-ratelimit-", "ratelimit-", "x-rate-limit-")
_NUMBER = re.compile(r"[0-9]{1,15}(\.[0-9]{1,9})?")
_INTERVAL = re.compile(r"([0-9]{1,6})\s*([smh]?)")
_ITEMS = re.compile(r'(?:"[^"]*"|[^,"])+')
_ABSENT: tuple[str, dict[str, str]] = ("", {})
_PARAMETERS = re.compile(r'(?:"[^"]*"|[^;"])+')


@dataclass(frozen=True, slots=True)
class RateLimitStatus:
    """What one answer's headers say."""

    windows: tuple[Window, ...] = ()
    """To keep by counting."""
    reset_s: float | None = None
    """Until what is used up is full again: how long to wait after a refusal that says nothing better."""
    spent_s: float = 0.0
    """How long to rest after a good answer, because a quota is used up; 0: not at all."""
    spent: Code = Code.RATE_LIMITED
    """Quota for windows of a day and more."""


@dataclass(slots=True)
class _Limit:
    """One limit, as far as the headers tell."""

    requests: int | None = None
    seconds: float | None = None
    remaining: int | None = None
    reset: float | None = None

    @property
    def counted(self) -> Window | None:
        """The window, if it is one to keep by counting."""
        if not self.requests or not self.seconds or self.seconds > PACED_S:
            return None
        is_kept = 1 / FASTEST <= self.seconds / self.requests <= SLOWEST_S
        return Window(self.requests, self.seconds).counted() if is_kept else None


def heard(headers: Mapping[str, str], now: float) -> RateLimitStatus:
    """What these headers (names in lower case) say at this moment, in seconds since the epoch."""
    if not any("ratelimit" in name or "rate-limit" in name for name in headers):
        return RateLimitStatus()
    limits = _named(headers, now)
    for prefix in _PREFIXES:
        limits += _listed(headers, prefix, now)
    limits = [limit for limit in limits if limit.requests != 0]  # a limit of 0 is counted for the bill only (Brave)
    windows = tuple(sorted({limit.counted for limit in limits if limit.counted is not None}))
    exhausted = [limit for limit in limits if limit.remaining == 0 and limit.reset is not None]
    if not exhausted and len(limits) == 1 and limits[0].remaining is None:
        exhausted = [limit for limit in limits if limit.reset is not None]
    quotas = [limit for limit in exhausted if limit.remaining == 0 and limit.counted is None]
    rests = [min(limit.reset or 0.0, LONGEST_REST_S, SLOWEST_S * (limit.requests or 1)) for limit in quotas]
    is_long = any(max(limit.seconds or 0.0, limit.reset or 0.0) >= DAY_S for limit in quotas)
    return RateLimitStatus(
        windows,
        max((limit.reset or 0.0 for limit in exhausted), default=None),
        max(rests, default=0.0),
        Code.QUOTA if is_long else Code.RATE_LIMITED,
    )


def _listed(headers: Mapping[str, str], prefix: str, now: float) -> list[_Limit]:
    """Limit, Remaining and Reset, each a number or a list of them, and the windows that go with them."""
    columns = [_items(headers.get(prefix + name, "")) for name in ("limit", "remaining", "reset")]
    limits = [
        _Limit(_whole(limit), _seconds(more.get("w") or more.get("window")), _whole(left), _reset(reset, now))
        for (limit, more), (left, _), (reset, _) in zip_longest(*columns, fillvalue=_ABSENT)
    ]
    if len(limits) == 1 and (interval := headers.get(prefix + "interval")):
        limits[0].seconds = _interval(interval)
    policies = _items(headers.get(prefix + "policy", ""))
    known = [_Limit(_whole(value), _seconds(more.get("w"))) for value, more in policies if _whole(value) is not None]
    in_order = len(known) == len(columns[0])
    for place, limit in enumerate(limits):
        same = known[place : place + 1] if in_order else [one for one in known if one.requests == limit.requests]
        limit.seconds = limit.seconds or next((one.seconds for one in same), None)
    return limits if in_order else limits + known


def _named(headers: Mapping[str, str], now: float) -> list[_Limit]:
    """`RateLimit` with `RateLimit-Policy`: `limit=1, remaining=0, reset=1`, or `"burst";r=0;t=1` for each policy."""
    state, policies = (_items(headers.get(name, "")) for name in ("ratelimit", "ratelimit-policy"))
    if pairs := dict(value.split("=", 1) for value, _ in state if "=" in value):
        row = {f"ratelimit-{name}": value for name, value in pairs.items()}
        return _listed({**row, "ratelimit-policy": headers.get("ratelimit-policy", "")}, "ratelimit-", now)
    limits: dict[str, _Limit] = {}
    for name, more in policies:
        if "q" in more and more.get("qu", "requests") in ("request", "requests"):
            limits[name] = _Limit(_whole(more["q"]), _seconds(more.get("w")))
    for name, more in state:
        if "r" in more and (name in limits or not limits):
            limit = limits.setdefault(name, _Limit())
            limit.remaining, limit.reset = _whole(more["r"]), _reset(more.get("t", ""), now)
    return list(limits.values())


def _items(text: str) -> list[tuple[str, dict[str, str]]]:
    """A structured field's list (RFC 9651 §3.1), leniently: values and their parameters, without quotes."""
    if len(text) > _LONGEST_HEADER:
        return []
    found: list[tuple[str, dict[str, str]]] = []
    for item in _ITEMS.findall(text)[:_MOST_ITEMS]:
        value, *more = [part.strip() for part in _PARAMETERS.findall(item)] or [""]
        pairs = (part.partition("=") for part in more)
        found.append((value.strip('"'), {name.strip().lower(): word.strip().strip('"') for name, _, word in pairs}))
    return found


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 15 else None


def _seconds(text: str | None) -> float | None:
    value = float(text) if text and _NUMBER.fullmatch(text) else None
    return value if value and value <= FURTHEST_RESET_S else None


def _reset(text: str, now: float) -> float | None:
    """Seconds from now: the header holds those, or a moment in seconds or milliseconds since the epoch."""
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    if value >= _FIRST_EPOCH:
        value = max(0.0, (value / 1000 if value >= _EPOCH_MS else value) - now)
    return value if value <= FURTHEST_RESET_S else None


def _interval(text: str) -> float | None:
    found = _INTERVAL.fullmatch(text.strip().lower())
    return float(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[found[2]] or None if found else None
