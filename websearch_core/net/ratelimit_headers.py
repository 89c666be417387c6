"""What an engine's headers say of its limits: windows to keep, quotas that are used up. Never raises.

Understood are lists with a policy (Brave), one limit with a reset in seconds or since the epoch (the old custom), the
RateLimit fields of the IETF's drafts (up to 06, 07, and from 08 on), and a limit with an interval (Crossref).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import NamedTuple

from ..contract.errors import Code
from .rate_schedule import LONGEST_REST_S, Window

PACED_S = 60.0
"""Windows up to this length are kept by counting. A longer one is a quota: no request waits while some is left."""
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
_PARAMETERS = re.compile(r'(?:"[^"]*"|[^;"])+')

_Items = list[tuple[str, dict[str, str]]]
"""Values and their parameters."""
_ABSENT: tuple[str, dict[str, str]] = ("", {})


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


class _Limit(NamedTuple):
    """What is left under one limit, as far as the headers tell."""

    requests: int | None
    remaining: int | None
    reset_s: float


def heard(headers: Mapping[str, str], now: float) -> RateLimitStatus:
    """What these headers (names in lower case) say at this moment, in seconds since the epoch."""
    items = {name: _items(text) for name, text in headers.items() if "ratelimit" in name or "rate-limit" in name}
    if not items:
        return RateLimitStatus()
    told = _windows(items)
    windows = {window for window in told if _is_counted(window)}
    daily = {window.requests for window in told if window.seconds >= DAY_S}
    longest = max((window.seconds for window in windows), default=0.0)
    limits = _limits(items, now)
    exhausted = [limit for limit in limits if limit.remaining == 0]
    if len(limits) == 1 and limits[0].remaining is None:
        exhausted = limits
    quotas = [limit for limit in exhausted if limit.remaining == 0 and limit.reset_s > longest]
    rests = [min(limit.reset_s, LONGEST_REST_S, SLOWEST_S * (limit.requests or 1)) for limit in quotas]
    is_long = any(limit.reset_s >= DAY_S or limit.requests in daily for limit in quotas)
    return RateLimitStatus(
        tuple(sorted(window.counted() for window in windows)),
        max((limit.reset_s for limit in exhausted), default=None),
        max(rests, default=0.0),
        Code.QUOTA if is_long else Code.RATE_LIMITED,
    )


def _windows(items: Mapping[str, _Items]) -> set[Window]:
    """Those that are told: of each `requests;w=seconds` or `name;q=requests;w=seconds`, and of Crossref's interval."""
    told = [
        (_whole(more.get("q", value)), _seconds(more.get("w") or more.get("window", "")))
        for value, more in chain(*items.values())
        if more.get("qu", "requests") in ("request", "requests")
    ]
    for limit, interval in zip(
        items.get("x-rate-limit-limit", ()), items.get("x-rate-limit-interval", ()), strict=False
    ):
        told.append((_whole(limit[0]), _interval(interval[0])))
    return {Window(requests, seconds) for requests, seconds in told if requests and seconds}


def _is_counted(window: Window) -> bool:
    """Whether it is kept by counting."""
    return window.seconds <= PACED_S and 1 / FASTEST <= window.seconds / window.requests <= SLOWEST_S


def _limits(items: Mapping[str, _Items], now: float) -> list[_Limit]:
    """Those that say when they are reset. A limit of 0 is counted for the bill only (Brave)."""
    told: list[tuple[str, str, str]] = []
    for prefix in _PREFIXES:
        columns = [items.get(prefix + name, []) for name in ("limit", "remaining", "reset")]
        told += [(limit, left, reset) for (limit, _), (left, _), (reset, _) in zip_longest(*columns, fillvalue=_ABSENT)]
    state = items.get("ratelimit", [])
    quotas = {name: more.get("q", "") for name, more in items.get("ratelimit-policy", [])}
    told += [(quotas.get(name, ""), more["r"], more.get("t", "")) for name, more in state if "r" in more]
    if pairs := dict(value.split("=", 1) for value, _ in state if "=" in value):
        told.append((pairs.get("limit", ""), pairs.get("remaining", ""), pairs.get("reset", "")))
    found = [(_whole(limit), _whole(left), _reset(reset, now)) for limit, left, reset in told]
    return [_Limit(limit, left, reset_s) for limit, left, reset_s in found if limit != 0 and reset_s is not None]


def _items(text: str) -> _Items:
    """A structured field's list (RFC 9651 §3.1), leniently: values and their parameters, without quotes."""
    if len(text) > _LONGEST_HEADER:
        return []
    found: _Items = []
    for item in _ITEMS.findall(text)[:_MOST_ITEMS]:
        value, *more = [part.strip() for part in _PARAMETERS.findall(item)] or [""]
        pairs = (part.partition("=") for part in more)
        found.append((value.strip('"'), {name.strip().lower(): word.strip().strip('"') for name, _, word in pairs}))
    return found


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 15 else None


def _seconds(text: str) -> float | None:
    value = float(text) if _NUMBER.fullmatch(text) else None
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
