"""Opening an address: fetchers in order, extractors by media type; each guarded, each step in the trail."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from ...contract.errors import AllSourcesFailed, BackendError, Code, Failure, Refused, TimedOut, Unsupported
from ...contract.interfaces import Extractor, Fetcher
from ...contract.models import Caller, Download, FetchRequest, Page
from ...contract.outline import content_hash, outline_of
from ...contract.verdicts import Decision
from ...net.domains import DomainRules
from ...net.urls import parse
from ..source.answer_cache import ONLY_CACHE, CachedPage, missed
from ..source.failure_values import as_failure, declared
from ..source.guarded_source import CallReport, GuardedSource, Guards
from .cache_control import UNSAID, confirmed, freshness_of, selection
from .extraction import ExtractorChain
from .render_policy import no_browser, remedied, to_render, unrendered
from .revalidation import renewed, validators

NOT_MODIFIED = 304
_FINAL = frozenset((Code.REFUSED, Code.BLOCKED_BY_FILTER))
_ABOUT_THE_PAGE = frozenset(
    (Code.NOT_FOUND, Code.PAYWALLED, Code.BLOCKED_BY_SITE, Code.NEEDS_RENDERING, Code.TOO_LARGE, Code.UNSUPPORTED)
)


Permit = Callable[[str], Awaitable[None]]
"""Raises `Refused` where an address's site does not let programs read it."""


