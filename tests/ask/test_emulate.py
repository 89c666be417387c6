"""What the core checks for every backend, and what it says about the rest."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.asking.search.canonical_url import canonical
from websearch_core.asking.search.constraints import RequestLimits, checked, cut, pushed_down
from websearch_core.contract.models import Hit, SearchRequest
from websearch_core.contract.outline import content_hash
from websearch_core.contract.results import Answer
from websearch_core.net.domains import DomainRules

from .fakes import EPOCH, Backend, hit, hits, urls

NOW = datetime.fromtimestamp(EPOCH, UTC)


def days_ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def check(found: tuple[Hit, ...], backend: Backend | None = None, **asked: object):
    request = SearchRequest(query="q", **asked)
    return checked(Answer(hits=found), request, backend or Backend("eng", ()), RequestLimits(request, EPOCH))


def test_order_is_kept_and_the_source_filled_in() -> None:
    answer = check(hits("b.com", "a.com", "c.com"))
    assert urls(answer.hits) == ["b.com", "a.com", "c.com"]
    assert {one.source for one in answer.hits} == {"eng"}
    assert answer.notes == ()


def test_domains_are_checked_and_the_loss_is_said() -> None:
    answer = check(
        hits("example.com/1", "sub.example.com/2", "example.org", "bad.example.com/3"),
        allowed_domains=("example.com",),
        excluded_domains=("bad.example.com",),
    )
    assert urls(answer.hits) == ["example.com/1", "sub.example.com/2"]
    assert answer.notes == ("eng: 2 of its results lay outside the domains or dates and were left out",)


@pytest.mark.parametrize(
    "url",
    [
        "https://good.com@evil.com/",
        "https://evil.com\\@good.com/",
        "https://evil.com#good.com",
        "https://evil.com?good.com",
        "https://evil.com/good.com",
        "https://goodXcom.evil.com/",
        "https://xgood.com/",
        "https:good.com",
    ],
)
def test_no_spelling_of_an_address_passes_for_another_host(url: str) -> None:
    assert check((Hit(url=url),), allowed_domains=("good.com",)).hits == ()


def test_an_address_that_readers_disagree_on_is_shown_as_it_was_judged() -> None:
    answer = check((Hit(url="https://evil.com\\@good.com/"),))
    assert [one.url for one in answer.hits] == ["https://evil.com/@good.com/"]


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "ftp://a.com/", "/a", "a.com", "https://"])
def test_hits_without_a_web_address_are_dropped(url: str) -> None:
    assert urls(check((Hit(url=url), hit("a.com/"))).hits) == ["a.com/"]


def test_a_page_found_twice_is_kept_once() -> None:
    answer = check(hits("example.com/a?utm_source=x", "www.example.com/a/", "example.com/b"))
    assert urls(answer.hits) == ["example.com/a?utm_source=x", "example.com/b"]


def test_dates_are_checked_where_a_hit_has_one() -> None:
    found = (
        hit("old.com", published=days_ago(40)),
        hit("first.com", published=days_ago(30)),
        hit("none.com"),
        hit("last.com", published=days_ago(10)),
        hit("new.com", published=days_ago(9)),
    )
    answer = check(found, start_published_date=days_ago(30), end_published_date=days_ago(10))
    assert urls(answer.hits) == ["first.com", "none.com", "last.com"]
    assert answer.notes == (
        "eng: 2 of its results lay outside the domains or dates and were left out",
        "eng: 1 of its results carry no date, so the dates could not be checked",
    )


@pytest.mark.parametrize(("name", "days"), [("day", 1), ("week", 7), ("month", 31), ("year", 366)])
def test_a_time_range_reaches_back_whole_days(name: str, days: int) -> None:
    first = days_ago(days).replace(hour=0)
    found = (hit("in.com", published=first), hit("out.com", published=first - timedelta(seconds=1)))
    assert urls(check(found, time_range=name).hits) == ["in.com"]


def test_undated_hits_are_no_matter_where_the_engine_checks_dates() -> None:
    backend = Backend("eng", (), verticals={"web": frozenset({"time_range"})})
    assert check(hits("a.com"), backend, time_range="day").notes == ()


def test_no_more_than_asked_for() -> None:
    assert urls(check(hits(*(f"h{n}.com" for n in range(9))), max_results=3).hits) == ["h0.com", "h1.com", "h2.com"]


def test_texts_are_cut_and_a_bodys_hash_follows() -> None:
    long = Hit(url="https://a.com", snippet="word " * 100, body="# T\n\n" + "text " * 100, content_hash="old")
    (one,) = check((long,), max_content_chars=20).hits
    assert one.snippet == "word word word word…"
    assert one.body == "# T\n\ntext text text…"
    assert one.content_hash == content_hash(one.body)
    assert one.outline[0].text == "T"


def test_half_a_character_that_an_engine_cut_off_is_no_harm() -> None:
    cut_off = Hit(url="https://a.com", title="Fox \ud83e", snippet="\udd8a fox", body="# Fox \ud83e", site="\ud83e")
    (one,) = check((cut_off,)).hits
    assert (one.title, one.snippet, one.body, one.site) == ("Fox ?", "? fox", "# Fox ?", "?")
    assert (one.outline[0].text, one.content_hash) == ("Fox ?", content_hash("# Fox ?"))
    assert "Fox ?" in one.model_dump_json()


def test_whole_characters_stay() -> None:
    (one,) = check((Hit(url="https://a.com", title="Füchse 🦊"),)).hits
    assert one.title == "Füchse 🦊"


@pytest.mark.parametrize(
    ("given", "kept"), [(0.5, 0.5), (0.0, 0.0), (None, None), (-1, None), (nan, None), (inf, None)]
)
def test_costs_that_cannot_be_added_up_are_not_known(given: float | None, kept: float | None) -> None:
    answer = Answer(cost=given, units=given)
    request = SearchRequest(query="q")
    result = checked(answer, request, Backend("eng", ()), RequestLimits(request, EPOCH))
    assert (result.cost, result.units) == (kept, kept)


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("short", 5, "short"),
        ("one two three", 9, "one two…"),
        ("one two three", 8, "one two…"),
        ("one two three", 7, "one…"),
        ("abcdefghij", 5, "abcd…"),
        ("漢字漢字漢字", 4, "漢字漢…"),
        ("anything", 1, "…"),
        ("  two words", 4, "  t…"),
    ],
)
def test_a_text_is_cut_at_a_words_end(text: str, limit: int, expected: str) -> None:
    assert cut(text, limit) == expected


@given(st.text(max_size=60), st.integers(1, 50))
def test_a_cut_text_is_never_too_long_and_always_a_beginning(text: str, limit: int) -> None:
    short = cut(text, limit)
    assert len(short) <= limit
    assert text.startswith(short.removesuffix("…")) if short != text else True


def test_what_nobody_does_is_said() -> None:
    backend = Backend("eng", (), verticals={"web": frozenset({"safesearch"})}, max_results=10)
    answer = check((), backend, language="de", safesearch="strict", category="news", max_results=20)
    assert answer.notes == ("eng ignores: language, category", "eng gives at most 10 results")
    assert check((), goggle="https://example.com/my.goggle").notes[0] == "eng ignores: goggle"


def test_what_a_vertical_pushes_down_is_no_other_verticals_business() -> None:
    backend = Backend("eng", (), verticals={"web": frozenset({"language"}), "news": frozenset()})
    assert check((), backend, language="de", vertical="news").notes == ("eng ignores: language",)
    assert check((), backend, language="de").notes == ()


@pytest.mark.parametrize(
    ("asked", "declared", "given_number"),
    [
        ({"max_results": 8}, {}, 8),
        ({"max_results": 30}, {"max_results": 20}, 20),
        ({"max_results": 8, "allowed_domains": ("a.com",)}, {}, 24),
        ({"max_results": 8, "time_range": "day"}, {"max_results": 10}, 10),
        ({"max_results": 40, "time_range": "day"}, {}, 50),
        ({"max_results": 8, "allowed_domains": ("a.com",)}, {"paid": True}, 8),
        ({"max_results": 8, "allowed_domains": ("a.com",)}, {"verticals": {"web": {"allowed_domains"}}}, 8),
    ],
)
def test_more_is_asked_for_only_where_much_will_be_dropped_and_it_is_free(
    asked: dict, declared: dict, given_number: int
) -> None:
    assert pushed_down(SearchRequest(query="q", **asked), Backend("eng", (), **declared)).max_results == given_number


HOSTS = st.sampled_from(["a.com", "x.a.com", "b.org", "y.b.org", "c.net", "A.COM", "xa.com"])
RULES = st.lists(st.sampled_from(["a.com", "=b.org", "*.b.org", "c.*", "x.a.com"]), max_size=3).map(tuple)
MOMENTS = st.integers(-400, 5).map(lambda days: NOW + timedelta(days=days))
HITS = st.builds(
    lambda host, path, published: Hit(url=f"https://{host}/{path}", published=published),
    HOSTS,
    st.sampled_from(["", "1", "1/", "2?utm_source=x", "2"]),
    st.none() | MOMENTS,
)


@given(
    st.lists(HITS, max_size=12).map(tuple),
    RULES,
    RULES,
    st.none() | MOMENTS,
    st.none() | MOMENTS,
    st.none() | st.sampled_from(["day", "week", "month", "year"]),
    st.integers(1, 5),
)
def test_whatever_comes_back_is_within_what_was_asked(found, allowed, excluded, start, end, time_range, most) -> None:
    request = SearchRequest(
        query="q",
        allowed_domains=allowed,
        excluded_domains=excluded,
        start_published_date=start,
        end_published_date=end,
        time_range=time_range,
        max_results=most,
    )
    limits = RequestLimits(request, EPOCH)
    kept = checked(Answer(hits=found), request, Backend("eng", ()), limits).hits
    assert len(kept) <= most
    for one in kept:
        host = one.url.split("/")[2]
        assert not allowed or DomainRules(allowed).matches(host)
        assert not DomainRules(excluded).matches(host)
        if one.published:
            assert start is None or one.published >= start
            assert end is None or one.published <= end
            assert limits.since is None or one.published >= limits.since
    places = [found.index(one.model_copy(update={"source": ""})) for one in kept]
    assert places == sorted(places)
    assert len({canonical(one.url) for one in kept}) == len(kept)


def test_a_lens_that_is_a_goggle_alone_is_said_where_it_cannot_be_applied() -> None:
    goggle = "https://example.com/x.goggle"
    notes = check(hits("a.com"), goggle=goggle).notes
    assert notes == ("eng ignores: goggle", "eng cannot apply this lens: it searched the whole web")
    assert check(hits("a.com"), goggle=goggle, allowed_domains=("a.com",)).notes == ("eng ignores: goggle",)


def test_what_goes_with_a_hit_is_cut_too() -> None:
    words = "word " * 100_000
    long = "https://example.com/" + "a" * 3000
    texts = dict.fromkeys(("title", "author", "site", "alt", "age_text"), words)
    [one] = check((Hit(url="https://example.com/", favicon=long, image=long, **texts),)).hits
    assert len(one.title) <= 500
    assert all(len(getattr(one, name)) <= 300 for name in texts if name != "title")
    assert all(getattr(one, name).endswith("word…") for name in texts)
    assert (one.favicon, one.image) == ("", "")


def test_no_more_hits_are_looked_at_than_anybody_asks_for() -> None:
    found = hits(*(f"out.com/{n}" for n in range(1000)), "in.com")
    answer = check(found, allowed_domains=("in.com",))
    assert answer.hits == ()
    assert answer.notes == ("eng: 200 of its results lay outside the domains or dates and were left out",)
