"""Two of three engines misbehave at random, over real sockets: answers stay right, errors truthful, deadlines kept."""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import pytest

from websearch_core import Answer, SearchBackend
from websearch_core.asking.search.searcher import Searcher
from websearch_core.asking.source.guarded_source import Guards
from websearch_core.contract.clock import SystemClock
from websearch_core.contract.errors import AllSourcesFailed, Code
from websearch_core.contract.models import Caller, SearchRequest
from websearch_core.kit import Row, hit_of
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing.fakes import context
from websearch_core.testing.misbehaviour import CutShort, Hang, Silent
from websearch_core.testing.site import LoopbackSite, RecordedRequest, answer

from .fakes import Told, settings

SEARCHES = 2000 if os.environ.get("HYPOTHESIS_PROFILE") == "full" else 600
AT_ONCE = 20
PER_START = 50
"""Searches for each start of the chain: then its breakers are new, and the bad engines are asked again."""
DEADLINES_S = (0.1, 1.5)
"""Callers have between the two."""
LATE_S = 0.1
ENGINE_S = 0.4
"""An engine that hangs is left after this; a caller's deadline may come sooner."""
LONG_ENOUGH_S = 3 * ENGINE_S
"""With a deadline like this, two engines may hang, and the third still answers."""

TELLS = {
    "hang": {Code.TIMEOUT},
    "500": {Code.SERVER},
    "429": {Code.RATE_LIMITED},
    "garbage": {Code.DRIFT},
    "half a body": {Code.NETWORK, Code.DRIFT},
    "wrong charset": {Code.DRIFT},
    "error page": {Code.DRIFT},
    "silence": {Code.NETWORK},
}
"""How an engine misbehaves → what may be told of it."""


def good(engine: str, query: str) -> dict[str, Any]:
    """Two pages of the engine's own, and one that all of them find."""
    return {
        "results": [{"url": f"https://{engine}.example/{query}/{n}"} for n in (1, 2)]
        + [{"url": f"https://all.example/{query}"}]
    }


def played(way: str, engine: str, query: str) -> Any:
    match way:
        case "hang":
            return Hang()
        case "500":
            return answer(500, json={"error": "no"})
        case "429":
            return answer(429, json={}, headers={"retry-after": "60"})
        case "garbage":
            return answer(200, b"\x00\xff\x1f{[", content_type="application/json")
        case "half a body":
            return CutShort(answer(json=good(engine, query)))
        case "wrong charset":
            body = json.dumps(good(engine, query)).encode("utf-32")
            return answer(200, body[3:], content_type="application/json; charset=utf-8")
        case "error page":
            return answer(200, "<!doctype html><h1>Something went wrong</h1>", content_type="text/html")
        case "silence":
            return Silent()
        case _:
            return answer(json=good(engine, query))


class Engine(SearchBackend):
    """A backend as a plugin's author would write it."""

    name = "engine"
    paid = True

    def __init__(self, name: str, api: Any) -> None:
        self.name = name
        self._api = api

    async def search(self, request: SearchRequest) -> Answer:
        response = await self._api.get(
            "search", params={"q": request.query}, deadline=request.caller.deadline, paid=True
        )
        found = (hit_of(url=row.address("url"), title="t") for row in Row.of(response).required_rows("results"))
        return Answer(hits=tuple(hit for hit in found if hit))


@dataclass
class Chaos:
    """Three engines; what each did to each query is written down."""

    sites: dict[str, LoopbackSite] = field(default_factory=dict)
    did: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    random: random.Random = field(default_factory=lambda: random.Random(20261122))

    def route(self, engine: str, *, bad: bool) -> Any:
        def handle(request: RecordedRequest) -> Any:
            query = request.query["q"]
            way = self.random.choice([*TELLS, "good", "good"]) if bad else "good"
            self.did.setdefault((engine, query), []).append(way)
            return played(way, engine, query)

        return handle


@pytest.fixture
async def chaos() -> AsyncIterator[Chaos]:
    made = Chaos()
    async with AsyncExitStack() as stack:
        for engine, bad in (("one", True), ("two", True), ("three", False)):
            site = await stack.enter_async_context(LoopbackSite())
            site.route("/*", made.route(engine, bad=bad))
            made.sites[engine] = site
        yield made


