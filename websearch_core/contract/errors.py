"""Whose fault it is, what to do next, and whether a retry helps.

Every message in this module is constant text: no provider's body, no key, no query, no page text ever enters one.
"""

from __future__ import annotations

from enum import StrEnum
from math import inf
from typing import ClassVar, NamedTuple, Self

LONGEST_WAIT_S = 32 * 86_400.0
"""A month: no limit lasts longer, so a longer wait is taken to mean this one."""


class Advice(NamedTuple):
    """What a reader of a code should know: what happened, what to do next, whether the same call may work later."""

    meaning: str
    next_step: str
    retry_helps: bool


class Code(StrEnum):
    """The one vocabulary of failure: in trails, tool errors, fetch rows and logs alike."""

    advice: Advice

    def __new__(cls, value: str, meaning: str, next_step: str, retry_helps: bool = False) -> Self:
        """A code and what its readers should know; in most cases a retry does not help."""
        code = str.__new__(cls, value)
        code._value_ = value
        code.advice = Advice(meaning, next_step, retry_helps)
        return code

    RATE_LIMITED = "rate_limited", "too many requests", "wait, then ask again", True
    QUOTA = "quota", "the account's quota is used up", "use another backend or add credit"
    AUTH = "auth", "the credentials were refused", "the operator must set a valid key"
    PLAN = "plan", "the account's plan lacks this", "use another backend or change the plan"
    INVALID_REQUEST = "invalid_request", "the request was not accepted", "change the arguments"
    REFUSED = "refused", "policy forbids this address", "use another public address"
    BLOCKED_BY_FILTER = "blocked_by_filter", "blocked by safety filters", "leave the sensitive part out"
    BLOCKED_BY_SITE = "blocked_by_site", "the site refused or challenged us", "use another source"
    PAYWALLED = "paywalled", "the page asks for payment", "use another source"
    NEEDS_RENDERING = "needs_rendering", "the page is empty without a browser", "use another source"
    NOT_FOUND = "not_found", "nothing is there", "check the address or search for it"
    DRIFT = "drift", "the answer was not of the documented form", "use another source"
    TIMEOUT = "timeout", "no answer in time", "try again or use another source", True
    NETWORK = "network", "no connection", "check the address, then try again", True
    SERVER = "server", "the other side failed", "try again later", True
    TOO_LARGE = "too_large", "larger than the limit", "ask for a smaller part"
    UNSUPPORTED = "unsupported", "this kind of content is not supported", "use another source"


class Unjudged(NamedTuple):
    """Why there is no verdict: the filter, or what it asks, failed; nothing was found wrong."""

    retry_helps: bool = True
    retry_after: float | None = None
    """Seconds."""
    next_step: str = ""

    @property
    def advice(self) -> Advice:
        """What its code says is of what was found: here the filter is what to look at."""
        step = f"try again; if it stays so, {_MEND}" if self.retry_helps else _MEND
        return Advice("blocked by safety filters", self.next_step or step, self.retry_helps)


_MEND = "the operator must look at the filter: the request is not at fault"


class WebsearchError(Exception):
    """Anything that websearch raises on purpose."""


def cause(error: Exception) -> str:
    """What a log says of whatever a store raises: our own words (a full disk, and where); of others only the type."""
    return str(error) if isinstance(error, WebsearchError) else type(error).__name__


class StartupError(WebsearchError):
    """The operator's mistake, found at startup. The text names culprit and remedy; the CLI prints it and exits 2."""


class MissingSetting(StartupError):
    """A plugin lacks a setting that it needs. A backend or fetcher is then listed as off; a filter stops the start."""

    def __init__(self, plugin: str, names: tuple[str, ...], remedy: str = "", *, left_alone: bool = False) -> None:
        """`names` are environment variables, the form in which an operator would set them; `remedy`: what else helps.

        `left_alone`: the plugin is not configured at all, so a filter is off, too; an operator who needs it says so in
        `[chain] require`, or `trust` for a trust policy.
        """
        self.plugin = plugin
        self.names = names
        self.left_alone = left_alone
        super().__init__(f"{', '.join(names)} not set" + (f": {remedy}" if remedy else ""))


class BackendError(WebsearchError):
    """A source could not answer: raised by backends, fetchers, extractors and both clients of the network.

    `detail` is constant text written by the author: it is shown to operators and models, so it never holds a
    provider's body, a key, a query or page text. `retry_after` is in seconds, and whatever the other side says, at
    most a month; None for what is no time. Use a subclass; each has one `code`.
    """

    code: ClassVar[Code] = Code.SERVER
    unsent: bool = False
    """Whether our own client held the request back: it cost nothing and says nothing of the source."""
    resting: bool = False
    """Whether the source was not asked, since it rests after an earlier failure of this code."""
    next_step: str = ""
    """What to do, where more is known than its code says."""
    rest_s: float = inf
    """How long its source rests at most, where what it wants is mended elsewhere than in our settings."""

    def __init__(self, detail: str = "", *, retry_after: float | None = None) -> None:
        self.detail = detail or self.advice.meaning
        self.retry_after = retry_after
        super().__init__(self.detail)

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait before the next try, as far as the other side said."""
        return self._retry_after

    @retry_after.setter
    def retry_after(self, seconds: float | None) -> None:
        # false for NaN, too, and for ever is no time to wait
        self._retry_after = min(seconds, LONGEST_WAIT_S) if seconds is not None and 0 <= seconds < inf else None

    @property
    def advice(self) -> Advice:
        """What a reader should know: as its code says, unless the class knows better."""
        advice = self.code.advice
        return advice._replace(next_step=self.next_step) if self.next_step else advice

    @property
    def retry_helps(self) -> bool:
        """Whether the same call may succeed later without anybody changing anything."""
        return self.advice.retry_helps


class RateLimited(BackendError):
    """HTTP 429 and its like; `retry_after` when the other side said it."""

    code = Code.RATE_LIMITED


class RateBudgetExceeded(RateLimited):
    """Our own pacing: its turn would come too late; nothing was sent."""

    unsent = True

    def __init__(self, *, retry_after: float) -> None:
        super().__init__("its turn would come too late for this request, so nothing was sent", retry_after=retry_after)


class QuotaExceeded(BackendError):
    """Credits or the month's calls are used up."""

    code = Code.QUOTA


