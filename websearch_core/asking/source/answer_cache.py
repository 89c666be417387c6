"""Answers kept in the store: for how long, for whom, and how old they may be.

Kept are raw answers, as the sources gave them: they are inspected again each time, so a changed filter works at once.
A cache that cannot be read or written in time is logged and otherwise the same as an empty one.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from math import inf
from typing import Any, TypeVar
from urllib.parse import quote

from pydantic import Field, ValidationError

from ...contract.errors import BackendError, Code, Failure, of_code
from ...contract.fields import Value
from ...contract.interfaces import Clock, Store
from ...contract.models import FetchRequest, Hit, Page, SearchRequest
from ...contract.verdicts import Decision
from ...settings.configuration import ChainSettings
from ...stores.resilient import ResilientStore
from ..read.cache_control import UNSAID, Freshness

logger = logging.getLogger(__name__)

SHAPE = 3
"""Part of every key: raised when the kept form changes its meaning."""
KEEP_STALE_S = 24 * 3600.0
"""How long a page stays after its time, to be asked for again with `If-None-Match` or as an old copy on demand."""
PATIENCE_S = 0.5
"""A store that takes longer has failed: the cache is there to save time."""
CONTINUED_S = 900.0
"""How long a page that is read in pieces stays the same, whatever its site says."""
STORE_AGAIN_S = 30.0
"""A store that has failed is left alone this long."""
ONLY_CACHE = -1
MISS = "not in the cache"
ASK_LIVE = "ask without max_age_hours = -1"
"""The next step after a miss."""

# Never kept: policy and filters may judge the next caller otherwise.
_NEVER = frozenset((Code.REFUSED, Code.BLOCKED_BY_FILTER))


class CachedValue(Value):
    """Anything in the cache."""

    written: float
    """Seconds since the epoch: when the source was asked."""
    failures: tuple[Failure, ...] = ()
    """Not empty: the sources failed, and this is what they said."""
    said: Freshness = UNSAID
    """What the site says of its age."""
    brief: bool = Field(default=False, exclude=True)
    """Not worth keeping for long: empty, or without those who should have answered."""


class CachedSearch(CachedValue):
    """An answered search."""

    hits: tuple[Hit, ...] = ()
    notes: tuple[str, ...] = ()
    backends: tuple[str, ...] = ()
    """Those that answered, in the order of asking."""
    trail: tuple[Decision, ...] = ()
    cost: float | None = Field(default=None, exclude=True)
    """What the backends said that it cost, added up; None: nothing was said, or it came from the cache."""
    age: float | None = Field(default=None, exclude=True)
    """Seconds since the backends were asked; None: just now."""

    @property
    def cached(self) -> bool:
        """Whether it came from the cache."""
        return self.age is not None


class CachedPage(CachedValue):
    """A read page."""

    page: Page | None = None
    by: str = ""
    """The fetcher that gave it."""
    selection: str = ""
    """What its site chose it by, of what that fetcher sent."""
    trail: tuple[Decision, ...] = ()
    renewed: bool = Field(default=False, exclude=True)
    """The site has just confirmed an older copy."""
    stored: bool = Field(default=False, exclude=True)
    """It is a copy that a fetcher holds."""


K = TypeVar("K", bound=CachedValue)


def key_of(request: SearchRequest | FetchRequest, sources: Sequence[Any]) -> str:
    """The key of everything that changes the answer: the request, the sources and how they are asked, the tenant.

    Of a page also the filter families: they screen redirects, so they decide where its text comes from. The rest of
    the caller, `max_age_hours`, `continued` and validators do not: they choose among answers.
    """
    kind = "search" if isinstance(request, SearchRequest) else "page"
    families = {} if kind == "search" else dict(request.caller.families)
    asked = request.model_dump_json(exclude={"caller", "max_age_hours", "continued", "etag", "last_modified"})
    tenant = request.caller.tenant
    whole = json.dumps([SHAPE, kind, tenant, families, list(sources), asked], separators=(",", ":"), sort_keys=True)
    digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{kind}:{quote(tenant, safe='')}:{digest}"


class AnswerCache:
    """Kept answers of one kind."""

    def __init__(self, store: Store, clock: Clock, settings: ChainSettings) -> None:
        self._store = ResilientStore(
            store,
            clock,
            "skip",
            "answers are neither kept nor reused for a while",
            patience_s=PATIENCE_S,
            again_s=STORE_AGAIN_S,
        )
        self._clock = clock
        self._settings = settings
        self._read_from = -inf
        """What was written until then, in seconds since the epoch, may be something that should have been forgotten."""

    async def read(self, key: str, form: type[K]) -> K | None:
        """What is kept, however old, or None. Never raises."""
        raw = await self._store.get(key)
        if raw is None:
            return None
        try:
            kept = form.model_validate_json(raw)
        except ValidationError:
            logger.warning("the cache holds an entry of another form; it is ignored")
            return None
        return kept if kept.written > self._read_from else None

    def age(self, kept: CachedValue) -> float:
        """Seconds since the source was asked."""
        return max(0.0, self._clock.now() - kept.written)

    def serves(self, kept: CachedValue, max_age_hours: int | None) -> bool:
        """Whether the caller accepts it. -1 accepts any age, but no failure: that would be no copy."""
        if max_age_hours == ONLY_CACHE:
            return not kept.failures
        return self.age(kept) < self._limit(kept, max_age_hours)

    def continues(self, kept: CachedValue, max_age_hours: int | None) -> bool:
        """Whether the caller may have more of it after a first piece; a caller's own wish goes before."""
        return max_age_hours is None and not kept.failures and self.age(kept) < CONTINUED_S

    def serves_meanwhile(self, kept: CachedValue, max_age_hours: int | None) -> bool:
        """Whether the caller may have it once more while the site is asked; only where that site says so."""
        fresh_s = self._limit(kept, None)
        return max_age_hours is None and not kept.said.strict and self.age(kept) < fresh_s + kept.said.while_s

    def serves_instead(self, kept: CachedValue, max_age_hours: int | None) -> bool:
        """Whether the caller may have it because the site cannot be asked."""
        said = kept.said
        if kept.failures or said.strict or max_age_hours == 0:
            return False
        seconds = 0.0
        if max_age_hours is None:
            most = self._settings.stale_if_error_s
            seconds = most if said.on_error_s is None else min(most, said.on_error_s)
        return self.age(kept) < self._limit(kept, max_age_hours) + seconds

    def _limit(self, kept: CachedValue, max_age_hours: int | None) -> float:
        """Seconds. A caller's word goes before the site's, unless the site insists."""
        said = kept.said
        limit = self._settings.cache_ttl_s if max_age_hours is None else max_age_hours * 3600.0
        if said.fresh_s is not None and (max_age_hours is None or said.strict):
            limit = min(limit, said.fresh_s)
        return limit

    async def keep(self, key: str, kept: CachedValue) -> None:
        """Write it, for as long as its kind deserves. Never raises.

        Where the site wants nothing written down, what was kept before goes as well.
        """
        if not kept.said.kept:
            await self.forget(key)
        elif (seconds := self._lifetime(kept)) > 0:
            try:
                raw = kept.model_dump_json(exclude_defaults=True).encode()
            except ValueError as error:  # half a surrogate pair, for one
                logger.warning("an answer cannot be kept: %s", type(error).__name__)
            else:
                await self._store.set(key, raw, seconds)

    async def forget(self, key: str) -> None:
        """Nothing of it is read from now on. Never raises."""
        await self._store.delete(key)
        if self._store.resting:  # it may still hold it, so nothing that old is read any more
            self._read_from = self._clock.now()

    def _lifetime(self, kept: CachedValue) -> float:
        """Seconds; 0: not to be kept.

        Failures are kept when a retry would help no source, and no longer than the shortest `Retry-After`; a rate
        limit may have been the caller's own haste, and the breaker remembers it. What our own policy or a filter said
        is never kept.
        """
        usual, brief = self._settings.cache_ttl_s, min(self._settings.negative_ttl_s, self._settings.cache_ttl_s)
        if not kept.failures and not kept.brief:
            return usual + KEEP_STALE_S if usual > 0 and isinstance(kept, CachedPage) else usual
        if any(failure.code in _NEVER or failure.retry_helps for failure in kept.failures):
            return 0.0
        waits = (failure.retry_after for failure in kept.failures if failure.retry_after is not None)
        return min((brief, *waits))


def missed() -> BackendError:
    """The error for a caller who wants a copy alone."""
    return of_code(Code.NOT_FOUND, MISS, next_step=ASK_LIVE)
