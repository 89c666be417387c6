"""robots.txt is asked about once, before anybody is asked for the page, whoever that would be."""

from __future__ import annotations

from typing import Any

import pytest

from websearch_core.asking.read.page_reader import PageReader
from websearch_core.asking.source.guarded_source import Guards
from websearch_core.contract.errors import BackendError, InvalidRequest, Refused, ServerFailed
from websearch_core.contract.models import FetchRequest, Page
from websearch_core.net.robots import Disallowed, Unread
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing.fakes import FakeRobots

from .fakes import Opener, Reader, Told, TurnedClock, download, settings

URL = "https://example.com/page"


def reading(clock: TurnedClock, robots: FakeRobots, *fetchers: Opener) -> PageReader:
    store = MemoryStore(clock, 1_000_000)
    return PageReader(
        fetchers, [Reader("text", "text/plain")], Guards(settings(), clock, Told()), store, permit=robots.permit
    )


def get(**fields: Any) -> FetchRequest:
    return FetchRequest(url=URL, obey_robots=True, **fields)


@pytest.mark.parametrize(("readable", "error"), [(True, Disallowed), (False, Unread)])
@pytest.mark.parametrize("remote", [False, True])
async def test_what_robots_txt_forbids_nobody_is_asked_for(clock, remote: bool, readable: bool, error: Any) -> None:
    fetchers = Opener("first", download(), remote=remote), Opener("second", download())
    robots = FakeRobots(lambda _: True, readable=readable)
    with pytest.raises(error) as caught:
        await reading(clock, robots, *fetchers).fetch(get())
    assert caught.value.retry_helps is not readable
    assert not any(fetcher.asked for fetcher in fetchers)


async def test_it_is_asked_about_once_however_many_are_asked(clock) -> None:
    robots = FakeRobots()
    fetchers = Opener("first", ServerFailed()), Opener("second", ServerFailed()), Opener("third", download())
    await reading(clock, robots, *fetchers).fetch(get())
    assert robots.asked == [URL]


async def test_it_is_not_asked_about_unasked(clock) -> None:
    robots = FakeRobots(lambda _: True)
    await reading(clock, robots, Opener("first", download())).fetch(FetchRequest(url=URL))
    assert robots.asked == []


async def test_a_stored_copy_needs_no_leave(clock) -> None:
    robots = FakeRobots(lambda _: True)
    stored = Opener("stored", download(), stored=True)
    read = await reading(clock, robots, stored, Opener("live", download())).fetch(get())
    assert (read.trail[-1].by, robots.asked) == ("stored", [])


async def test_an_unreadable_robots_txt_leaves_an_old_copy(clock) -> None:
    robots = FakeRobots()
    opener = Opener("http", download(headers={"cache-control": "max-age=10"}))
    made = reading(clock, robots, opener)
    await made.fetch(get())
    clock.passed += 20
    robots.forbids, robots.readable = lambda _: True, False
    for _ in range(2):
        assert (await made.fetch(get())).cached
    robots.readable = True
    with pytest.raises(Refused):
        await made.fetch(get())


@pytest.mark.parametrize(
    ("reached", "error"),
    [("https://other.example/secret", Disallowed), ("https://other.example/", None), ("https://[", InvalidRequest)],
)
async def test_where_a_remote_fetcher_was_led_is_asked_about_too(
    clock, reached: str, error: type[BackendError] | None
) -> None:
    robots = FakeRobots(lambda url: "secret" in url)
    remote = Opener("remote", Page(url=URL, final_url=reached, body="text"), remote=True)
    made = reading(clock, robots, remote)
    if error:
        with pytest.raises(error):
            await made.fetch(get())
    else:
        assert (await made.fetch(get())).page.body == "text"
        assert robots.asked == [URL, reached]
