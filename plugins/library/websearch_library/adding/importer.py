"""Adds pages and files to the library: politely, in small transactions, so that an interruption loses nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol
from urllib.parse import urlsplit

from websearch_core import BackendError, Code, FetchRequest, Page
from websearch_core.kit import AllSourcesFailed, unmarked

from ..index.index import Index
from ..index.page_copy import PageCopy, PutResult
from ..index.page_keys import normal
from . import local_files
from .frontier import CrawlStop, Frontier

if TYPE_CHECKING:
    from websearch_core import Clock
    from websearch_core.kit import FetchAnswer, RobotsRules

    from ..index.library import Library

_BATCH_PAGES = 100
_BATCH_CHARS = 8_000_000
_MOST_LINKS = 2000


class Failure(NamedTuple):
    """An address or file that was not added, and why."""

    where: str
    code: str
    detail: str


@dataclass(slots=True)
class ImportTally:
    """What came of adding."""

    put: PutResult = field(default_factory=PutResult)
    failures: list[Failure] = field(default_factory=list[Failure])
    waiting: int = 0
    """Addresses that were left for the next time."""

    @property
    def done(self) -> int:
        """Pages that are in the library now."""
        return sum(self.put)


class Reader(Protocol):
    """The chain, for who only reads pages."""

    async def fetch(self, request: FetchRequest) -> FetchAnswer:
        """See `Gateway.fetch`."""
        ...


class Progress(Protocol):
    """Is told how far it is."""

    def moved(self, tally: ImportTally, waiting: int, current: str) -> None:
        """After each page; `waiting` counts what is known to come."""
        ...


@dataclass(frozen=True, slots=True)
class ImportJob:
    """A crawl: where it begins and how far it goes. The same key goes on where the last one stopped."""

    key: str
    seeds: Sequence[str]
    depth: int
    max_pages: int
    """The most addresses that are visited now; the rest waits."""
    within: Callable[[str], bool]
    """Whether a link may be followed."""


class Pace:
    """At least so many seconds between the beginnings of two requests to one host."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._seconds = seconds
        self._free_at: dict[str, float] = {}

    async def turn(self, host: str, at_least: float) -> None:
        """Wait for this host's turn."""
        wait = self._free_at.get(host, 0.0) - self._clock.monotonic()
        if wait > 0:
            await self._clock.sleep(wait)
        self._free_at[host] = self._clock.monotonic() + max(self._seconds, at_least)


