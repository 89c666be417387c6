"""Reading one address: from the cache, or by asking once for all callers that want it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence

from ...contract.errors import AllSourcesFailed, BackendError, Code, Failure, of_code
from ...contract.fields import Value
from ...contract.interfaces import Extractor, Fetcher, Store
from ...contract.models import Download, FetchRequest, Page
from ...contract.verdicts import Decision
from ...net.domains import DomainRules, compiled
from ..source.answer_cache import ONLY_CACHE, AnswerCache, CachedPage, key_of, missed
from ..source.failure_values import as_failure
from ..source.guarded_source import GuardedSource, Guards
from ..source.single_flight import SharedCall, SingleFlight
from .fetcher_chain import Attempt, FetcherChain, Permit, anything

log = logging.getLogger(__name__)
NO_PICTURE = "no picture of the page could be taken"


class ReadPage(Value):
    """One page that was read."""

    page: Page
    notes: tuple[str, ...] = ()
    trail: tuple[Decision, ...] = ()
    cached: bool = False
    age: float | None = None
    """Seconds since the source was asked or last confirmed the copy, when cached."""


class PageReader:
    """Reads addresses with the first fetcher that can. Safe for any number of readings at once."""

    def __init__(
        self,
        fetchers: Sequence[Fetcher],
        extractors: Sequence[Extractor],
        guards: Guards,
        store: Store,
        *,
        is_at_home: Callable[[str], bool] = lambda _: False,
        permit: Permit = anything,
    ) -> None:
        """An address for which `is_at_home` is true goes to no remote fetcher; `permit` asks robots.txt."""
        self._fetchers = tuple(fetchers)
        self._timeout_s = guards.settings.backend_timeout_s
        self._clock = guards.clock
        self._cache = AnswerCache(store, guards.clock, guards.settings)
        self._flight = SingleFlight[ReadPage](guards.clock)
        self._renewing: dict[str, asyncio.Task[None]] = {}
        self._chain = FetcherChain(fetchers, extractors, guards, is_at_home, permit)
        self.sources: Mapping[str, GuardedSource] = self._chain.sources
        """Fetcher → what stands before it."""

    async def fetch(self, request: FetchRequest) -> ReadPage:
        """The page from the cache or a fetcher; `request.etag` and `last_modified` are ours to fill in.

        Raises `BackendError` (`Refused` and `BlockedByFilter` at once), or `AllSourcesFailed`: several fetchers failed,
        or none takes this address.
        """
        allowed = compiled(request.allowed_domains)
        key = key_of(request, [fetcher.name for fetcher in self._fetchers])
        age = request.max_age_hours
        kept = await self._cache.read(key, CachedPage) if age != 0 else None
        if kept is not None and self._chain.chosen(kept, request):
            if self._cache.serves(kept, age) or (request.continued and self._cache.continues(kept, age)):
                return _read(kept, self._cache.age(kept))
            if self._cache.serves_meanwhile(kept, age):
                self._renew(key, request, kept, allowed)
                return _read(kept, self._cache.age(kept))
        else:
            kept = None
        if age == ONLY_CACHE and not any(fetcher.stored for fetcher in self._fetchers):
            raise missed()

        try:
            return await self._asking(key, request, kept, allowed)
        except (BackendError, AllSourcesFailed) as error:
            if kept is None or not _passing(error) or not self._cache.serves_instead(kept, age):
                raise
            note = f"the site could not be asked ({error.code}), so this is an older copy"
            return _read(kept, self._cache.age(kept), note)

    async def extract(self, download: Download, deadline: float | None, *, raw: bool = False) -> ReadPage:
        """The page of bytes that are there. Raises `BackendError`."""
        trail: list[Decision] = []
        page = await self._chain.extracted(download, trail, deadline, raw=raw)
        return ReadPage(page=page, trail=tuple(trail))

    async def _asking(self, key: str, request: FetchRequest, kept: CachedPage | None, allowed: DomainRules) -> ReadPage:
        """Ask the sources, once for all callers that want the same at the same time."""

        async def work(call: SharedCall[ReadPage]) -> ReadPage:
            return await self._fresh(key, Attempt(request, kept, allowed, lambda: call.deadline))

        return await self._flight.run(f"{key}:{request.max_age_hours}", request.caller.deadline, work)

    def _renew(self, key: str, request: FetchRequest, kept: CachedPage, allowed: DomainRules) -> None:
        """Ask in the background, where no caller waits; what fails is asked again by the next caller."""
        if key in self._renewing:
            return
        caller = request.caller.model_copy(update={"deadline": self._clock.monotonic() + self._timeout_s})
        request = request.model_copy(update={"caller": caller})

        async def renew() -> None:
            try:
                await self._asking(key, request, kept, allowed)
            except (BackendError, AllSourcesFailed):
                pass
            except Exception as error:  # noqa: BLE001 - asyncio would print what it quotes
                log.error("a page could not be renewed (%s)", type(error).__name__)  # noqa: TRY400 - as above

        task = self._renewing[key] = asyncio.create_task(renew())
        task.add_done_callback(lambda _: self._renewing.pop(key, None))

    async def aclose(self) -> None:
        """Stop what goes on in the background."""
        tasks = list(self._renewing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _fresh(self, key: str, attempt: Attempt) -> ReadPage:
        try:
            read = await self._chain.page(attempt)
        except (BackendError, AllSourcesFailed) as error:
            if attempt.request.max_age_hours == ONLY_CACHE:
                raise missed() from None
            failures = failures_of(error)
            if any(failure.code is Code.REFUSED and not failure.retry_helps for failure in failures):
                await self._cache.forget(key)  # what must not be asked for any more is not shown for longer, either
            if any(failure.code is not Code.UNSUPPORTED for failure in failures):
                await self._cache.keep(key, CachedPage(written=self._clock.now(), failures=failures))
            raise
        pictured, page = attempt.request.screenshot, _page(read)
        if not read.stored and not pictured:
            await self._cache.keep(key, read)
        notes = (NO_PICTURE,) if pictured and not page.screenshot else ()
        age = 0.0 if read.renewed else None
        return ReadPage(page=page, notes=notes, trail=read.trail, cached=read.renewed, age=age)


def _passing(error: BackendError | AllSourcesFailed) -> bool:
    """Whether what failed may work again later, for every source."""
    return all(failure.retry_helps for failure in failures_of(error))


def failures_of(error: BackendError | AllSourcesFailed) -> tuple[Failure, ...]:
    """What failed, source by source."""
    return error.failures if isinstance(error, AllSourcesFailed) else (as_failure("", error),)


def _page(kept: CachedPage) -> Page:
    """Raises what the fetchers said when that is what was kept."""
    if kept.page is not None:
        return kept.page
    first = kept.failures[0]
    if first.source:
        raise AllSourcesFailed(kept.failures)
    raise of_code(first.code, first.detail, first.retry_after, first.next_step)


def _read(kept: CachedPage, age: float, *notes: str) -> ReadPage:
    """What comes from the cache."""
    page = _page(kept).model_copy(update={"age": age, "cost": None})
    trail = (Decision(stage="ask", by="cache", outcome="answer"), *kept.trail)
    return ReadPage(page=page, notes=notes, trail=trail, cached=True, age=age)