def open_sockets() -> int:
    """Of this process."""
    links = [path.readlink() for path in Path("/proc/self/fd").iterdir() if path.is_symlink()]
    return sum(str(link).startswith("socket:") for link in links)


class Lag:
    """How late the event loop itself was at most: a busy machine's delay is not the chain's."""

    def __init__(self) -> None:
        self.worst = 0.0

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            before = loop.time()
            await asyncio.sleep(0.01)
            self.worst = max(self.worst, loop.time() - before - 0.01)


@pytest.mark.parametrize("strategy", ["fallback", "fuse"])
@pytest.mark.parametrize(
    ("engines", "searches"),
    [(("one", "two", "three"), SEARCHES // 2), (("one", "two"), 300)],
    ids=["two of three misbehave", "all misbehave"],
)
async def test_engines_of_chaos(strategy: str, engines: tuple[str, ...], searches: int, chaos: Chaos) -> None:
    sockets, tasks = open_sockets(), len(asyncio.all_tasks())
    slots = asyncio.Semaphore(AT_ONCE)
    ends = Counter[str]()
    late: list[float] = []

    async def one(searching: Searcher, clock: SystemClock, query: str) -> None:
        async with slots:
            seconds = chaos.random.uniform(*DEADLINES_S)
            deadline = clock.monotonic() + seconds
            try:
                found = await searching.search(SearchRequest(query=query, caller=Caller(deadline=deadline)))
            except AllSourcesFailed as error:
                ends["error"] += 1
                ends["failure"] += len(error.failures)
                for failure in error.failures:
                    # resting, out of time, or what the engine did to this very query
                    did = chaos.did.get((failure.source, query), [])
                    short = failure.code is Code.TIMEOUT and (seconds < LONG_ENOUGH_S or lag.worst > LATE_S)
                    rests = failure.detail.startswith("resting")
                    assert short or rests or any(failure.code in TELLS.get(way, ()) for way in did), (failure, did)
                patient = "three" in engines and seconds >= LONG_ENOUGH_S and lag.worst <= LATE_S
                assert not patient, "the third engine had the answer"
            else:
                ends["answer"] += 1
                shown = [hit.url for hit in found.hits]
                assert shown
                assert len(shown) == len(set(shown)), "a hit is doubled"
                for hit in found.hits:
                    assert query in hit.url
                    sources = hit.found_by or (hit.source,)
                    assert all("good" in chaos.did[source, query] for source in sources)
            late.append(clock.monotonic() - deadline)

    async with Lag() as lag:
        for start in range(0, searches, PER_START):
            clock = SystemClock()
            ctx = context("chaos", clock=clock)
            backends = [Engine(name, ctx.api(chaos.sites[name].url)) for name in engines]
            chain = settings(strategy=strategy, backend_timeout_s=ENGINE_S)
            searching = Searcher(backends, Guards(chain, clock, Told()), MemoryStore(clock, 10_000_000))
            async with asyncio.TaskGroup() as group:
                for number in range(start, start + PER_START):
                    group.create_task(one(searching, clock, f"{strategy}{len(engines)}q{number}"))
            await ctx.aclose()
            await ctx.web.aclose()
    for site in chaos.sites.values():
        async with asyncio.timeout(60):
            await site.idle()
    for _ in range(10):  # a closed transport gives its socket back in a later round of the loop
        await asyncio.sleep(0)

    assert ends["answer"] + ends["error"] == len(late) == searches
    assert max(late) <= LATE_S + 2 * lag.worst  # the timer and the task after it may each be late
    assert ends["answer"]
    assert ends["failure"] >= ends["error"]
    assert ends["error"] or "three" in engines  # on a quiet machine the third one answers every search in time
    assert {way for ways in chaos.did.values() for way in ways} >= set(TELLS), "every kind of trouble was met"
    # a paid call is made once: again only after an answer that is not billed
    for ways in chaos.did.values():
        assert len(ways) == 1 or all(way == "429" for way in ways[:-1])
    assert len(asyncio.all_tasks()) == tasks
    assert open_sockets() == sockets, "a socket was left open"