class Importer:
    """One command's work."""

    def __init__(
        self,
        library: Library,
        gateway: Reader,
        robots: RobotsRules,
        pace: Pace,
        clock: Clock,
        progress: Progress,
        tally: ImportTally,
    ) -> None:
        self._library = library
        self._gateway = gateway
        self._robots = robots
        self._pace = pace
        self._clock = clock
        self._progress = progress
        self.tally = tally
        """What came of everything so far; the caller has it also when the work is interrupted."""

    async def crawl(self, job: ImportJob) -> None:
        """Visit the job's addresses, one after the other; each is committed before the next is asked for."""
        tally = self.tally
        seeds = [CrawlStop(url, 0) for url in job.seeds]
        await self._library.write(lambda index: Frontier(index, job.key).offer(seeds))
        left = job.max_pages
        while True:
            stop, tally.waiting = await self._library.read(lambda index: _situation(index, job.key))
            if stop is None or not left:
                break
            await self._visit(stop, job, tally)
            left -= 1
            self._progress.moved(tally, min(tally.waiting - 1, left), stop.url)
        if stop is None:
            await self._library.write(lambda index: Frontier(index, job.key).drop())

    async def refresh(self, copies: Iterable[PageCopy], most_bytes: int) -> None:
        """Read pages and files again; what is gone stays in the library and is reported."""
        tally = self.tally
        for copy in copies:
            if copy.source == "file":
                await self._put_files([Path(copy.path)], most_bytes, tally)
            else:
                page = await self._fetched(copy.asked or copy.url, tally)
                if page is not None:
                    kept = _copy(page, copy.asked or copy.url, self._clock.now())
                    tally.put = tally.put.plus(await self._library.write(lambda index, kept=kept: index.put([kept])))
            self._progress.moved(tally, 0, copy.url)

    async def add_files(self, paths: Iterable[Path], most_bytes: int) -> None:
        """Read local files, a batch for each transaction; files that did not change are not read again."""
        tally = self.tally
        batch: list[Path] = []
        for path in paths:
            batch.append(path)
            if len(batch) >= _BATCH_PAGES:
                await self._put_files(batch, most_bytes, tally)
                batch = []
        await self._put_files(batch, most_bytes, tally)

    async def _put_files(self, paths: list[Path], most_bytes: int, tally: ImportTally) -> None:
        import anyio

        known = await self._library.read(lambda index: _stamps(index, paths))
        copies: list[PageCopy] = []
        unchanged: list[str] = []
        chars = 0
        for path in paths:
            try:
                if known.get(str(path)) == _stamp(path):
                    unchanged.append(str(path))
                    tally.put = tally.put.plus(PutResult(unchanged=1))
                else:
                    copy = await anyio.to_thread.run_sync(local_files.read, path, most_bytes, self._clock.now())
                    copies.append(copy)
                    chars += len(copy.body)
            except local_files.UnreadableError as error:
                tally.failures.append(Failure(str(path), error.code, str(error)))
            if chars >= _BATCH_CHARS:
                await self._put(copies, tally)
                copies, chars = [], 0
            self._progress.moved(tally, 0, path.name)
        await self._put(copies, tally)
        if unchanged:
            await self._library.write(lambda index: _confirm(index, unchanged, self._clock.now()))

    async def _put(self, copies: list[PageCopy], tally: ImportTally) -> None:
        if copies:
            tally.put = tally.put.plus(await self._library.write(lambda index: index.put(copies)))

    async def _visit(self, stop: CrawlStop, job: ImportJob, tally: ImportTally) -> None:
        page = await self._fetched(stop.url, tally)
        links: list[CrawlStop] = []
        kept: PageCopy | None = None
        if page is not None:
            kept = _copy(page, stop.url, self._clock.now())
            if stop.depth and not job.within(kept.url):
                tally.failures.append(Failure(stop.url, "outside", "it leads out of what is being added"))
                kept = None
            elif stop.depth < job.depth:
                found = dict.fromkeys(normal(link) for link in page.links[:_MOST_LINKS])
                links = [CrawlStop(link, stop.depth + 1) for link in found if job.within(link)]

        def work(index: Index) -> PutResult:
            frontier = Frontier(index, job.key)
            frontier.offer(links)
            frontier.settle(stop.url, done=kept is not None)
            return index.put([kept] if kept else [])

        tally.put = tally.put.plus(await self._library.write(work))

    async def _fetched(self, url: str, tally: ImportTally) -> Page | None:
        """The live page; None when there is none, and then the tally says why."""
        try:
            why = await self._robots.objection(url)
            if why is None:
                await self._pace.turn(urlsplit(url).netloc, await self._robots.delay(url))
                page = (await self._gateway.fetch(FetchRequest(url=url, max_age_hours=0, obey_robots=True))).page
                why = await self._objection(url, page)
                if why is None:
                    return page
        except BackendError as error:
            why = (error.code.value, error.detail)
        except AllSourcesFailed as error:
            why = _said(error)
        except ValueError:
            why = (Code.INVALID_REQUEST.value, "not an address")
        tally.failures.append(Failure(url, *why))
        return None

    async def _objection(self, asked: str, page: Page) -> tuple[str, str] | None:
        """Why a page that was fetched is not kept: the chain follows redirects, so their targets are judged here."""
        if not page.body.strip():
            return "empty", "the page holds no text"
        reached = normal(page.reached)
        if not reached.startswith(("http://", "https://")):  # a filter's word, not a site's
            return Code.BLOCKED_BY_FILTER.value, "the filters withheld where it leads"
        objection = None if reached == asked else await self._robots.objection(reached)
        return objection and (objection[0], f"it redirects, and there {objection[1]}")


def _said(error: AllSourcesFailed) -> tuple[str, str]:
    if not error.failures:
        return Code.UNSUPPORTED.value, "no fetcher is installed; install websearch-web"
    return error.failures[-1].code.value, error.failures[-1].detail


def _situation(index: Index, key: str) -> tuple[CrawlStop | None, int]:
    frontier = Frontier(index, key)
    return frontier.next(), frontier.waiting()


def _stamps(index: Index, paths: list[Path]) -> dict[str, str]:
    marks = ", ".join("?" * len(paths))
    return {copy.path: copy.etag for copy in index.copies(f"path IN ({marks})", tuple(map(str, paths)))}


def _confirm(index: Index, paths: list[str], now: float) -> None:
    index.connection.executemany(
        "UPDATE page SET fetched_at = ? WHERE path = ? AND path != ''", [(now, path) for path in paths]
    )


def _stamp(path: Path) -> str | None:
    try:
        return local_files.stamp(path)
    except OSError:
        return None


def _copy(page: Page, asked: str, now: float) -> PageCopy:
    """What is kept of a page. Warnings of today's filters are not: it is judged anew whenever it is found."""
    url = normal(page.reached)
    return PageCopy(
        url=url,
        asked="" if asked == url else asked,
        title=unmarked(page.title),
        author=unmarked(page.author),
        site=unmarked(page.site),
        published=page.published.timestamp() if page.published else None,
        language=page.language,
        etag=page.etag,
        last_modified=page.last_modified,
        fetched_at=page.fetched_at.timestamp() if page.fetched_at else now,
        body=unmarked(page.body),
    )
