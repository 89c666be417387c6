"""How DuckDuckGo is walked through, and what its answers, good and bad, come to."""

from __future__ import annotations

from pathlib import Path

import pytest

from websearch_core import Caller, SearchRequest
from websearch_core.kit import (
    BlockedBySite,
    InvalidRequest,
    NetworkFailed,
    NotFound,
    RateLimited,
    ServerFailed,
    TimedOut,
    TooLarge,
    UnexpectedResponse,
)
from websearch_core.testing import FakeClock, LoopbackSite, answer, context
from websearch_core.testing.misbehaviour import Hang, Silent, redirect
from websearch_duckduckgo.plugin import USER_AGENT, websearch_search_backends

SAMPLES = Path(__file__).with_name("samples")
HTML = "text/html; charset=UTF-8"


def recorded(name, status=200, **headers):
    return answer(status, (SAMPLES / name).read_bytes(), content_type=HTML, headers=headers)


def page(*names, start=None, vqd="4-1", status=200):
    """A page of results; `start` is where the form for the next one leads."""
    rows = "".join(
        f'<div class="result web-result"><a class="result__a" href="https://example.com/{name}">{name}</a></div>'
        for name in names
    )
    token = f'<input type="hidden" name="vqd" value="{vqd}"><input type="hidden" name="dc" value="{(start or 0) + 2}">'
    form = "" if start is None else f'<form><input type="hidden" name="s" value="{start}">{token}</form>'
    return answer(status, f"<html><body>{rows}{form}</body></html>", content_type=HTML)


def lite_page(*names):
    rows = "".join(f"<tr><td><a class='result-link' href='https://example.com/{n}'>{n}</a></td></tr>" for n in names)
    return answer(200, f"<html><body><table>{rows}</table></body></html>", content_type=HTML)


def pages(*answers):
    """A DuckDuckGo whose html pages come in this order, whatever is asked."""
    left = list(answers)
    return lambda request: left.pop(0)


CHANGED = answer(200, "<html><body>changed</body></html>", content_type=HTML)


@pytest.fixture
async def site():
    async with LoopbackSite() as site:
        yield site


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
async def make(site, clock):
    contexts = []

    def backend(**settings):
        addresses = {"html_url": site.url, "lite_url": site.url}
        contexts.append(context("duckduckgo", {**addresses, **settings}, clock=clock))
        [made] = websearch_search_backends(contexts[-1])
        return made

    yield backend
    for ctx in contexts:
        await ctx.aclose()


async def ask(backend, query="asyncio", **fields):
    return await backend.search(SearchRequest(query=query, **fields))


def names(found):
    return [hit.url.removeprefix("https://example.com/") for hit in found.hits]


def paths(site):
    return [request.path for request in site.requests]


async def test_recorded_pages_are_answers(site, make):
    site.route("/html/", recorded("html.html"))
    found = await ask(make(), "rust programming", max_results=3)
    assert [hit.url for hit in found.hits] == [
        "https://rust-lang.org/",
        "https://en.wikipedia.org/wiki/Rust_(programming_language)",
        "https://www.w3schools.com/rust/index.php",
    ]
    assert found.notes == ()


async def test_the_first_page_is_asked_for_with_the_pages_own_form(site, make):
    site.route("/html/", page("a"))
    await ask(make(), time_range="week", safesearch="off", language="de-AT")
    [request] = site.requests
    assert (request.method, request.target) == ("POST", "/html/")
    assert request.form == {"q": "asyncio", "b": "", "kl": "at-de", "df": "w", "kp": "-2"}
    assert request.headers["content-type"] == "application/x-www-form-urlencoded"
    assert request.headers["user-agent"] == USER_AGENT
    assert request.headers["referer"] == f"{site.url}/"
    assert request.headers["sec-fetch-mode"] == "navigate"
    assert request.headers["cookie"] == "kl=at-de; df=w"
    assert request.headers["accept-language"] == "de-AT,de;q=0.8,en;q=0.5"


async def test_one_page_is_enough_where_it_holds_enough(site, make):
    site.route("/html/", page("a", "b", start=10))
    assert names(await ask(make(), max_results=2)) == ["a", "b"]
    assert len(site.requests) == 1


async def test_the_next_page_is_asked_for_with_the_form_for_it(site, make):
    site.route("/html/", pages(page("a", "b", start=10), page("b", "c", "d")))
    found = await ask(make(), max_results=3, time_range="week", safesearch="strict", user_location_country="DE")
    assert names(found) == ["a", "b", "c"]
    form = site.requests[1].form
    filters = {"q": "asyncio", "kl": "de-de", "df": "w", "kp": "1"}
    assert form == {**filters, "s": "10", "dc": "12", "nextParams": "", "vqd": "4-1"}
    first, second = (dict(request.headers) for request in site.requests)
    assert first.pop("content-length") != second.pop("content-length")
    assert first == second