class AuthFailed(BackendError):
    """The key is missing, wrong or revoked."""

    code = Code.AUTH


class PlanMismatch(BackendError):
    """The key is good; its plan does not include this call."""

    code = Code.PLAN


class InvalidRequest(BackendError):
    """The other side says that the request is malformed; asking again unchanged is useless."""

    code = Code.INVALID_REQUEST


class Refused(BackendError):
    """Our own policy forbids it: address class, allowlist, scheme. Final: no other source is asked."""

    code = Code.REFUSED


class BlockedByFilter(BackendError):
    """A filter said no, or could not judge. `by` names it; the text always holds `blocked by safety filters`.

    `left` is False where it stopped the request itself: nothing left this machine, and no message repeats
    what was in it. `unjudged`: it could not judge.
    """

    code = Code.BLOCKED_BY_FILTER

    def __init__(self, detail: str = "", *, by: str = "", left: bool = True, unjudged: Unjudged | None = None) -> None:
        self.by = by
        self.left = left
        self.unjudged = unjudged
        phrase = self.code.advice.meaning
        after = unjudged and unjudged.retry_after
        super().__init__(f"{phrase}: {detail}" if detail and phrase not in detail else detail, retry_after=after)

    @property
    def advice(self) -> Advice:
        """Where there was no verdict, what helps against that."""
        return self.unjudged.advice if self.unjudged else super().advice


class BlockedBySite(BackendError):
    """CAPTCHA, challenge, 401, 403: the site does not want this visitor."""

    code = Code.BLOCKED_BY_SITE


class Paywalled(BackendError):
    """The page wants payment."""

    code = Code.PAYWALLED


class NeedsRendering(BackendError):
    """The page is an empty shell until its scripts run."""

    code = Code.NEEDS_RENDERING


class NotFound(BackendError):
    """404, 410, or a cache-only request for what is not in the cache."""

    code = Code.NOT_FOUND


class UnexpectedResponse(BackendError):
    """The answer does not look as documented. `field` names what was missing or of the wrong type."""

    code = Code.DRIFT

    def __init__(self, field: str, detail: str = "") -> None:
        self.field = field
        super().__init__(detail or f"the answer's field {field} is not as documented")


class TimedOut(BackendError):
    """The deadline passed."""

    code = Code.TIMEOUT


class NetworkFailed(BackendError):
    """No connection, no such host, TLS failure, a connection cut short."""

    code = Code.NETWORK


class ServerFailed(BackendError):
    """5xx."""

    code = Code.SERVER


class TooLarge(BackendError):
    """More bytes than the cap allows."""

    code = Code.TOO_LARGE


class Unsupported(BackendError):
    """A media type, encoding or option that nothing here can handle."""

    code = Code.UNSUPPORTED


def of_code(code: Code, detail: str, retry_after: float | None = None, next_step: str = "") -> BackendError:
    """An error of this code, as it was kept in a trail or a cache."""
    kind = next(kind for kind in BackendError.__subclasses__() if kind.code is code)
    error = kind("", detail) if issubclass(kind, UnexpectedResponse) else kind(detail)
    error.retry_after = retry_after
    error.next_step = next_step
    return error


class AllSourcesFailed(WebsearchError):
    """Every source that was asked failed. `failures` names each with its code, in the order of asking."""

    def __init__(self, failures: tuple[Failure, ...]) -> None:
        self.failures = failures
        super().__init__("; ".join(f"{f.source}: {f.code} ({f.detail})" for f in failures) or "no source is configured")

    @property
    def code(self) -> Code:
        """Of the failure that tells most: the first."""
        return self.failures[0].code if self.failures else Code.UNSUPPORTED


class Failure(NamedTuple):
    """One source's failure, ready to be shown."""

    source: str
    code: Code
    detail: str
    retry_after: float | None = None
    retry: bool | None = None
    """What the error itself said of a retry; None: as its code says."""
    next_step: str = ""
    """Where the advice of its code does not fit, the error's own; then `detail` alone says what happened."""
    resting: bool = False
    """The source was not asked, since it rests after an earlier failure of this code."""

    @property
    def retry_helps(self) -> bool:
        """Whether the same call may succeed later without anybody changing anything."""
        return self.code.advice.retry_helps if self.retry is None else self.retry
