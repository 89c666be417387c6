"""The fetcher against a loopback server that answers like Tavily."""

from __future__ import annotations

import pytest

from websearch_core import FetchRequest
from websearch_core.kit import (
    BlockedBySite,
    NotFound,
    Paywalled,
    ServerFailed,
    TimedOut,
    TooLarge,
    UnexpectedResponse,
    Unsupported,
)
from websearch_core.testing.fakes import context
from websearch_core.testing.site import answer
from websearch_tavily.fetcher import NO_AGE
from websearch_tavily.plugin import websearch_fetchers

ASKED = "https://en.wikipedia.org/wiki/Artificial_intelligence"
KEYLESS = {"api_key": ""}
OTHER = {"url": "https://other.example/", "raw_content": "Somebody else's."}


async def test_a_page_is_read(site, fetch, sample):
    site.route("POST /extract", answer(json=sample("extract.json")))
    page = await fetch()
    assert (page.url, page.reached) == (ASKED, ASKED)
    assert page.title == "Artificial intelligence"
    assert page.body.startswith("# Artificial intelligence\n\nArtificial")
    assert [heading.text for heading in page.outline] == ["Artificial intelligence", "Goals"]
    assert page.media_type == "text/markdown"
    assert not page.truncated
    assert page.bytes_read == len(page.body.encode())
    assert page.notes == ()
    assert site.requests[0].json() == {"urls": [ASKED], "extract_depth": "basic", "format": "markdown"}


@pytest.mark.parametrize(("depth", "units"), [("basic", 0.2), ("advanced", 0.4)])
async def test_a_page_costs_a_fifth_of_what_five_cost(site, fetch, sample, depth, units):
    site.route("POST /extract", answer(json=sample("extract.json")))
    page = await fetch(settings={"extract_depth": depth, "usd_per_unit": 0.01})
    assert site.requests[0].json()["extract_depth"] == depth
    assert page.units == pytest.approx(units)
    assert page.cost == pytest.approx(units * 0.01)


async def test_without_a_key_reading_costs_nothing(site, fetch, sample):
    site.route("POST /extract", answer(json=sample("extract.json")))
    page = await fetch(settings=KEYLESS)
    assert (page.units, page.cost) == (None, None)


@pytest.mark.parametrize(
    ("row", "title"),
    [
        ({"title": "Its own", "raw_content": "# Heading\n\nText."}, "Its own"),
        ({"raw_content": "## Second\n\n# First\n\nText."}, "First"),
        ({"raw_content": "Text."}, ""),
    ],
)
async def test_a_title_is_tavilys_or_the_first_heading(site, fetch, row, title):
    site.route("POST /extract", answer(json={"results": [{"url": ASKED, **row}]}))
    assert (await fetch()).title == title


async def test_a_long_page_is_cut_between_characters_and_marked(site, fetch):
    site.route("POST /extract", answer(json={"results": [{"url": ASKED, "raw_content": "ä" * 100}]}))
    page = await fetch(max_bytes=11)
    assert page.body == "äääää\n\n[truncated at 11 bytes]"
    assert (page.truncated, page.bytes_read) == (True, 11)


@pytest.mark.parametrize("hours", [0, 24])
async def test_that_tavily_cannot_be_told_an_age_is_mentioned(site, fetch, sample, hours):
    site.route("POST /extract", answer(json=sample("extract.json")))
    assert (await fetch(max_age_hours=hours)).notes == (NO_AGE,)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("Failed to retrieve content", ServerFailed),
        ("Request timed out", TimedOut),
        ("Timeout after 10 seconds", TimedOut),
        ("504 Gateway Timeout", TimedOut),
        ("404 Not Found", NotFound),
        ("HTTP status 410", NotFound),
        ("Page not found", NotFound),
        ("403 Forbidden", BlockedBySite),
        ("401", BlockedBySite),
        ("429 Too Many Requests", BlockedBySite),
        ("Blocked by robots.txt", BlockedBySite),
        ("Access denied by the site", BlockedBySite),
        ("402 Payment Required", Paywalled),
        ("Content is behind a paywall", Paywalled),
        ("Unsupported content type", Unsupported),
        ("Invalid URL", Unsupported),
        ("The page is too large", TooLarge),
        ("500 Internal Server Error", ServerFailed),
        ("error 4040 in 14034 ms", ServerFailed),
        (f"Could not read {ASKED}", ServerFailed),
        ("", ServerFailed),
        (None, ServerFailed),
        ({"code": 404}, ServerFailed),
    ],
)
async def test_each_failure_of_a_page_has_its_class_and_its_text_is_not_repeated(site, fetch, sample, text, error):
    failed = sample("extract_failed.json")
    failed["failed_results"][0]["error"] = text if not isinstance(text, str) or not text else f"{text} provider-said"
    site.route("POST /extract", answer(json=failed))
    with pytest.raises(error) as caught:
        await fetch()
    assert "provider-said" not in str(caught.value)
    assert ASKED not in str(caught.value)


