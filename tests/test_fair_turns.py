"""Turns at a few places: nobody has them all while others may come, and whoever has the fewest is next."""

from __future__ import annotations

import asyncio

import pytest

from websearch_core.startup.fair_queue import Asker, FairQueue


class Queue:
    """Who has a place, by name; each holds it until told to leave."""

    def __init__(self, places: int) -> None:
        self.turns = FairQueue(places)
        self.there: list[str] = []
        self._leave: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def comes(self, *names: str) -> None:
        """ "alice/1a" is a page `a` of alice's first call; a name before the slash may be empty."""
        for name in names:
            self._leave[name] = asyncio.Event()
            self._tasks[name] = asyncio.create_task(self._stay(name))
        await self._settled()

    async def leaves(self, name: str) -> None:
        self._leave[name].set()
        await self._settled()

    async def gives_up(self, name: str) -> None:
        self._tasks[name].cancel()
        await self._settled()

    async def _stay(self, name: str) -> None:
        tenant, _, page = name.partition("/")
        asker = Asker(tenant, page[:1])
        await self.turns.acquire(asker)
        self.there.append(name)
        try:
            await self._leave[name].wait()
        finally:
            self.there.remove(name)
            self.turns.release(asker)

    async def _settled(self) -> None:
        for _ in range(10):
            await asyncio.sleep(0)


@pytest.mark.parametrize("pages", [[f"alice/1{n}" for n in "abcdefgh"], [f"/1{n}" for n in "abcdefgh"]])
async def test_one_callers_pages_leave_a_place_for_others(pages: list[str]) -> None:
    queue = Queue(3)
    await queue.comes(*pages)
    assert queue.there == pages[:2]
    await queue.comes("bob/1a")
    assert queue.there == [*pages[:2], "bob/1a"]
    await queue.leaves("bob/1a")
    assert queue.there == pages[:2]
    await queue.leaves(pages[0])
    assert queue.there == pages[1:3]


async def test_many_calls_of_one_caller_have_one_share() -> None:
    queue = Queue(3)
    await queue.comes("alice/1a", "alice/2a", "alice/3a", "bob/1a")
    assert queue.there == ["alice/1a", "alice/2a", "bob/1a"]


async def test_who_has_fewer_is_before_who_came_earlier() -> None:
    queue = Queue(3)
    await queue.comes("alice/1a", "alice/1b", "bob/1a", "alice/1c", "alice/1d", "carol/1a")
    await queue.leaves("alice/1a")
    assert queue.there == ["alice/1b", "bob/1a", "carol/1a"]
    await queue.leaves("bob/1a")
    assert queue.there == ["alice/1b", "carol/1a"]
    await queue.leaves("alice/1b")
    assert queue.there == ["carol/1a", "alice/1c"]


async def test_of_one_caller_the_call_with_fewer_is_next() -> None:
    queue = Queue(4)
    await queue.comes("alice/1a", "alice/1b", "alice/1c", "alice/1d", "alice/2a")
    await queue.leaves("alice/1a")
    assert queue.there == ["alice/1b", "alice/1c", "alice/2a"]


async def test_the_only_place_is_for_anybody() -> None:
    queue = Queue(1)
    await queue.comes("alice/1a", "alice/1b")
    await queue.leaves("alice/1a")
    assert queue.there == ["alice/1b"]


async def test_who_gives_up_takes_no_place_away() -> None:
    queue = Queue(1)
    await queue.comes("alice/1a", "bob/1a", "carol/1a")
    await queue.gives_up("bob/1a")
    await queue.gives_up("alice/1a")
    assert queue.there == ["carol/1a"]


async def test_who_gives_up_just_when_it_is_given_a_place_gives_it_back() -> None:
    queue = Queue(1)
    await queue.comes("alice/1a", "bob/1a", "carol/1a")
    queue._leave["alice/1a"].set()
    for _ in range(10):
        await asyncio.sleep(0)
        if not queue.there:
            queue._tasks["bob/1a"].cancel()
            break
    await queue._settled()
    assert queue.there == ["carol/1a"]
