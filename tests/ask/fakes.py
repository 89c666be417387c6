"""Sources, time and observers that do as a test says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from websearch_core.asking.read.page_reader import PageReader
from websearch_core.asking.search.searcher import Searcher
from websearch_core.contract.interfaces import Extractor, Fetcher, SearchBackend
from websearch_core.contract.models import Download, FetchRequest, Hit, Page, SearchRequest
from websearch_core.contract.results import Answer, Event
from websearch_core.settings.configuration import ChainSettings

EPOCH = datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp()

Script = Callable[[Any], Any]


class TurnedClock:
    """Time that a test turns by hand."""

    def __init__(self) -> None:
        self.passed = 0.0

    def now(self) -> float:
        return EPOCH + self.passed

    def monotonic(self) -> float:
        return 1000.0 + self.passed

    async def sleep(self, seconds: float) -> None:
        self.passed += seconds


async def _played(does: Any, request: Any) -> Any:
    if isinstance(does, BaseException):
        raise does
    if callable(does):
        given = does(request)
        return await given if isinstance(given, Awaitable) else given
    return does


class Backend(SearchBackend):
    """Does the steps of `does` one call after the other, the last one for ever: a value, an error, or a function."""

    name = "one"

    def __init__(self, name: str, *does: Any, always_merged: bool = False, **declared: Any) -> None:
        self.does = list(does)
        self.asked: list[SearchRequest] = []
        self._always_merged = always_merged
        vars(self).update(name=name, **declared)

    @property
    def always_merged(self) -> bool:
        return self._always_merged

    async def search(self, request: SearchRequest) -> Answer | Sequence[Hit]:
        self.asked.append(request)
        return await _played(self.does.pop(0) if len(self.does) > 1 else self.does[0], request)


class Opener(Fetcher):
    """A fetcher, scripted like `Backend`."""

    name = "one"

    def __init__(self, name: str, *does: Any, remote: bool = False, wants: Any = True, **says: Any) -> None:
        self.does = list(does)
        self.asked: list[FetchRequest] = []
        self._wants = wants
        vars(self).update(name=name, remote=remote, **says)

    def can_fetch(self, request: FetchRequest) -> bool:
        if isinstance(self._wants, Exception):
            raise self._wants
        return self._wants

    async def fetch(self, request: FetchRequest) -> Download | Page:
        self.asked.append(request)
        return await _played(self.does.pop(0) if len(self.does) > 1 else self.does[0], request)


class Reader(Extractor):
    """An extractor; by default the body is its name and the decoded bytes."""

    name = "one"
    media_types = frozenset(("text/*",))

    def __init__(self, name: str, *media_types: str, does: Any = None, priority: int = 50) -> None:
        self.does = does
        self.seen: list[Download] = []
        vars(self).update(name=name, media_types=frozenset(media_types), priority=priority)

    async def extract(self, download: Download) -> Page:
        self.seen.append(download)
        if self.does is not None:
            return await _played(self.does, download)
        return Page.from_markdown(f"{self.name}: {download.body.decode()}", url=download.url)


class Told:
    """Remembers what observers are told."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def __call__(self, event: Event) -> None:
        self.events.append(event)

    @property
    def outcomes(self) -> list[tuple[str, str, str]]:
        return [(event.component, event.outcome, event.code) for event in self.events]


def states(made: PageReader | Searcher) -> dict[str, str]:
    return {name: source.state for name, source in made.sources.items()}


def settings(**changes: Any) -> ChainSettings:
    return ChainSettings(**changes)


def hit(url: str, **fields: Any) -> Hit:
    return Hit(url=url if "://" in url else f"https://{url}", **fields)


def hits(*urls: str) -> tuple[Hit, ...]:
    return tuple(hit(url) for url in urls)


def urls(found: Sequence[Hit]) -> list[str]:
    return [one.url.removeprefix("https://") for one in found]


def download(url: str = "https://example.com/page", body: bytes = b"text", **fields: Any) -> Download:
    given = {"final_url": url, "media_type": "text/plain", "fetched_at": datetime.fromtimestamp(EPOCH, UTC), **fields}
    return Download(url=url, body=body, **given)
