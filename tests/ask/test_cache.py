"""What is kept, for whom and how long, through `Searcher` and `PageReader` alike."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from websearch_core.asking.read.page_reader import PageReader
from websearch_core.asking.search.searcher import Searcher
from websearch_core.asking.source.answer_cache import STORE_AGAIN_S, AnswerCache, CachedSearch, key_of
from websearch_core.asking.source.guarded_source import Guards
from websearch_core.contract.clock import SystemClock
from websearch_core.contract.errors import (
    AllSourcesFailed,
    BackendError,
    BlockedByFilter,
    Code,
    NetworkFailed,
    NotFound,
    Paywalled,
    PlanMismatch,
    RateLimited,
    Refused,
    ServerFailed,
    UnexpectedResponse,
    WebsearchError,
)
from websearch_core.contract.interfaces import Store
from websearch_core.contract.models import Caller, FetchRequest, Hit, Page, SearchRequest
from websearch_core.contract.results import Answer
from websearch_core.stores import sqlite
from websearch_core.stores.memory import MemoryStore
from websearch_core.stores.sqlite import SqliteStore

from .fakes import EPOCH, Backend, Opener, Reader, Told, TurnedClock, download, hit, hits, settings

URL = "https://example.com/page"


@pytest.fixture
def searching(clock: TurnedClock, store: MemoryStore) -> Callable[..., Searcher]:
    def make(*backends: Backend, store: Store = store, **changes: Any) -> Searcher:
        return Searcher(backends, Guards(settings(**changes), clock, Told()), store)

    return make


@pytest.fixture
def reading(clock: TurnedClock, store: MemoryStore) -> Callable[..., PageReader]:
    def make(*fetchers: Opener, store: Store = store, **changes: Any) -> PageReader:
        return PageReader(fetchers, [Reader("text", "text/plain")], Guards(settings(**changes), clock, Told()), store)

    return make


def ask(**fields: Any) -> SearchRequest:
    return SearchRequest(**{"query": "q", **fields})


def get(**fields: Any) -> FetchRequest:
    return FetchRequest(**{"url": URL, **fields})


BASE = ask()


@pytest.mark.parametrize(
    "other",
    [
        {"query": "r"},
        {"max_results": 9},
        {"content_mode": "text"},
        {"max_content_chars": 9},
        {"user_location_country": "DE"},
        {"language": "de"},
        {"allowed_domains": ("a.com",)},
        {"excluded_domains": ("a.com",)},
        {"category": "news"},
        {"start_published_date": datetime(2026, 1, 1, tzinfo=UTC)},
        {"end_published_date": datetime(2026, 1, 1, tzinfo=UTC)},
        {"time_range": "day"},
        {"safesearch": "strict"},
        {"vertical": "news"},
        {"caller": Caller(tenant="a")},
    ],
)
def test_the_key_changes_with_all_that_changes_the_answer(other: dict[str, Any]) -> None:
    assert key_of(ask(**other), ["one"]) != key_of(BASE, ["one"])


@pytest.mark.parametrize(
    "other",
    [{"max_age_hours": 5}, {"caller": Caller(session="s", deadline=5.0, families={"pii": True})}, {"query": " q "}],
)
def test_the_key_does_not_change_with_the_rest(other: dict[str, Any]) -> None:
    assert key_of(ask(**other), ["one"]) == key_of(BASE, ["one"])


def test_the_key_changes_with_the_sources_and_holds_neither_query_nor_address() -> None:
    assert key_of(BASE, ["one"]) != key_of(BASE, ["two"])
    assert key_of(BASE, ["one", "two"]) != key_of(BASE, ["two", "one"])
    key = key_of(get(url="https://secret.example/", caller=Caller(tenant="a:b/c")), [])
    assert "secret" not in key
    assert key.startswith("page:a%3Ab%2Fc:")


async def test_a_second_search_is_answered_from_the_cache_with_its_age(searching, clock: TurnedClock) -> None:
    full = Hit(
        url="https://a.com/",
        title="T",
        snippet="s ☃",
        body="# H",
        published=datetime(2026, 1, 2, tzinfo=UTC),
        outline=((1, "H", 0),),
        hidden="x",
        score=0.5,
    )
    one = Backend("one", Answer(hits=(full,), notes=("n",), cost=2))
    made = searching(one)
    fresh = await made.search(ask())
    clock.passed += 90
    kept = await made.search(ask())
    assert (kept.hits, kept.notes, kept.backends) == (fresh.hits, fresh.notes, fresh.backends)
    assert (kept.cached, kept.age, kept.cost) == (True, 90, None)
    assert [step.by for step in kept.trail] == ["cache", "one"]
    assert len(one.asked) == 1


async def test_an_answer_is_asked_for_anew_when_its_time_is_over(searching, clock: TurnedClock) -> None:
    one = Backend("one", hits("a.com"))
    made = searching(one, cache_ttl_s=100)
    await made.search(ask())
    clock.passed += 100
    assert not (await made.search(ask())).cached
    assert len(one.asked) == 2


async def test_one_tenant_never_sees_what_is_kept_for_another(searching) -> None:
    one = Backend("one", hits("a.com"))
    made = searching(one)
    for tenant in ("a", "b", "", "a"):
        await made.search(ask(caller=Caller(tenant=tenant)))
    assert [request.caller.tenant for request in one.asked] == ["a", "b", ""]


async def test_empty_answers_are_kept_only_briefly(searching, clock: TurnedClock) -> None:
    one = Backend("one", ())
    made = searching(one, negative_ttl_s=30)
    await made.search(ask())
    clock.passed += 29
    assert (await made.search(ask())).cached
    clock.passed += 1
    assert not (await made.search(ask())).cached


async def test_a_makeshift_answer_is_kept_only_briefly(searching, clock: TurnedClock) -> None:
    made = searching(Backend("web", ServerFailed()), Backend("library", hits("l.com"), always_merged=True))
    await made.search(ask())
    clock.passed += 31
    assert not (await made.search(ask())).cached


@pytest.mark.parametrize(
    ("errors", "asked_again_after"),
    [
        ([PlanMismatch()], 30),
        ([PlanMismatch(), UnexpectedResponse("x")], 30),
        ([RateLimited(retry_after=10)], 0),
        ([RateLimited(retry_after=500)], 0),
        ([RateLimited()], 0),
        ([ServerFailed()], 0),
        ([PlanMismatch(), NetworkFailed()], 0),
    ],
)
async def test_failures_are_kept_briefly_and_only_when_a_retry_is_useless(
    errors: list[BackendError], asked_again_after: float, searching, clock: TurnedClock
) -> None:
    backends = [Backend(f"b{number}", error) for number, error in enumerate(errors)]
    made = searching(*backends, negative_ttl_s=30)
    with pytest.raises(AllSourcesFailed) as first:
        await made.search(ask())
    if asked_again_after:
        clock.passed += asked_again_after - 0.5
        with pytest.raises(AllSourcesFailed) as kept:
            await made.search(ask())
        assert kept.value.failures == first.value.failures
        clock.passed += 0.5
    with pytest.raises(AllSourcesFailed) as again:
        await made.search(ask())
    resting = any(failure.detail.startswith("resting") for failure in again.value.failures)
    assert resting or len(backends[0].asked) == 2


async def test_live_skips_the_read_and_writes(searching) -> None:
    one = Backend("one", hits("a.com"), hits("b.com"))
    made = searching(one)
    await made.search(ask())
    live = await made.search(ask(max_age_hours=0))
    assert not live.cached
    assert (await made.search(ask())).hits == live.hits


async def test_cache_only_never_asks(searching, clock: TurnedClock) -> None:
    one = Backend("one", hits("a.com"))
    made = searching(one)
    with pytest.raises(AllSourcesFailed, match="not in the cache") as refused:
        await made.search(ask(max_age_hours=-1))
    assert refused.value.failures[0].code is Code.NOT_FOUND
    assert one.asked == []
    await made.search(ask())
    clock.passed += 3000
    assert (await made.search(ask(max_age_hours=-1))).age == 3000


async def test_an_age_in_hours_is_kept_to(searching, clock: TurnedClock) -> None:
    one = Backend("one", hits("a.com"))
    made = searching(one, cache_ttl_s=86_400)
    await made.search(ask())
    clock.passed += 7199
    assert (await made.search(ask(max_age_hours=2))).cached
    clock.passed += 1
    assert not (await made.search(ask(max_age_hours=2))).cached


async def test_without_a_time_nothing_is_kept(searching, store: MemoryStore) -> None:
    await searching(Backend("one", hits("a.com")), cache_ttl_s=0).search(ask())
    assert store.size == 0


class FullStore(MemoryStore):
    """Cannot be written."""

    calls = 0

    async def get(self, key: str) -> bytes | None:
        self.calls += 1
        return await super().get(key)

    async def set(self, key: str, value: bytes, ttl: float | None = None) -> None:
        self.calls += 1
        raise OSError("disk: the secret query")


class BrokenStore(FullStore):
    """Cannot be read either."""

    async def get(self, key: str) -> bytes | None:
        self.calls += 1
        raise OSError("disk: the secret query")


@pytest.mark.parametrize(("broken", "verb"), [(BrokenStore, "read"), (FullStore, "written")])
async def test_a_broken_store_fails_no_request(
    broken: type[FullStore], verb: str, searching, reading, clock: TurnedClock, caplog: pytest.LogCaptureFixture
) -> None:
    store = broken(clock, 1000)
    with caplog.at_level(logging.DEBUG):
        assert (await searching(Backend("one", hits("a.com")), store=store).search(ask())).hits
        assert (await reading(Opener("http", download()), store=store).fetch(get())).page.body
    assert f"the store could not be {verb} (OSError): answers are neither kept nor reused" in caplog.text
    assert "secret" not in caplog.text


async def test_a_store_that_says_what_to_do_is_quoted(searching, clock: TurnedClock, caplog) -> None:
    class Explains(FullStore):
        async def set(self, key: str, value: bytes, ttl: float | None = None) -> None:
            raise WebsearchError("/data/store.db: the disk is full; make room there")

    assert (await searching(Backend("one", hits("a.com")), store=Explains(clock, 1000)).search(ask())).hits
    assert "the store could not be written (/data/store.db: the disk is full; make room there)" in caplog.text


async def test_a_store_that_failed_is_left_alone_for_a_while_and_mentioned_once(
    clock: TurnedClock, caplog: pytest.LogCaptureFixture
) -> None:
    store = BrokenStore(clock, 1000)
    cache = AnswerCache(store, clock, settings())
    kept = CachedSearch(written=clock.now())
    for _ in range(3):
        assert await cache.read("k", CachedSearch) is None
        await cache.keep("k", kept)
    assert store.calls == 1
    clock.passed += STORE_AGAIN_S
    assert await cache.read("k", CachedSearch) is None
    assert store.calls == 2
    assert caplog.text.count("the store could not") == 1


async def test_a_store_that_works_again_is_used_again(clock: TurnedClock) -> None:
    store = MemoryStore(clock, 1000)
    cache = AnswerCache(store, clock, settings())
    kept = CachedSearch(written=clock.now())
    with patch.object(store, "set", side_effect=OSError):
        await cache.keep("k", kept)
    clock.passed += STORE_AGAIN_S
    await cache.keep("k", kept)
    assert await cache.read("k", CachedSearch) == kept


async def test_a_store_that_another_process_has_locked_delays_no_answer(tmp_path: Path, searching) -> None:
    path = tmp_path / "store.db"
    store = SqliteStore(path, SystemClock(), 1_000_000)
    await store.start()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    made = searching(Backend("one", hits("a.com")), store=store)
    began = time.monotonic()
    answers = await asyncio.gather(*(made.search(ask(query=str(number))) for number in range(2)))
    took = time.monotonic() - began
    other.close()
    await store.aclose()
    assert all(answer.hits for answer in answers)
    assert took < sqlite.BUSY_MS / 1000


@pytest.mark.parametrize("failing", ["delete", "set"])
async def test_what_the_store_could_not_forget_is_not_read_and_what_comes_later_is(
    failing: str, clock: TurnedClock
) -> None:
    store = MemoryStore(clock, 1_000_000)
    cache = AnswerCache(store, clock, settings())
    await cache.keep("gone", CachedSearch(written=clock.now()))
    with patch.object(store, failing, side_effect=OSError):
        await cache.keep("other", CachedSearch(written=clock.now()))
        await cache.forget("gone")
    clock.passed += STORE_AGAIN_S
    assert await cache.read("gone", CachedSearch) is None
    await cache.keep("gone", kept := CachedSearch(written=clock.now()))
    assert await cache.read("gone", CachedSearch) == kept


async def test_text_that_is_none_is_no_fault_of_the_store(clock: TurnedClock) -> None:
    cache = AnswerCache(MemoryStore(clock, 1000), clock, settings())
    await cache.keep("bad", CachedSearch(written=clock.now(), notes=("\ud800",)))
    await cache.keep("good", kept := CachedSearch(written=clock.now()))
    assert await cache.read("good", CachedSearch) == kept


@pytest.mark.parametrize("entry", [b"", b"{", b'{"written": 1, "of_a_later_version": 2}', b"\xff\xfe"])
async def test_an_entry_of_another_form_is_as_none(entry: bytes, searching, store: MemoryStore) -> None:
    made = searching(Backend("one", hits("a.com")))
    await made.search(ask())
    (key,) = store._entries
    await store.set(key, entry)
    assert not (await made.search(ask())).cached


async def test_text_that_cannot_be_kept_is_answered_all_the_same(searching) -> None:
    made = searching(Backend("one", (Hit(url="https://a.com", snippet="ok").model_copy(update={"snippet": "\ud800"}),)))
    assert (await made.search(ask())).hits[0].snippet == "?"


async def test_a_page_is_kept_whole(reading, clock: TurnedClock) -> None:
    full = Page.from_markdown(
        "# H\n\ntext", url=URL, title="T", links=("https://a.com/",), hidden="h", etag='"1"', media_type="text/html"
    )
    http = Opener("http", full)
    made = reading(http)
    fresh = await made.fetch(get())
    clock.passed += 60
    kept = await made.fetch(get())
    assert kept.page == fresh.page.model_copy(update={"age": 60.0})
    assert (kept.cached, kept.age, fresh.cached, fresh.age) == (True, 60, False, None)
    assert len(http.asked) == 1


@pytest.mark.parametrize(
    "fields", [{"allowed_domains": ("example.com",)}, {"max_bytes": 10}, {"caller": Caller(tenant="a")}]
)
async def test_a_page_is_kept_for_those_who_ask_the_same(fields: dict[str, Any], reading) -> None:
    http = Opener("http", download())
    made = reading(http)
    await made.fetch(get())
    await made.fetch(get(**fields))
    assert len(http.asked) == 2


async def test_an_old_page_is_asked_for_with_its_validators_and_renewed_by_a_304(reading, clock: TurnedClock) -> None:
    moment = datetime.fromtimestamp(EPOCH + 4000, UTC)
    headers = {"etag": '"1"', "last-modified": "Fri, 20 Nov 2026 10:00:00 GMT"}
    http = Opener(
        "http", download(headers=headers), download(status=304, body=b"", fetched_at=moment, headers={"etag": '"2"'})
    )
    made = reading(http, cache_ttl_s=3600)
    first = await made.fetch(get())
    clock.passed += 4000
    renewed = await made.fetch(get())
    assert (http.asked[1].etag, http.asked[1].last_modified) == (headers["etag"], headers["last-modified"])
    assert (renewed.page.body, renewed.page.fetched_at, renewed.page.etag) == (first.page.body, moment, '"2"')
    assert (renewed.cached, renewed.age) == (True, 0)
    clock.passed += 100
    assert (await made.fetch(get())).age == 100
    assert len(http.asked) == 2


@pytest.mark.parametrize("said", ["Sat, 21 Nov 2026 10:00:00 GMT", ""])
async def test_a_304_may_name_a_later_change_which_is_asked_with_next(reading, clock: TurnedClock, said: str) -> None:
    before = "Fri, 20 Nov 2026 10:00:00 GMT"
    unchanged = download(status=304, body=b"", headers={"last-modified": said} if said else {})
    http = Opener("http", download(headers={"last-modified": before}), unchanged, unchanged)
    made = reading(http, cache_ttl_s=3600)
    for _ in range(3):
        await made.fetch(get())
        clock.passed += 4000
    assert [request.last_modified for request in http.asked] == ["", before, said or before]


async def test_a_304_that_says_nothing_of_age_leaves_what_was_said(reading, clock: TurnedClock) -> None:
    first = download(headers={"etag": '"1"', "cache-control": "max-age=60"})
    unchanged = download(status=304, body=b"", headers={}, fetched_at=datetime.fromtimestamp(EPOCH + 61, UTC))
    http = Opener("http", first, unchanged, unchanged)
    made = reading(http)
    for passed, asked in ((0, 1), (61, 2), (59, 2), (2, 3)):
        clock.passed += passed
        await made.fetch(get())
        assert len(http.asked) == asked


@pytest.mark.parametrize(
    ("reached", "sent"),
    [(URL, True), ("HTTPS://Example.com:443/page#top", True), ("https://elsewhere.example/page", False), ("?", False)],
)
async def test_validators_go_only_to_the_address_that_gave_them(
    reached: str, sent: bool, reading, clock: TurnedClock
) -> None:
    first = download(final_url=reached, headers={"etag": '"1"', "last-modified": "yesterday"})
    http = Opener("http", first, download(status=304, body=b""))
    made = reading(http, cache_ttl_s=10)
    await made.fetch(get())
    clock.passed += 10
    if sent:
        assert (await made.fetch(get())).cached
    else:
        with pytest.raises(UnexpectedResponse):
            await made.fetch(get())
    assert bool(http.asked[1].etag and http.asked[1].last_modified) is sent


async def test_a_page_is_not_kept_for_callers_whose_filters_differ(reading) -> None:
    http = Opener("http", download())
    made = reading(http)
    for families in ({}, {"pii": False}, {"pii": True, "injection": True}, {"injection": True, "pii": True}):
        await made.fetch(get(caller=Caller(families=families)))
    assert len(http.asked) == 3


async def test_a_changed_page_replaces_the_old_one(reading, clock: TurnedClock) -> None:
    http = Opener("http", download(headers={"etag": '"1"'}), download(body=b"new"))
    made = reading(http, cache_ttl_s=10)
    await made.fetch(get())
    clock.passed += 10
    changed = await made.fetch(get())
    assert (changed.page.body, changed.cached) == ("text: new", False)


async def test_an_old_page_serves_those_who_accept_its_age(reading, clock: TurnedClock) -> None:
    http = Opener("http", download())
    made = reading(http, cache_ttl_s=10)
    await made.fetch(get())
    clock.passed += 5 * 3600
    assert (await made.fetch(get(max_age_hours=6))).age == 5 * 3600
    assert (await made.fetch(get(max_age_hours=-1))).cached
    assert len(http.asked) == 1
    clock.passed += 24 * 3600
    with pytest.raises(NotFound, match="not in the cache"):
        await made.fetch(get(max_age_hours=-1))


async def test_a_passing_failure_does_not_lose_the_old_copy(reading, clock: TurnedClock) -> None:
    http = Opener("http", download(headers={"etag": '"1"'}), NetworkFailed(), download(status=304))
    made = reading(http, cache_ttl_s=10)
    await made.fetch(get())
    clock.passed += 10
    old = await made.fetch(get())
    assert (old.cached, old.age, old.page.body) == (True, 10.0, "text: text")
    assert old.notes == ("the site could not be asked (network), so this is an older copy",)
    renewed = await made.fetch(get())
    assert (renewed.page.body, renewed.age, renewed.notes) == ("text: text", 0.0, ())


async def test_a_304_that_nobody_asked_for_is_drift(reading) -> None:
    http = Opener("http", download(status=304))
    with pytest.raises(UnexpectedResponse):
        await reading(http).fetch(get(etag='"of the caller"'))
    assert http.asked[0].etag == ""


@pytest.mark.parametrize(
    ("error", "kept"),
    [
        (NotFound(), True),
        (Paywalled("pay"), True),
        (UnexpectedResponse("x"), True),
        (NetworkFailed(), False),
        (Refused("not in allowlist"), False),
        (BlockedByFilter("names"), False),
    ],
)
async def test_a_pages_failure_is_kept_only_if_it_holds_for_everybody(error: BackendError, kept: bool, reading) -> None:
    http = Opener("http", error)
    made = reading(http)
    for _ in range(2):
        with pytest.raises(type(error), match=error.detail):
            await made.fetch(get())
    assert len(http.asked) == (1 if kept else 2)
    if kept:
        with pytest.raises(NotFound, match="not in the cache"):
            await made.fetch(get(max_age_hours=-1))


async def test_another_process_reads_what_one_kept(searching, store: MemoryStore) -> None:
    await searching(Backend("one", (hit("a.com"),))).search(ask())
    other = Backend("one", ServerFailed())
    assert (await searching(other).search(ask())).cached
    assert other.asked == []


async def test_what_is_kept_in_a_file_is_there_after_a_restart(
    searching, reading, clock: TurnedClock, tmp_path: Path
) -> None:
    for cached in (False, True):
        file = SqliteStore(tmp_path / "store.db", clock, 1_000_000)
        await file.start()
        assert (await searching(Backend("one", hits("a.com")), store=file).search(ask())).cached is cached
        assert (await reading(Opener("http", download()), store=file).fetch(get())).cached is cached
        await file.aclose()


def said(cache_control: str, **headers: str) -> dict[str, Any]:
    return {"headers": {"cache-control": cache_control, **headers}}


@pytest.mark.parametrize(
    ("headers", "fresh"),
    [
        (said("max-age=60"), 60),
        (said("max-age=60, s-maxage=5", age="20"), 40),
        (said("public, max-age=999999"), 3600),
        (said("no-cache"), 0),
        (said("max-age=60", vary="*"), 0),
        (said("max-age=60", vary="accept"), 60),
        (said('max-age="60"'), 60),
        (said("max-age=60, max-age=5"), 60),
        (said("max-age=x"), 0),
        (said("", expires="Thu, 01 Jan 1970 00:01:00 GMT", date="Thu, 01 Jan 1970 00:00:30 GMT"), 30),
        (said("", expires="0", date="Thu, 01 Jan 1970 00:00:30 GMT"), 0),
        (said("public"), 3600),
        (said("no-store"), 0),
    ],
    ids=str,
)
async def test_a_site_says_how_long_a_page_is_fresh(headers: Any, fresh: int, reading, clock: TurnedClock) -> None:
    http = Opener("http", download(**headers))
    made = reading(http)
    await made.fetch(get())
    for age, asked in ((fresh - 1, 1), (1, 2)) if fresh else ((0, 2),):
        clock.passed += age
        await made.fetch(get())
        assert len(http.asked) == asked


async def test_a_caller_may_take_an_older_copy_unless_the_site_insists(reading, clock: TurnedClock) -> None:
    for says, asked in (("max-age=1", 1), ("max-age=1, must-revalidate", 2)):
        http = Opener("http", download(headers={"cache-control": says}))
        made = reading(http)
        await made.fetch(get())
        clock.passed += 60
        await made.fetch(get(max_age_hours=1))
        assert len(http.asked) == asked


@pytest.mark.parametrize(
    ("says", "setting", "passed", "served"),
    [
        ("max-age=10", 86_400.0, 3600, True),
        ("max-age=10, stale-if-error=60", 86_400.0, 69, True),
        ("max-age=10, stale-if-error=60", 86_400.0, 71, False),
        ("max-age=10, must-revalidate", 86_400.0, 11, False),
        ("max-age=10", 0.0, 11, False),
    ],
)
async def test_an_old_copy_stands_in_for_a_site_that_cannot_be_asked(
    says: str, setting: float, passed: int, served: bool, reading, clock: TurnedClock
) -> None:
    http = Opener("http", download(headers={"cache-control": says}), ServerFailed())
    made = reading(http, stale_if_error_s=setting)
    await made.fetch(get())
    clock.passed += passed
    if served:
        assert (await made.fetch(get())).notes
    else:
        with pytest.raises(ServerFailed):
            await made.fetch(get())
    with pytest.raises(ServerFailed):
        await made.fetch(get(max_age_hours=0))


async def test_a_page_that_is_gone_is_not_stood_in_for(reading, clock: TurnedClock) -> None:
    made = reading(Opener("http", download(headers={"cache-control": "max-age=10"}), NotFound()))
    await made.fetch(get())
    clock.passed += 11
    with pytest.raises(NotFound):
        await made.fetch(get())


async def test_an_old_copy_is_shown_while_the_site_is_asked(reading, clock: TurnedClock) -> None:
    headers = {"cache-control": "max-age=10, stale-while-revalidate=60"}
    http = Opener("http", download(headers=headers), download(body=b"new", headers=headers))
    made = reading(http)
    await made.fetch(get())
    clock.passed += 30
    old = await made.fetch(get())
    assert (old.page.body, old.age) == ("text: text", 30.0)
    for _ in range(20):
        await asyncio.sleep(0)
    assert (await made.fetch(get())).page.body == "text: new"
    assert len(http.asked) == 2
    await made.aclose()


async def test_what_goes_on_in_the_background_ends_with_the_server(reading, clock: TurnedClock) -> None:
    stopped: list[str] = []

    async def hang(_: FetchRequest) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            stopped.append("hang")
            raise

    headers = {"cache-control": "max-age=10, stale-while-revalidate=60"}
    made = reading(Opener("http", download(headers=headers), hang))
    await made.fetch(get())
    clock.passed += 30
    await made.fetch(get())
    for _ in range(20):
        await asyncio.sleep(0)
    await made.aclose()
    assert stopped == ["hang"]


async def test_a_bug_in_the_background_is_told_without_its_words(
    reading, clock: TurnedClock, caplog: pytest.LogCaptureFixture
) -> None:
    made = reading(Opener("http", download(headers={"cache-control": "max-age=1, stale-while-revalidate=60"})))
    await made.fetch(get())
    clock.passed += 30
    with patch.object(made, "_asking", side_effect=RuntimeError("what the page said")):
        await made.fetch(get())
        for _ in range(5):
            await asyncio.sleep(0)
    assert [record.getMessage() for record in caplog.records] == ["a page could not be renewed (RuntimeError)"]
    assert not caplog.records[0].exc_info