async def test_the_recorded_form_is_sent_whole(site, make):
    site.route("/html/", pages(recorded("html.html"), page("last")))
    await ask(make(), "rust programming", max_results=20)
    assert site.requests[1].text == (
        "q=rust+programming&kl=wt-wt&nextParams=&s=10&v=l&o=json&dc=11&api=d.js"
        "&vqd=4-228146944907429031912155131235649544909"
    )


@pytest.mark.parametrize(
    "last", [page("a", start=25), page("b"), page("b", start=10), page("b", start=25, vqd=""), recorded("nothing.html")]
)
async def test_a_page_with_nothing_new_or_no_way_on_is_the_last(site, make, last):
    site.route("/html/", pages(page("a", start=10), last, page("z")))
    assert "z" not in names(await ask(make(max_pages=3), max_results=50))
    assert len(site.requests) == 2


@pytest.mark.parametrize(("most", "asked"), [({}, 2), ({"max_pages": 1}, 1), ({"max_pages": 3}, 3)])
async def test_no_more_pages_than_the_operator_wants_are_asked_for(site, make, most, asked):
    site.route("/html/", lambda request: page(str(len(site.requests)), start=10 + 15 * (len(site.requests) - 1)))
    backend = make(**most)
    found = await ask(backend, max_results=50)
    assert len(found.hits) == found.units == asked == len(site.requests)
    assert backend.max_results == 10 + 15 * (asked - 1)


@pytest.mark.parametrize(
    ("second", "code"),
    [
        (answer(403, "Forbidden"), "blocked_by_site"),
        (recorded("challenge.html", 202), "blocked_by_site"),
        (recorded("challenge.html"), "blocked_by_site"),
        (answer(429, "slow down"), "rate_limited"),
        (CHANGED, "drift"),
    ],
)
async def test_a_second_page_that_fails_costs_only_itself(site, make, second, code):
    site.route("/html/", pages(page("a", start=10), second))
    found = await ask(make(), max_results=50)
    assert names(found) == ["a"]
    assert found.notes == (f"DuckDuckGo: page 2 of the results failed ({code})",)
    assert paths(site) == ["/html/", "/html/"]


@pytest.mark.parametrize(("took", "code"), [(1.95, "timeout"), (0, "rate_limited")])
async def test_what_was_found_is_not_lost_with_a_page_that_would_come_too_late(site, make, clock, took, code):
    def first(request):
        clock.advance(took)  # so much of the two seconds to the next turn is over
        return page("a", start=10)

    site.route("/html/", lambda request: first(request) if len(site.requests) == 1 else Hang())
    found = await ask(make(), max_results=50, caller=Caller(deadline=clock.monotonic() + 2.5))
    assert names(found) == ["a"]
    assert found.notes == (f"DuckDuckGo: page 2 of the results failed ({code})",)


@pytest.mark.parametrize("name", ["challenge.html", "challenge_trimmed.html", "turnstile.html"])
@pytest.mark.parametrize("status", [200, 202])
async def test_a_challenge_is_told_as_such_and_the_lite_page_is_left_in_peace(site, make, name, status):
    site.route("/*", recorded(name, status))
    with pytest.raises(BlockedBySite) as caught:
        await ask(make())
    assert caught.value.retry_after == 3600
    assert "human" in caught.value.detail
    assert paths(site) == ["/html/"]


async def test_a_202_that_cannot_be_read_is_a_challenge_too(site, make):
    site.route("/*", answer(202, "<html><body>Hm.</body></html>", content_type=HTML))
    with pytest.raises(BlockedBySite):
        await ask(make())
    assert paths(site) == ["/html/"]


async def test_a_202_with_results_is_an_answer(site, make):
    site.route("/html/", page("a", status=202))
    assert names(await ask(make())) == ["a"]


@pytest.mark.parametrize("status", [200, 202])
async def test_nothing_found_is_an_empty_answer(site, make, status):
    site.route("/html/", recorded("nothing.html", status))
    assert (await ask(make())).hits == ()
    assert paths(site) == ["/html/"]


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (CHANGED, "drift"),
        (answer(500, "no"), "server"),
        (answer(404, "no"), "not_found"),
        (redirect("http://127.0.0.1:9/", 302), "drift"),
        (Silent(), "network"),
    ],
)
async def test_the_lite_page_is_tried_where_the_html_page_fails(site, make, failure, code):
    site.route("/html/", failure).route("/lite/", lite_page("a", "b"))
    found = await ask(make(), time_range="week")
    assert names(found) == ["a", "b"]
    assert found.notes == (f"DuckDuckGo: its html page failed ({code}), so its lite page was asked",)
    assert (site.requests[-1].path, site.requests[-1].form) == ("/lite/", {"q": "asyncio", "kl": "wt-wt", "df": "w"})


