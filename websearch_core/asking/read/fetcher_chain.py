"""Who opens an address: fetchers in order, extractors by media type; each guarded, all explained."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from ...contract.errors import (
    AllSourcesFailed,
    BackendError,
    Code,
    Failure,
    Refused,
    TimedOut,
    Unsupported,
)
from ...contract.interfaces import Clock, Extractor, Fetcher
from ...contract.models import Caller, Download, FetchRequest, Page
from ...contract.outline import content_hash, outline_of
from ...contract.verdicts import Decision
from ...net.domains import DomainRules
from ...net.urls import parse
from ..source.answer_cache import ONLY_CACHE, CachedPage, missed
from ..source.failure_values import as_failure, plugin_bug
from ..source.guarded_source import CallReport, GuardedSource, Guards
from .cache_control import UNSAID, Freshness, confirmed, freshness_of, selection
from .extraction import ExtractorChain
from .render_policy import is_no_page, no_browser, remedied, to_render, unrendered
from .revalidation import renewed, validators

NOT_MODIFIED = 304
_FINAL = frozenset((Code.REFUSED, Code.BLOCKED_BY_FILTER))
_ABOUT_THE_PAGE = frozenset(
    (
        Code.NOT_FOUND,
        Code.PAYWALLED,
        Code.BLOCKED_BY_SITE,
        Code.NEEDS_RENDERING,
        Code.TOO_LARGE,
        Code.UNSUPPORTED,
    )
)


Permit = Callable[[str], Awaitable[None]]
"""Raises `Refused` where an address's site does not let programs read it."""


async def anything(url: str) -> None:
    """Every site lets us read everything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Given(CallReport):
    document: Download | Page


@dataclass(slots=True)
class Attempt:
    """One reading under way."""

    request: FetchRequest
    kept: CachedPage | None
    allowed: DomainRules
    deadline: Callable[[], float | None]
    trail: list[Decision] = field(default_factory=list[Decision])
    by: str = ""
    """The fetcher that gave the page."""
    renewed: bool = False
    """The kept copy was confirmed by the site."""
    stored: bool = False
    """The page is a copy that a fetcher holds."""
    said: Freshness = UNSAID
    """What the site says of the document's age."""
    selection: str = ""
    """What the site chose the document by."""


