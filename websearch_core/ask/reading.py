"""How one address is read: cache, fetchers in order, extractors by media type; each guarded, all explained."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from ..answers import Event
from ..errors import (
    BackendError,
    Code,
    Failure,
    InvalidRequest,
    NoAnswer,
    NotFound,
    Refused,
    TimedOut,
    Unsupported,
    of_code,
)
from ..interfaces import Clock, Extractor, Fetcher, Store
from ..models import Caller, Download, FetchRequest, Page
from ..net.domains import Rules
from ..net.urls import parse
from ..outline import content_hash, outline_of
from ..parts import Value
from ..settings import ChainSettings
from ..verdicts import Decision
from .cache import KEEP_STALE_S, MISS, ONLY_CACHE, Cache, KeptPage, key_of, renewed, validators
from .extraction import Extraction
from .failures import as_failure, plugin_bug
from .flight import Flight, Trip
from .guards import Guards
from .source import Source

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


class Read(Value):
    """One page that was read."""

    page: Page
    notes: tuple[str, ...] = ()
    trail: tuple[Decision, ...] = ()
    cached: bool = False
    age: float | None = None
    """Seconds since the source was asked or last confirmed the copy, when cached."""


@dataclass(frozen=True, slots=True)
class _Given:
    """What a fetcher gave, in the form that observers are told of."""

    document: Download | Page
    cost: float | None = None
    units: float | None = None
    empty: bool = False


@dataclass(slots=True)
class _Try:
    """One reading under way."""

    request: FetchRequest
    kept: KeptPage | None
    allowed: Rules
    deadline: Callable[[], float | None]
    trail: list[Decision] = field(default_factory=list[Decision])
    renewed: bool = False
    """The kept copy was confirmed by the site."""
    stored: bool = False
    """The page is a copy that a fetcher holds."""


class Reading:
    """Reads addresses with the first fetcher that can. Safe for any number of readings at once."""

    def __init__(
        self,
        fetchers: Sequence[Fetcher],
        extractors: Sequence[Extractor],
        settings: ChainSettings,
        clock: Clock,
        store: Store,
        notify: Callable[[Event], None],
        *,
        guards: Guards | None = None,
        is_at_home: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """`notify` is told of every call to a fetcher; it returns at once and never raises.

        An address that `is_at_home` is told to no remote fetcher.
        """
        self._fetchers = tuple(fetchers)
        self._is_at_home = is_at_home
        self._extraction = Extraction(extractors)
        self._timeout_s = settings.backend_timeout_s
        self._clock = clock
        self._cache = Cache(store, clock, settings)
        self._flight = Flight[Read](clock)
        guards = guards or Guards(settings, clock, notify)
        self.sources: Mapping[str, Source] = {fetcher.name: guards.of_fetcher(fetcher) for fetcher in self._fetchers}
        """Fetcher → what stands before it."""

    def states(self) -> Mapping[str, str]:
        """Fetcher → `closed`, `open` or `half-open`; a fetcher of this machine is always closed."""
        return {name: source.state for name, source in self.sources.items()}

    async def fetch(self, request: FetchRequest) -> Read:
        """The page from the cache or a fetcher; `request.etag` and `last_modified` are ours to fill in.

        Raises `BackendError` (`Refused` and `BlockedByFilter` at once), or `NoAnswer`: several fetchers failed, or none
        takes this address.
        """
        try:
            allowed = Rules(request.allowed_domains)
        except ValueError as error:
            raise InvalidRequest(str(error)) from None
        key = key_of(request, [fetcher.name for fetcher in self._fetchers])
        age = request.max_age_hours
        kept = await self._cache.read(key, KeptPage) if age != 0 else None
        if kept is not None and self._cache.serves(kept, age):
            return _read(kept, self._cache.age(kept))
        if age == ONLY_CACHE and not any(fetcher.stored for fetcher in self._fetchers):
            raise NotFound(MISS)

        async def work(trip: Trip[Read]) -> Read:
            return await self._fresh(key, _Try(validators(request, kept), kept, allowed, lambda: trip.deadline))

        return await self._flight.run(f"{key}:{age}", request.caller.deadline, work)

    async def _fresh(self, key: str, attempt: _Try) -> Read:
        try:
            page = await self._page(attempt)
        except (BackendError, NoAnswer) as error:
            if attempt.request.max_age_hours == ONLY_CACHE:
                raise NotFound(MISS) from None
            failures = error.failures if isinstance(error, NoAnswer) else (as_failure("", error),)
            if any(failure.code is not Code.UNSUPPORTED for failure in failures):
                await self._cache.keep(key, KeptPage(written=self._clock.now(), failures=failures))
            raise
        kept = KeptPage(written=self._clock.now(), page=page, trail=tuple(attempt.trail))
        if not attempt.stored and not page.screenshot:
            await self._cache.keep(key, kept, stale_s=KEEP_STALE_S)
        return Read(page=page, trail=kept.trail, cached=attempt.renewed, age=0.0 if attempt.renewed else None)

    async def _page(self, attempt: _Try) -> Page:
        """The first page that a fetcher and an extractor make. Raises as `fetch`."""
        errors: dict[str, BackendError] = {}
        declined: list[Failure] = []
        for fetcher in self._in_turn(attempt.request):
            if reason := self._passed_over(fetcher, attempt.request, errors):
                declined.append(reason)
                attempt.trail.append(Decision(stage="ask", by=fetcher.name, outcome="skip"))
                continue
            try:
                page = await self._asked(fetcher, attempt)
            except BackendError as error:
                attempt.trail.append(Decision(stage="ask", by=fetcher.name, outcome="fail", reason=error.code))
                if error.code in _FINAL:
                    raise
                errors[fetcher.name] = error
            else:
                attempt.trail.append(Decision(stage="ask", by=fetcher.name, outcome="answer"))
                attempt.stored = fetcher.stored
                return page
        if len(errors) == 1:
            raise next(iter(errors.values()))
        if errors:
            raise NoAnswer(most_telling_first([as_failure(name, error) for name, error in errors.items()]))
        if attempt.request.max_age_hours == ONLY_CACHE:
            raise NotFound(MISS)
        if _to_render(attempt.request) and not declined:
            raise Unsupported("no installed fetcher renders pages")
        raise NoAnswer(tuple(declined))

    def _in_turn(self, request: FetchRequest) -> list[Fetcher]:
        """Those that may be asked for this request, in their order; those that mend what others could not come last."""
        if request.max_age_hours == ONLY_CACHE:
            return [fetcher for fetcher in self._fetchers if fetcher.stored]
        if _to_render(request):
            return [fetcher for fetcher in self._fetchers if fetcher.renders]
        asked = [fetcher for fetcher in self._fetchers if request.render != "never" or not fetcher.renders]
        return sorted(asked, key=lambda fetcher: bool(fetcher.mends))

    def _passed_over(
        self, fetcher: Fetcher, request: FetchRequest, errors: Mapping[str, BackendError]
    ) -> Failure | None:
        """Why this one is not asked."""
        if fetcher.remote and self._is_at_home(request.url):
            return Failure(fetcher.name, Code.REFUSED, "addresses of your own network are told to nobody")
        mends = fetcher.mends and not _to_render(request)
        if mends and not any(error.code in fetcher.mends for error in errors.values()):
            return Failure(fetcher.name, Code.UNSUPPORTED, "there is nothing that it could mend")
        if not _wants(fetcher, request):
            return Failure(fetcher.name, Code.UNSUPPORTED, "it does not take this address")
        return None

    async def _asked(self, fetcher: Fetcher, attempt: _Try) -> Page:
        async def ask(caller: Caller) -> _Given:
            document = await fetcher.fetch(attempt.request.model_copy(update={"caller": caller}))
            if not isinstance(document, Download | Page):  # pyright: ignore[reportUnnecessaryIsInstance] - untyped plugins
                raise TypeError("neither a download nor a page")
            return _Given(document, document.cost, document.units) if isinstance(document, Page) else _Given(document)

        caller, deadline = attempt.request.caller, attempt.deadline()
        document = (await self.sources[fetcher.name].call(ask, caller, deadline, "fetch")).document
        if isinstance(document, Page):
            if attempt.request.raw:
                raise Unsupported("it gives pages, and no raw documents")
            page = self._whole(document, attempt.request)
        elif document.status == NOT_MODIFIED:
            page, attempt.renewed = renewed(attempt.kept, attempt.request, document), True
        else:
            page = await self._extracted(document, attempt)
        # The web door judges redirects; a remote fetcher follows its own.
        if attempt.allowed and not attempt.allowed.matches(parse(page.reached).host):
            raise Refused("not in allowlist: the address led to another site")
        return page

    async def _extracted(self, download: Download, attempt: _Try) -> Page:
        import anyio

        deadline = attempt.deadline()
        left = self._timeout_s if deadline is None else deadline - self._clock.monotonic()
        with anyio.move_on_after(min(self._timeout_s, left)):
            return await self._extraction.page(download, attempt.trail, raw=attempt.request.raw)
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


def _read(kept: KeptPage, age: float) -> Read:
    """The kept page. Raises what the fetchers said when that is what was kept."""
    if kept.page is None:
        first = kept.failures[0]
        raise NoAnswer(kept.failures) if first.source else of_code(first.code, first.detail, first.retry_after)
    trail = (Decision(stage="ask", by="cache", outcome="answer"), *kept.trail)
    return Read(page=kept.page.model_copy(update={"age": age, "cost": None}), trail=trail, cached=True, age=age)


def _to_render(request: FetchRequest) -> bool:
    return request.render == "always" or request.screenshot


def _wants(fetcher: Fetcher, request: FetchRequest) -> bool:
    try:
        return fetcher.can_fetch(request)
    except Exception as error:  # noqa: BLE001 - a plugin may raise anything
        plugin_bug(fetcher.name, error)
        return False