async def test_the_recorded_lite_page_is_an_answer(site, make):
    site.route("/html/", CHANGED).route("/lite/", pages(recorded("lite.html"), lite_page("last")))
    found = await ask(make(), "rust programming", max_results=11)
    assert len(found.hits) == 11
    assert site.requests[-1].form["vqd"] == "4-228146944907429031912155131235649544909"


async def test_nothing_on_the_lite_page_is_an_empty_answer(site, make):
    site.route("/html/", CHANGED).route("/lite/", recorded("nothing_lite.html"))
    assert (await ask(make())).hits == ()


@pytest.mark.parametrize(
    ("lite", "error"),
    [
        (CHANGED, ServerFailed),
        (Silent(), ServerFailed),
        (recorded("challenge.html", 202), BlockedBySite),
        (answer(429, "slow down"), RateLimited),
    ],
)
async def test_where_both_fail_the_one_that_says_more_is_told(site, make, lite, error):
    site.route("/html/", answer(500, "no")).route("/lite/", lite)
    with pytest.raises(error):
        await ask(make())


@pytest.mark.parametrize(
    ("failure", "error", "says"),
    [
        (answer(401, "no"), BlockedBySite, "refuses"),
        (answer(403, "no"), BlockedBySite, "refuses"),
        (answer(418, "no"), BlockedBySite, "refuses"),
        (answer(429, "no"), RateLimited, "slow down"),
        (answer(400, "no"), InvalidRequest, ""),
        (redirect("http://127.0.0.1:9/?q=asyncio", 303), InvalidRequest, "command"),
        (answer(200, "x" * 200_000, content_type=HTML), TooLarge, "larger"),
    ],
)
async def test_what_the_lite_page_cannot_better_is_told_at_once(site, make, failure, error, says):
    site.route("/*", failure)
    with pytest.raises(error) as caught:
        await ask(make())
    assert says in caught.value.detail
    assert "asyncio" not in str(caught.value)
    assert paths(site) == ["/html/"]


@pytest.mark.parametrize(
    ("failure", "error"),
    [(CHANGED, UnexpectedResponse), (answer(500, "no"), ServerFailed), (answer(404, "no"), NotFound)],
)
async def test_the_operator_may_leave_the_lite_page_out(site, make, failure, error):
    site.route("/*", failure)
    with pytest.raises(error):
        await ask(make(lite=False))
    assert "/lite/" not in paths(site)


async def test_a_silent_server_is_a_network_failure(site, make):
    site.route("/*", Silent())
    with pytest.raises(NetworkFailed):
        await ask(make())


async def test_a_timeout_leaves_no_time_for_the_lite_page(site, make, clock):
    site.route("/*", Hang())
    with pytest.raises(TimedOut):
        await ask(make(), caller=Caller(deadline=clock.monotonic() + 0.2))
    assert "/lite/" not in paths(site)


async def test_a_429_is_not_asked_again_at_once(site, make, clock):
    site.route("/*", answer(429, "slow down"))
    with pytest.raises(RateLimited) as caught:
        await ask(make())
    assert (caught.value.retry_after, len(site.requests), clock.slept) == (3600, 1, [])


async def test_its_own_word_on_when_to_come_back_counts(site, make):
    site.route("/*", answer(429, "slow down", headers={"retry-after": "120"}))
    with pytest.raises(RateLimited) as caught:
        await ask(make())
    assert caught.value.retry_after == 120


async def test_notes_of_the_request_are_kept(site, make):
    site.route("/html/", CHANGED).route("/lite/", lite_page("a"))
    found = await ask(make(), "!w python", language="sw")
    assert found.notes == (
        "DuckDuckGo: bangs (! and \\) in the query were taken as plain words",
        "DuckDuckGo: knows no region for this language; the language was left out",
        "DuckDuckGo: its html page failed (drift), so its lite page was asked",
    )
    assert site.requests[-1].form["q"] == "w python"


async def test_the_operator_may_choose_the_user_agent(site, make):
    site.route("/html/", page("a"))
    await ask(make(user_agent=" acme-search/1.0 (+https://acme.example) "))
    assert site.requests[0].headers["user-agent"] == "acme-search/1.0 (+https://acme.example)"


async def test_requests_follow_one_another_at_a_polite_pace(site, make, clock):
    site.route("/html/", lambda request: page("a"))
    backend = make()
    began = clock.monotonic()
    for _ in range(4):
        await ask(backend)
    assert clock.monotonic() - began >= 6