async def anything(url: str) -> None:
    """Every site lets us read everything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Given(CallReport):
    document: Download | Page


@dataclass(frozen=True, slots=True)
class Attempt:
    """One reading under way."""

    request: FetchRequest
    kept: CachedPage | None
    allowed: DomainRules
    deadline: Callable[[], float | None]
    trail: list[Decision] = field(default_factory=list[Decision])


class FetcherChain:
    """Asks fetchers for an address, one after the other. Safe for any number of attempts at once."""

    def __init__(
        self,
        fetchers: Sequence[Fetcher],
        extractors: Sequence[Extractor],
        guards: Guards,
        is_at_home: Callable[[str], bool],
        permit: Permit,
    ) -> None:
        """An address for which `is_at_home` is true goes to no remote fetcher.

        `permit` is called for requests that obey robots.txt, before any fetcher but one that holds copies is asked.
        """
        self._permit = permit
        self._fetchers = tuple(fetchers)
        self._is_at_home = is_at_home
        self._extraction = ExtractorChain(extractors)
        self._timeout_s = guards.settings.backend_timeout_s
        self._clock = guards.clock
        self.sources: Mapping[str, GuardedSource] = {
            fetcher.name: guards.of_fetcher(fetcher) for fetcher in self._fetchers
        }
        """Fetcher → what stands before it."""

    async def page(self, attempt: Attempt) -> CachedPage:
        """The first page that a fetcher and an extractor make. Raises as `PageReader.fetch`."""
        errors: dict[str, BackendError] = {}
        declined: list[Failure] = []
        permitted = not attempt.request.obey_robots
        for fetcher, request in self._turns(attempt.request, errors):
            if reason := self._passed_over(fetcher, request, errors):
                declined.append(reason)
                attempt.trail.append(Decision(stage="ask", by=fetcher.name, outcome="skip"))
                continue
            if not (permitted or fetcher.stored):
                await self._permit(request.url)
                permitted = True
            try:
                found = await self._asked(fetcher, attempt, request)
            except BackendError as error:
                attempt.trail.append(Decision(stage="ask", by=fetcher.name, outcome="fail", reason=error.code))
                if error.code in _FINAL:
                    raise
                errors[fetcher.name] = remedied(error, attempt.request, self._fetchers)
            else:
                attempt.trail.append(Decision(stage="ask", by=fetcher.name, outcome="answer"))
                return found.model_copy(update={"trail": tuple(attempt.trail)})
        if len(errors) == 1:
            raise next(iter(errors.values()))
        if errors:
            raise AllSourcesFailed(most_telling_first([as_failure(name, error) for name, error in errors.items()]))
        if attempt.request.max_age_hours == ONLY_CACHE:
            raise missed()
        if to_render(attempt.request) and not declined:
            raise no_browser()
        raise AllSourcesFailed(tuple(declined))

    def _turns(
        self, request: FetchRequest, errors: Mapping[str, BackendError]
    ) -> Iterator[tuple[Fetcher, FetchRequest]]:
        """Fetchers that may be asked, in order, each with its request; those that mend what others could not come last.

        Where each browser said that there is nothing to render, the ordinary ways are left.
        """
        if request.max_age_hours == ONLY_CACHE:
            yield from ((fetcher, request) for fetcher in self._fetchers if fetcher.stored)
            return
        if to_render(request):
            yield from ((fetcher, request) for fetcher in self._fetchers if fetcher.renders)
            if not errors or any(error.code is not Code.UNSUPPORTED for error in errors.values()):
                return
            request = request.model_copy(update={"render": "never", "screenshot": False})
        asked = [fetcher for fetcher in self._fetchers if request.render != "never" or not fetcher.renders]
        yield from ((fetcher, request) for fetcher in sorted(asked, key=lambda fetcher: bool(fetcher.mends)))

    def _passed_over(
        self, fetcher: Fetcher, request: FetchRequest, errors: Mapping[str, BackendError]
    ) -> Failure | None:
        """Why this fetcher is not asked; None: it is."""
        if fetcher.remote and self._is_at_home(request.url):
            return Failure(fetcher.name, Code.REFUSED, "addresses of your own network are told to nobody")
        mends = fetcher.mends and not to_render(request)
        if mends and not any(error.code in fetcher.mends for error in errors.values()):
            return Failure(fetcher.name, Code.UNSUPPORTED, "there is nothing that it could mend")
        if not declared(fetcher.name, lambda: fetcher.can_fetch(request), instead=False):
            return Failure(fetcher.name, Code.UNSUPPORTED, "it does not take this address")
        return None

    def chosen(self, kept: CachedPage, request: FetchRequest) -> bool:
        """Whether the site would have chosen the kept page for this request, too (RFC 9111, §4.1)."""
        by = next((fetcher for fetcher in self._fetchers if fetcher.name == kept.by), None)
        return by is None or selection(kept.said.vary, _sent(by, request)) == kept.selection

    async def _asked(self, fetcher: Fetcher, attempt: Attempt, request: FetchRequest) -> CachedPage:
        kept, instead = attempt.kept, request is not attempt.request
        request = validators(request, kept, fetcher.name)

        async def ask(caller: Caller) -> _Given:
            document = await fetcher.fetch(request.model_copy(update={"caller": caller}))
            if isinstance(document, Page):
                return _Given(document=document, cost=document.cost, units=document.units)
            if not isinstance(document, Download):  # pyright: ignore[reportUnnecessaryIsInstance] - untyped plugins
                raise TypeError("neither a download nor a page")
            return _Given(document=document)

        document = (await self.sources[fetcher.name].call(ask, request.caller, attempt.deadline(), "fetch")).document
        said, renewing = UNSAID, False
        if isinstance(document, Page):
            if request.raw:
                raise Unsupported("it gives pages, and no raw documents")
            page = self._whole(document, request)
        elif renewing := document.status == NOT_MODIFIED:
            said = confirmed(kept.said, document.headers) if kept else UNSAID
            page = renewed(kept, request, document)
        else:
            said = freshness_of(document.headers, document.redirects)
            page = await self.extracted(document, attempt.trail, attempt.deadline(), raw=request.raw)
        # The guarded client judges redirects; a remote fetcher follows its own.
        if attempt.allowed and not attempt.allowed.matches(parse(page.reached).host):
            raise Refused("not in allowlist: the address led to another site")
        if fetcher.remote and request.obey_robots and page.reached != request.url:
            await self._permit(parse(page.reached).url)
        return CachedPage(
            written=self._clock.now(),
            page=unrendered(page) if instead else page,
            said=said,
            by=fetcher.name,
            selection=selection(said.vary, _sent(fetcher, request)),
            renewed=renewing,
            stored=fetcher.stored,
        )

    async def extracted(
        self, download: Download, trail: list[Decision], deadline: float | None, *, raw: bool = False
    ) -> Page:
        """What an installed extractor makes of these bytes, in time. Raises `BackendError`."""
        import anyio

        left = self._timeout_s if deadline is None else deadline - self._clock.monotonic()
        seconds = min(self._timeout_s, left)
        with anyio.move_on_after(seconds):
            return await self._extraction.page(download, trail, raw=raw, seconds=seconds)
        raise TimedOut("the document could not be read in time")

    def _whole(self, page: Page, request: FetchRequest) -> Page:
        """A remote fetcher's page, as complete as one of ours."""
        changes: dict[str, object] = {
            "url": request.url,
            "final_url": page.final_url or page.url,
            "fetched_at": page.fetched_at or datetime.fromtimestamp(self._clock.now(), UTC),
        }
        if not page.content_hash:
            changes |= {"content_hash": content_hash(page.body), "outline": page.outline or outline_of(page.body)}
        return page.model_copy(update=changes)


def most_telling_first(failures: Sequence[Failure]) -> tuple[Failure, ...]:
    """Those that are about the page come first: what failed on the way says less."""
    return tuple(sorted(failures, key=lambda failure: not _is_about_page(failure)))


def _is_about_page(failure: Failure) -> bool:
    """An engine that has nothing at its own address says so with advice of its own, and nothing of the page."""
    return failure.code in _ABOUT_THE_PAGE and not (failure.code is Code.NOT_FOUND and failure.next_step)


def _sent(fetcher: Fetcher, request: FetchRequest) -> Mapping[str, str]:
    return declared(fetcher.name, lambda: fetcher.sends(request), {})
