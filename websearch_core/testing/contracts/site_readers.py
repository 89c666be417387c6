"""The contract of a fetcher for one site: what it takes, what it leaves to others, and when it lets them have a go."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

import pytest

from websearch_core.asking.read.page_reader import PageReader, ReadPage
from websearch_core.asking.read.site_reader import SiteReader
from websearch_core.asking.source.guarded_source import Guards
from websearch_core.contract.context import PluginContext
from websearch_core.contract.errors import BackendError
from websearch_core.contract.interfaces import Fetcher
from websearch_core.contract.models import Caller, FetchRequest
from websearch_core.settings.configuration import ChainSettings
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing.fakes import FakeClock, FakeExtractor, FakeFetcher, FakeRobots, context
from websearch_core.testing.misbehaviour import Hang
from websearch_core.testing.site import Behaviour, LoopbackSite, RecordedRequest, Response, answer

from .fetchers import FetcherContract

Make = Callable[..., Fetcher]

FAILURES: Mapping[str, Response] = {
    "not there": answer(404, json={}),
    "forbidden": answer(403, json={}),
    "slow down": answer(429, json={}),
    "broken": answer(500, ""),
    "odd": answer(300, ""),
}


class SiteReaderContract(FetcherContract):
    """For a `SiteReader`. `self.site` plays whatever it asks."""

    takes: ClassVar[Sequence[str]]
    """Addresses that it reads, one of each kind."""
    leaves: ClassVar[Sequence[str]]
    """Addresses, of the site too, that it leaves to the ordinary way."""
    at_once: ClassVar[int] = 1
    """How many calls a reading begins with, where it does not wait for the first one's answer."""

    def settings(self) -> Mapping[str, Any]:
        """`base_url` is `self.site`'s."""
        return {"base_url": self.site.url}

    def address(self, word: str) -> str:
        """The first of `takes`, asked for with a parameter more."""
        url = self.takes[0]
        return f"{url}{'&' if '?' in url else '?'}from={word}"

    @pytest.fixture
    async def reader(self, served: LoopbackSite, clock: FakeClock, tmp_path: Path) -> AsyncIterator[Make]:
        """`reader(robots, max_comments=3)`: another one, with settings beside `settings()`. Closed after the test."""
        contexts: list[PluginContext] = []

        def make(robots: FakeRobots | None = None, **settings: Any) -> Fetcher:
            table = {**self.settings(), **settings}
            private = (f"127.0.0.1:{served.port}",)
            contexts.append(context(self.plugin, table, clock=clock, data_dir=tmp_path, private=private))
            vars(contexts[-1].web)["robots"] = robots or FakeRobots()
            return self.make(contexts[-1])

        yield make
        for ctx in contexts:
            await ctx.aclose()
            await ctx.web.aclose()

    async def in_order(self, fetcher: Fetcher, url: str = "", **fields: Any) -> tuple[ReadPage, int]:
        """What comes of an address where this fetcher is asked before the ordinary one, and how often that one is."""
        ordinary, clock = FakeFetcher("ordinary"), FakeClock()
        reading = PageReader(
            [fetcher, ordinary],
            [FakeExtractor()],
            Guards(ChainSettings(), clock, lambda _: None),
            MemoryStore(clock, 10**6),
        )
        read = await reading.fetch(FetchRequest(url=url or self.takes[0], **fields))
        return read, len(ordinary.requests)

    async def test_it_takes_what_it_can_read(self, made: Fetcher) -> None:
        """Each kind of address; none where the document itself is wanted."""
        assert isinstance(made, SiteReader)
        for url in self.takes:
            assert made.can_fetch(FetchRequest(url=url)), f"not taken: {url}"
            assert not made.can_fetch(FetchRequest(url=url, raw=True)), f"taken although raw: {url}"

    async def test_it_leaves_what_it_cannot_read(self, made: Fetcher) -> None:
        """What it takes in vain costs time."""
        for url in self.leaves:
            assert not made.can_fetch(FetchRequest(url=url)), f"taken: {url}"

    async def test_a_host_that_only_looks_like_the_sites_is_left(self, made: Fetcher) -> None:
        """Another site's page is not read as this site's."""
        for url in self.takes:
            for other in look_alikes(url):
                assert not made.can_fetch(FetchRequest(url=other)), f"taken: {other}"

    @pytest.mark.parametrize("failure", FAILURES)
    async def test_what_fails_is_read_in_the_ordinary_way(self, made: Fetcher, failure: str) -> None:
        """And the trail says who read it."""
        self.site.route("/*", FAILURES[failure])
        read, asked = await self.in_order(made)
        assert (read.page.body, asked) == ("Some text.", 1)
        tried = [(decision.by, decision.outcome) for decision in read.trail if decision.stage == "ask"]
        assert tried == [(made.name, "fail"), ("ordinary", "answer")]

    @pytest.mark.parametrize(("step", "deadline", "limit"), [(3.0, None, 8.0), (9.0, None, 8.0), (3.0, 10.0, 5.0)])
    async def test_the_ordinary_way_has_time_left(
        self, made: Fetcher, clock: FakeClock, step: float, deadline: float | None, limit: float
    ) -> None:
        """All calls of a reading together take 8 s, and no more than half of what the caller has."""
        began = clock.monotonic()
        asked: list[float] = []

        def slow(request: RecordedRequest) -> Response | Behaviour:
            asked.append(clock.monotonic() - began)
            if len(asked) >= self.at_once:
                clock.advance(step)
            return self.good_answer(request)

        self.site.route("/*", slow)
        caller = Caller(deadline=None if deadline is None else began + deadline)
        with contextlib.suppress(BackendError):
            await self.call(made, caller=caller)
        assert asked
        assert max(asked) < limit, f"asked after {max(asked):.0f} s"

    async def test_who_says_nothing_is_given_up_while_there_is_time(self, made: Fetcher, clock: FakeClock) -> None:
        """One call, too, takes no more than half of what the caller has."""
        self.site.route("/*", Hang())
        seconds = 1.0
        reading = asyncio.ensure_future(self.call(made, caller=Caller(deadline=clock.monotonic() + seconds)))
        try:
            await asyncio.wait({reading}, timeout=0.75 * seconds)
            for _ in range(1000):  # a loop that was held up is late for both, and the reader's time came first
                await asyncio.sleep(0)
            assert reading.done(), "it waited for more than half of the caller's time"
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    @pytest.mark.parametrize("readable", [True, False], ids=["forbidden", "unreadable"])
    async def test_what_robots_txt_says_of_other_addresses_ends_no_reading(self, reader: Make, readable: bool) -> None:
        """The core has asked about the page's own: it is allowed, so others read it where this one may not ask."""
        robots = FakeRobots(lambda _: True, readable=readable)
        read, _ = await self.in_order(reader(robots), obey_robots=True)
        assert read.page.body
        assert self.takes[0] not in robots.asked, "the core asks about the page's own address"

    async def test_else_robots_txt_is_not_asked_for(self, reader: Make) -> None:
        """Somebody asked for this page: it is no crawl."""
        robots = FakeRobots(lambda _: True)
        self.sound(await self.call(reader(robots)))
        assert not robots.asked


def look_alikes(url: str) -> list[str]:
    """Addresses of others that look like this one."""
    parts = urlsplit(url)
    host, rest = parts.netloc, url.partition(parts.netloc)[2]
    *before, name, ending = host.split(".")
    hosts = (
        f"{host}.evil.example",
        ".".join((*before, f"not{name}", ending)),
        ".".join((*before, f"{name}{ending}")),
        f"{host}@evil.example",
        f"{host}:8443",
        f"{host}%2eevil.example",
        f"evil.example/{host}",
        f"evil.example/?{host}",
        f"evil.example#{host}",
    )
    return [*(f"{parts.scheme}://{other}{rest}" for other in hosts), f"https://evil.example/?url={url}"]