class FetcherChain:
    """Asks fetchers for an address, one after the other. Safe for any number of attempts at once."""

    def __init__(
        self,
        fetchers: Sequence[Fetcher],
        extractors: Sequence[Extractor],
        clock: Clock,
        timeout_s: float,
        guards: Guards,
        is_at_home: Callable[[str], bool],
        permit: Permit,
    ) -> None:
        """An address that `is_at_home` is told to no remote fetcher.

        `permit` is asked of requests that obey robots.txt, whoever would be asked next; what is stored needs none.
        """
        self._permit = permit
        self._fetchers = tuple(fetchers)
        self._is_at_home = is_at_home
        self._extraction = ExtractorChain(extractors)
        self._timeout_s = timeout_s
        self._clock = clock
        self.sources: Mapping[str, GuardedSource] = {
            fetcher.name: guards.of_fetcher(fetcher) for fetcher in self._fetchers
        }
        """Fetcher → what stands before it."""

    async def page(self, attempt: Attempt) -> Page:
        """The first page that a fetcher and an extractor make; the attempt tells how. Raises as `Reading.fetch`."""
        errors: dict[str, BackendError] = {}
        declined: list[Failure] = []
        if page := await self._first(attempt, errors, declined):
            return page
        if to_render(attempt.request) and is_no_page(errors):
            plainly = attempt.request.model_copy(update={"render": "never", "screenshot": False})
            page = await self._first(attempt, errors, declined, plainly)
            if page is not None:
                return unrendered(page)
        if len(errors) == 1:
            raise next(iter(errors.values()))
        if errors:
            raise AllSourcesFailed(most_telling_first([as_failure(name, error) for name, error in errors.items()]))
        if attempt.request.max_age_hours == ONLY_CACHE:
            raise missed()
        if to_render(attempt.request) and not declined:
            raise no_browser()
        raise AllSourcesFailed(tuple(declined))

    async def _first(
        self,
        attempt: Attempt,
        errors: dict[str, BackendError],
        declined: list[Failure],
        request: FetchRequest | None = None,
    ) -> Page | None:
        """The first page that a fetcher gives for this request, or the attempt's own; and why the others gave none."""
        request = request or attempt.request
        permitted = not request.obey_robots
        for fetcher in self._in_turn(request):
            if reason := self._passed_over(fetcher, request, errors):
                declined.append(reason)
                attempt.trail.append(Decision(stage="ask", by=fetcher.name, outcome="skip"))
                continue
            if not (permitted or fetcher.stored):
                await self._permit(request.url)
                permitted = True
            try:
                page = await self._asked(fetcher, attempt, request)
            except BackendError as error:
                attempt.trail.append(Decision(stage="ask", by=fetcher.name, outcome="fail", reason=error.code))
                if error.code in _FINAL:
                    raise
                errors[fetcher.name] = remedied(error, attempt.request, self._fetchers)
            else:
                attempt.trail.append(Decision(stage="ask", by=fetcher.name, outcome="answer"))
                attempt.by, attempt.stored = fetcher.name, fetcher.stored
                return page
        return None

    def _in_turn(self, request: FetchRequest) -> list[Fetcher]:
        """Those that may be asked for this request, in their order; those that mend what others could not come last."""
        if request.max_age_hours == ONLY_CACHE:
            return [fetcher for fetcher in self._fetchers if fetcher.stored]
        if to_render(request):
            return [fetcher for fetcher in self._fetchers if fetcher.renders]
        asked = [fetcher for fetcher in self._fetchers if request.render != "never" or not fetcher.renders]
        return sorted(asked, key=lambda fetcher: bool(fetcher.mends))

    def _passed_over(
        self, fetcher: Fetcher, request: FetchRequest, errors: Mapping[str, BackendError]
    ) -> Failure | None:
        """Why this one is not asked."""
        if fetcher.remote and self._is_at_home(request.url):
            return Failure(fetcher.name, Code.REFUSED, "addresses of your own network are told to nobody")
        mends = fetcher.mends and not to_render(request)
        if mends and not any(error.code in fetcher.mends for error in errors.values()):
            return Failure(fetcher.name, Code.UNSUPPORTED, "there is nothing that it could mend")
        if not _wants(fetcher, request):
            return Failure(fetcher.name, Code.UNSUPPORTED, "it does not take this address")
        return None

    def chosen(self, kept: CachedPage, request: FetchRequest) -> bool:
        """Whether the site would have chosen the kept page for this request, too (RFC 9111, §4.1)."""
        by = next((fetcher for fetcher in self._fetchers if fetcher.name == kept.by), None)
        return by is None or selection(kept.said.vary, _sent(by, request)) == kept.selection

    async def _asked(self, fetcher: Fetcher, attempt: Attempt, request: FetchRequest) -> Page:
        request = validators(request, attempt.kept, fetcher.name)

        async def ask(caller: Caller) -> _Given:
            document = await fetcher.fetch(request.model_copy(update={"caller": caller}))
            if not isinstance(document, Download | Page):  # pyright: ignore[reportUnnecessaryIsInstance] - untyped plugins
                raise TypeError("neither a download nor a page")
            if isinstance(document, Page):
                return _Given(document=document, cost=document.cost, units=document.units)
            return _Given(document=document)

        caller, deadline = request.caller, attempt.deadline()
        document = (await self.sources[fetcher.name].call(ask, caller, deadline, "fetch")).document
        attempt.said = _said(document, attempt.kept)
        attempt.selection = selection(attempt.said.vary, _sent(fetcher, request))
        if isinstance(document, Page):
            if request.raw:
                raise Unsupported("it gives pages, and no raw documents")
            page = self._whole(document, request)
        elif document.status == NOT_MODIFIED:
            page, attempt.renewed = renewed(attempt.kept, request, document), True
        else:
            page = await self.extracted(document, attempt.trail, attempt.deadline(), raw=request.raw)
        # The guarded client judges redirects; a remote fetcher follows its own.
        if attempt.allowed and not attempt.allowed.matches(parse(page.reached).host):
            raise Refused("not in allowlist: the address led to another site")
        if fetcher.remote and request.obey_robots and page.reached != request.url:
            await self._permit(parse(page.reached).url)
        return page

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
    return tuple(sorted(failures, key=lambda failure: failure.code not in _ABOUT_THE_PAGE))


def _said(document: Download | Page, kept: CachedPage | None) -> Freshness:
    """What the site says of its age."""
    if isinstance(document, Page):
        return UNSAID
    if document.status == NOT_MODIFIED and kept is not None:
        return confirmed(kept.said, document.headers)
    return freshness_of(document.headers, document.redirects)


def _sent(fetcher: Fetcher, request: FetchRequest) -> Mapping[str, str]:
    try:
        return fetcher.sends(request)
    except Exception as error:  # noqa: BLE001 - a plugin may raise anything
        plugin_bug(fetcher.name, error)
        return {}


def _wants(fetcher: Fetcher, request: FetchRequest) -> bool:
    try:
        return fetcher.can_fetch(request)
    except Exception as error:  # noqa: BLE001 - a plugin may raise anything
        plugin_bug(fetcher.name, error)
        return False
