"""HTTP statuses and headers as our errors, for both clients."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any, cast

from ..contract.errors import (
    AuthFailed,
    BackendError,
    BlockedBySite,
    InvalidRequest,
    NetworkFailed,
    NotFound,
    Paywalled,
    QuotaExceeded,
    RateLimited,
    ServerFailed,
    TimedOut,
    TooLarge,
    UnexpectedResponse,
    Unsupported,
)

ENDLESS = "redirects"
"""The `UnexpectedResponse.field` of redirects without an end."""
_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")


class NotConnected(NetworkFailed):
    """No connection came about, so nothing of the request was sent."""


class ConnectionBroken(NetworkFailed):
    """The connection ended before the whole answer was there."""


class UntrustedCertificate(NetworkFailed):
    """The certificate was not accepted: a retry changes nothing."""

    @property
    def retry_helps(self) -> bool:
        """False."""
        return False


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds to wait as the other side says: a number or an HTTP date (RFC 9110 §10.2.3); None: it doesn't say.

    A date is read by the other side's own clock (`Date`), which may differ from ours.
    """
    text = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    until = _http_date(text)
    return None if until is None else max(0.0, until - clock_of(headers, now))


def clock_of(headers: Mapping[str, str], now: float) -> float:
    """What the other side's clock shows now, in seconds since the epoch; ours, where it does not say."""
    sent = _http_date(headers.get("date", ""))
    age = headers.get("age", "").strip()  # of an answer from a cache on the way (RFC 9111, §5.1)
    return now if sent is None else sent + (float(age) if _SECONDS.fullmatch(age) else 0.0)


def _http_date(text: str) -> float | None:
    try:
        moment = parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, TypeError, IndexError, OSError):  # not a date
        return None


_Meaning = tuple[Sequence[int], type[BackendError], str]
_BOTH: tuple[_Meaning, ...] = (
    ((408, 504), TimedOut, "ran out of time"),
    ((413,), TooLarge, "says that the request is too large"),
    ((429,), RateLimited, "asks us to slow down"),
    ((501, 505), Unsupported, "does not know this kind of request"),
    (range(500, 1000), ServerFailed, "failed"),
    (range(400, 500), InvalidRequest, "did not accept the request"),
)
"""The first row with the status counts."""
_OF_A_SITE: tuple[_Meaning, ...] = (
    ((204, 205), NotFound, "answered that it has nothing to show here"),
    ((401, 403, 407, 999), BlockedBySite, "does not let us read this page"),  # 999: LinkedIn's own
    ((402,), Paywalled, "wants payment for this page"),
    ((404, 410), NotFound, "has no such page"),
    ((406, 415), Unsupported, "does not offer this page in a form that we read"),
    ((425,), ServerFailed, "is not ready to answer"),
    ((451,), BlockedBySite, "may not show this page for legal reasons"),
    *_BOTH,
)
_OF_AN_ENGINE: tuple[_Meaning, ...] = (
    ((401, 403), AuthFailed, "refused the credentials: check the key and the base address"),
    ((402,), QuotaExceeded, "says that credits or calls are used up"),
    ((404, 410), NotFound, "has nothing at this address"),
    *_BOTH,
)
_MAY_SAY_WHEN = (RateLimited, ServerFailed, QuotaExceeded)


def of_site(status: int, headers: Mapping[str, str], now: float) -> BackendError | None:
    """What a page's status means for its reader; None for those that bring a document."""
    if status >= 300 and headers.get("cf-mitigated") == "challenge":
        return BlockedBySite("the site asks for a browser check")
    error = _error("the site", _OF_A_SITE, status, headers, now)
    if error is None and not 200 <= status < 300:
        return UnexpectedResponse("status", "the site answered with a status that brings no document")
    if isinstance(error, InvalidRequest):  # nothing of the request is the caller's but the address
        error.next_step = "check the address, or use another source"
    return error


def of_engine(status: int, headers: Mapping[str, str], now: float) -> BackendError | None:
    """What an engine's status means where its plugin doesn't know better; None for 2xx."""
    error = _error("the engine", _OF_AN_ENGINE, status, headers, now)
    if error is None and not 200 <= status < 300:
        detail = "the engine redirects, and redirects are never followed here: set the base address to where it points"
        return UnexpectedResponse("status", detail)
    if isinstance(error, NotFound):
        error.next_step = "use another backend; the operator must check the engine's base address"
    return error


def _error(
    side: str, meanings: Iterable[_Meaning], status: int, headers: Mapping[str, str], now: float
) -> BackendError | None:
    for statuses, kind, what in meanings:
        if status in statuses:
            wait_s = retry_after(headers, now) if issubclass(kind, _MAY_SAY_WHEN) else None
            return kind(f"{side} {what}", retry_after=wait_s)
    return None


def of_exception(error: BaseException, now: float) -> BackendError | None:
    """What a vendor's SDK raised this over: an error of ours, or an answer's status; None: neither."""
    causes: list[BaseException] = [error]
    while (above := causes[-1].__cause__) is not None and above not in causes:
        causes.append(above)
    for one in causes:
        if isinstance(one, BackendError):
            return one
        response: Any = getattr(one, "response", None)
        status, headers = getattr(response, "status_code", None), getattr(response, "headers", None)
        if isinstance(status, int) and isinstance(headers, Mapping):
            given = cast("Mapping[str, str]", headers)
            return of_engine(status, {name.lower(): value for name, value in given.items()}, now)
    return None