async def test_words_of_the_address_are_no_words_of_the_failure(site, fetch):
    address = "https://example.com/404-not-found-captcha"
    failure = {"url": address, "error": f"Failed to fetch url: {address}"}
    site.route("POST /extract", answer(json={"results": [], "failed_results": [failure]}))
    with pytest.raises(ServerFailed):
        await fetch(address)


@pytest.mark.parametrize(
    "rows",
    [
        [OTHER, {"url": ASKED, "raw_content": "Mine."}],
        [OTHER, {"url": f"{ASKED}/#part", "raw_content": "Mine."}],
        [OTHER, {"url": ASKED.replace("https://en", "http://EN"), "raw_content": "Mine."}],
    ],
)
async def test_a_page_is_found_by_its_name_not_by_its_place(site, fetch, rows):
    site.route("POST /extract", answer(json={"results": rows, "failed_results": []}))
    assert (await fetch()).body == "Mine."


async def test_a_redirected_page_says_where_it_came_from(site, fetch):
    site.route("POST /extract", answer(json={"results": [OTHER], "failed_results": []}))
    page = await fetch()
    assert (page.url, page.final_url, page.body) == (ASKED, "https://other.example/", "Somebody else's.")


async def test_another_page_is_not_taken_for_one_that_failed(site, fetch, sample):
    site.route("POST /extract", answer(json={**sample("extract_failed.json"), "results": [OTHER]}))
    with pytest.raises(ServerFailed):
        await fetch()


@pytest.mark.parametrize(
    "body",
    [
        {"results": [OTHER, {**OTHER, "url": "https://third.example/"}]},
        {"results": [{"raw_content": "Whose?"}]},
        {"results": [{"url": "about:blank", "raw_content": "Whose?"}]},
        {"results": None},
        {},
        [],
    ],
)
async def test_an_answer_that_does_not_say_whose_it_is_is_drift(site, fetch, body):
    site.route("POST /extract", answer(json=body))
    with pytest.raises(UnexpectedResponse):
        await fetch()


@pytest.mark.parametrize("rows", [[], [{"url": ASKED, "raw_content": " "}], [{"url": ASKED, "raw_content": None}]])
async def test_a_page_without_text_is_not_found(site, fetch, rows):
    site.route("POST /extract", answer(json={"results": rows, "failed_results": []}))
    with pytest.raises(NotFound):
        await fetch()


async def test_a_call_that_may_have_been_charged_is_not_repeated(site, fetch):
    site.route("POST /extract", answer(500, json={}))
    with pytest.raises(ServerFailed):
        await fetch()
    assert len(site.requests) == 1


@pytest.mark.parametrize(("settings", "keyless"), [({"api_key": "tvly-1"}, False), ({"fetch": True}, True)])
def test_tavily_reads_after_the_readers_on_this_machine_and_after_exa(settings, keyless):
    [fetcher] = websearch_fetchers(context("tavily", settings))
    assert (fetcher.remote, fetcher.priority, fetcher.unit) == (True, 70, "credit")
    assert (fetcher.keyless, fetcher.paid) == (keyless, not keyless)
    assert fetcher.can_fetch(FetchRequest(url="HTTPS://example.com/"))
    assert not fetcher.can_fetch(FetchRequest(url="ftp://example.com/"))


def test_tavily_reads_nothing_when_the_operator_says_so():
    assert list(websearch_fetchers(context("tavily", {"fetch": False, "api_key": "tvly-1"}))) == []


def test_without_a_key_no_address_is_told_to_tavily_unless_the_operator_says_so():
    assert list(websearch_fetchers(context("tavily"))) == []
    assert len(list(websearch_fetchers(context("tavily", {"fetch": True})))) == 1
