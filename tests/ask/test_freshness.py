"""What a site says of a page's age is kept to, and only who gave a copy is asked whether it is still good."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

from websearch_core.asking.read.cache_control import Freshness, confirmed, freshness_of
from websearch_core.asking.read.page_reader import PageReader
from websearch_core.asking.source.answer_cache import CONTINUED_S, STORE_AGAIN_S
from websearch_core.asking.source.guarded_source import Guards
from websearch_core.contract.errors import NotFound, Refused, ServerFailed
from websearch_core.contract.models import FetchRequest
from websearch_core.net.robots import Unread
from websearch_core.stores.memory import MemoryStore

from .fakes import Opener, Reader, Told, TurnedClock, download, settings

URL = "https://example.com/page"


@pytest.fixture
def reading(clock: TurnedClock, store: MemoryStore) -> Callable[..., PageReader]:
    def make(*fetchers: Opener, **changes: Any) -> PageReader:
        return PageReader(fetchers, [Reader("text", "text/plain")], Guards(settings(**changes), clock, Told()), store)

    return make


def get(**fields: Any) -> FetchRequest:
    return FetchRequest(url=URL, **fields)


def said(cache_control: str, **fields: Any) -> Any:
    return download(headers={"cache-control": cache_control, "etag": '"1"'}, **fields)


@pytest.mark.parametrize(
    ("says", "strict"),
    [
        ("must-revalidate", True),
        ("no-cache", True),
        ("no-cache, stale-if-error=60", True),
        ("stale-if-error=0", False),
        ("max-age=0", False),
        ("", False),
    ],
)
def test_a_site_is_strict_where_it_says_so(says: str, strict: bool) -> None:
    assert freshness_of({"cache-control": says}).strict is strict


def cached(cache_control: str, **headers: str) -> dict[str, str]:
    return {"cache-control": cache_control, **headers}


@pytest.mark.parametrize(
    ("redirects", "together"),
    [
        ([{}], Freshness(fresh_s=600, while_s=60)),
        ([cached("max-age=5")], Freshness(fresh_s=5)),
        (
            [cached("max-age=900, stale-while-revalidate=9, stale-if-error=7")],
            Freshness(fresh_s=600, while_s=9, on_error_s=7),
        ),
        ([{}, cached("no-cache")], Freshness(fresh_s=0, strict=True)),
        ([cached("must-revalidate"), {}], Freshness(fresh_s=600, while_s=60, strict=True)),
        ([{"vary": "Accept-Language"}], Freshness(fresh_s=600, while_s=60, vary=("accept-language",))),
    ],
)
def test_a_document_is_as_fresh_as_what_led_to_it(redirects: list[dict[str, str]], together: Freshness) -> None:
    assert freshness_of(cached("max-age=600, stale-while-revalidate=60"), redirects) == together


def test_a_redirect_that_is_not_to_be_written_down_leads_to_nothing_that_is() -> None:
    assert not freshness_of(cached("max-age=600"), [cached("no-store")]).kept


async def test_the_way_to_a_page_is_asked_for_again_in_its_time(reading, clock: TurnedClock) -> None:
    http = Opener("http", said("max-age=600").model_copy(update={"redirects": (cached("no-cache"),)}))
    made = reading(http)
    for _ in range(2):
        await made.fetch(get())
    assert len(http.asked) == 2


EXPIRED = {"date": "Tue, 01 Jan 2030 00:00:00 GMT", "expires": "Tue, 01 Jan 2030 00:00:00 GMT"}


@pytest.mark.parametrize(
    ("headers", "after"),
    [
        ({}, Freshness(fresh_s=60, while_s=5, strict=True, vary=("accept",))),
        (EXPIRED, Freshness(fresh_s=0, while_s=5, strict=True, vary=("accept",))),
        (cached("max-age=9"), Freshness(fresh_s=9, vary=("accept",))),
        (cached("max-age=9", vary="cookie"), Freshness(fresh_s=9, vary=("cookie",))),
        ({"vary": "*"}, Freshness(fresh_s=0, while_s=5, strict=True, vary=("*",))),
    ],
)
def test_what_a_304_does_not_say_still_holds(headers: dict[str, str], after: Freshness) -> None:
    before = Freshness(fresh_s=60, while_s=5, strict=True, vary=("accept",))
    assert confirmed(before, headers) == after
    assert not confirmed(before, cached("no-store")).kept


def test_of_several_ages_the_first_counts() -> None:
    assert freshness_of(cached("max-age=600", age="500, 10")).fresh_s == 100


@pytest.mark.parametrize(("says", "asked"), [("no-cache", 2), ("max-age=1, stale-if-error=0", 1), ("max-age=1", 1)])
async def test_an_age_that_a_caller_accepts_overrules_all_but_a_strict_site(
    says: str, asked: int, reading, clock: TurnedClock
) -> None:
    http = Opener("http", said(says))
    made = reading(http)
    await made.fetch(get())
    clock.passed += 60
    await made.fetch(get(max_age_hours=24))
    assert len(http.asked) == asked


@pytest.mark.parametrize("says", ["no-cache", "no-cache, stale-if-error=600", "max-age=1, stale-if-error=0"])
async def test_no_old_copy_stands_in_where_the_site_forbids_it(says: str, reading, clock: TurnedClock) -> None:
    made = reading(Opener("http", said(says), ServerFailed()))
    await made.fetch(get())
    clock.passed += 60
    with pytest.raises(ServerFailed):
        await made.fetch(get())


@pytest.mark.parametrize("strict", ["must-revalidate", "no-cache"])
async def test_no_old_copy_is_shown_meanwhile_where_the_site_is_strict(
    strict: str, reading, clock: TurnedClock
) -> None:
    says = f"max-age=1, stale-while-revalidate=600, {strict}"
    made = reading(Opener("http", said(says), said(says, body=b"new")))
    await made.fetch(get())
    clock.passed += 60
    assert (await made.fetch(get())).page.body == "text: new"
    await made.aclose()


@pytest.mark.parametrize("status", [200, 304])
async def test_what_is_not_to_be_written_down_any_more_is_forgotten(status: int, reading, clock: TurnedClock) -> None:
    made = reading(Opener("http", said("max-age=1"), said("no-store", status=status)))
    await made.fetch(get())
    clock.passed += 60
    await made.fetch(get())
    with pytest.raises(NotFound):
        await made.fetch(get(max_age_hours=-1))


@pytest.mark.parametrize("fails", ["before", "then"])
async def test_what_a_store_could_not_forget_is_not_read_again(
    fails: str, reading, clock: TurnedClock, store: MemoryStore
) -> None:
    made = reading(Opener("http", said("max-age=1"), said("no-store"), ServerFailed()))
    await made.fetch(get())
    clock.passed += 60
    with patch.object(store, "get" if fails == "before" else "delete", side_effect=OSError):
        await made.fetch(get())
    clock.passed += STORE_AGAIN_S
    with pytest.raises(NotFound):
        await made.fetch(get(max_age_hours=-1))


@pytest.mark.parametrize(("trouble", "shown"), [(Refused(), False), (Unread(), True), (ServerFailed(), True)])
async def test_a_page_that_must_not_be_asked_for_any_more_is_forgotten(
    trouble: Exception, shown: bool, reading, clock: TurnedClock
) -> None:
    made = reading(Opener("http", said("max-age=1"), trouble))
    await made.fetch(get())
    clock.passed += 60
    if shown:
        assert (await made.fetch(get())).cached
    else:
        with pytest.raises(Refused):
            await made.fetch(get())
    if shown:
        assert (await made.fetch(get(max_age_hours=-1))).page.body == "text: text"
    else:
        with pytest.raises(NotFound):
            await made.fetch(get(max_age_hours=-1))


MANY = ", ".join(f"x-{number}" for number in range(1000))


@pytest.mark.parametrize("vary", ["*", "accept, *", f"{MANY}, accept-language"])
async def test_what_may_be_chosen_by_anything_is_used_again_only_where_the_caller_says_so_and_all_agrees(
    vary: str, reading
) -> None:
    answer = download(headers={"cache-control": "max-age=600", "vary": vary})
    english = Opener("http", answer, sends=lambda _: {"accept-language": "en"})
    for age in (None, None, 24):
        await reading(english).fetch(get(max_age_hours=age))
    assert len(english.asked) == 2
    german = Opener("http", answer, sends=lambda _: {"accept-language": "de"})
    await reading(german).fetch(get(max_age_hours=24))
    assert len(german.asked) == 1


@pytest.mark.parametrize(
    ("vary", "then", "asked"),
    [
        ("Accept-Language", {"accept-language": "de"}, 2),
        ("accept, ACCEPT-LANGUAGE", {"accept": "text/html"}, 2),
        ("Accept-Language", {}, 2),
        ("Accept-Language", {"accept": "text/html", "accept-language": " en  "}, 1),
        ("Cookie", {"accept-language": "de"}, 1),
        ("", {"accept-language": "de"}, 1),
        ("Accept-Language", {"Accept-Language": "de"}, 2),
        ("Accept-Language", {"Accept-Language": "en"}, 1),
        (f"{MANY}, Accept-Language", {"accept-language": "de"}, 2),
    ],
)
async def test_a_copy_is_used_only_for_requests_that_agree_in_what_it_was_chosen_by(
    vary: str, then: dict[str, str], asked: int, reading, clock: TurnedClock
) -> None:
    answer = download(headers={"cache-control": "max-age=600", "vary": vary, "etag": '"1"'})
    http = Opener("http", answer, sends=lambda _: {"accept-language": "en"})
    later = Opener("http", answer, sends=lambda _: then)
    await reading(http).fetch(get())
    made = reading(later)
    for age in (None, 24):
        await made.fetch(get(max_age_hours=age))
    assert len(http.asked) + len(later.asked) == asked
    assert all(request.etag == "" for request in later.asked)


async def test_a_confirmed_copy_is_still_chosen_by_what_it_was(reading, clock: TurnedClock) -> None:
    first = download(headers={"cache-control": "max-age=1", "vary": "accept-language", "etag": '"1"'})
    same = download(status=304, body=b"", headers={"cache-control": "max-age=600"})
    http = Opener("http", first, same, sends=lambda _: {"accept-language": "en"})
    made = reading(http)
    await made.fetch(get())
    clock.passed += 60
    await made.fetch(get())
    await made.fetch(get())
    assert len(http.asked) == 2
    german = Opener("http", first, sends=lambda _: {"accept-language": "de"})
    await reading(german).fetch(get())
    assert len(german.asked) == 1


async def test_a_fetcher_that_cannot_say_what_it_sends_fails_no_request(reading) -> None:
    def broken(_: FetchRequest) -> dict[str, str]:
        raise RuntimeError

    http = Opener("http", download(headers={"vary": "accept"}), sends=broken)
    made = reading(http)
    for _ in range(2):
        assert (await made.fetch(get())).page.body == "text: text"
    assert len(http.asked) == 1


async def test_a_store_that_cannot_forget_fails_no_request(reading, store: MemoryStore) -> None:
    with patch.object(store, "delete", side_effect=OSError) as delete:
        assert (await reading(Opener("http", said("no-store"))).fetch(get())).page.body == "text: text"
    assert delete.called


@pytest.mark.parametrize("early", [True, False])
async def test_a_copy_is_confirmed_only_by_the_fetcher_that_gave_it(early: bool, reading, clock: TurnedClock) -> None:
    def answers(request: FetchRequest) -> Any:
        return download(status=304, body=b"") if request.etag else said("max-age=1", body=b"native")

    native = Opener("native", ServerFailed(), answers)
    http = Opener("http", said("max-age=1"))
    made = reading(native, http)
    if early:
        native.does.pop(0)
    first = await made.fetch(get())
    clock.passed += 60
    read = await made.fetch(get(etag="the caller's"))
    assert first.page.body == ("text: native" if early else "text: text")
    assert (read.page.body, read.cached) == ("text: native", early)
    assert native.asked[-1].etag == ('"1"' if early else "")


async def test_a_confirmed_copy_is_still_its_fetchers(reading, clock: TurnedClock) -> None:
    http = Opener("http", said("max-age=1"), download(status=304, body=b""))
    made = reading(http)
    for _ in range(3):
        assert (await made.fetch(get())).page.body == "text: text"
        clock.passed += 60
        await asyncio.sleep(0)
    assert [request.etag for request in http.asked] == ["", '"1"', '"1"']


@pytest.mark.parametrize("says", ["max-age=0", "no-cache, must-revalidate", ""])
@pytest.mark.parametrize(
    ("later", "fields", "asked"),
    [
        (CONTINUED_S - 1, {"continued": True}, 1),
        (CONTINUED_S + 1, {"continued": True}, 2),
        (60, {}, 2),
        (60, {"continued": True, "max_age_hours": 0}, 2),
    ],
)
async def test_a_page_goes_on_as_it_was_read_for_some_minutes(
    says: str, later: float, fields: dict[str, Any], asked: int, reading, clock: TurnedClock
) -> None:
    http = Opener("http", said(says, body=b"one"), said(says, body=b"two"))
    made = reading(http, cache_ttl_s=30)
    await made.fetch(get())
    clock.passed += later
    read = await made.fetch(get(**fields))
    assert (len(http.asked), read.page.body) == (asked, "text: one" if asked == 1 else "text: two")


async def test_what_failed_is_not_gone_on_with_for_longer(reading, clock: TurnedClock) -> None:
    http = Opener("http", NotFound())
    made = reading(http, negative_ttl_s=30)
    for _ in range(2):
        with pytest.raises(NotFound):
            await made.fetch(get(continued=True))
        clock.passed += 60
    assert len(http.asked) == 2
