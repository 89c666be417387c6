"""Questions of Stack Exchange: the contract, the form of a page, its limits, and what happens when it says no."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from websearch_core import FetchRequest, InvalidRequest, NotFound, RateLimited, outline_of
from websearch_core.ask.reading import Reading
from websearch_core.settings import ChainSettings
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing import FakeClock, FetcherContract, LoopbackSite, answer, context
from websearch_core.testing.fakes import FakeExtractor, FakeFetcher
from websearch_stackexchange.fetcher import StackExchange
from websearch_stackexchange.page import question_page
from websearch_stackexchange.plugin import websearch_fetchers

SAMPLES = Path(__file__).with_name("samples")
QUESTION = json.loads((SAMPLES / "question.json").read_text())
ANSWERS = json.loads((SAMPLES / "answers.json").read_text())
FILTER = {"items": [{"filter": "!xyz", "included_fields": [], "filter_type": "unsafe"}]}
THROTTLED = {
    "error_id": 502,
    "error_name": "throttle_violation",
    "error_message": "too many requests from this IP, more requests available in 53 seconds",
}
URL = "https://stackoverflow.com/questions/1001/how-to-remove-duplicates"


def good(request):
    if request.path == "/filters/create":
        return answer(json=FILTER)
    return answer(json=ANSWERS if "answers" in request.path else QUESTION)


class TestStackExchange(FetcherContract):
    component = StackExchange
    plugin = "stackexchange"

    def settings(self):
        return {"base_url": self.site.url, "api_key": self.secret}

    def fetcher(self, ctx):
        [fetcher] = websearch_fetchers(ctx)
        return fetcher

    def address(self, word):
        return f"https://stackoverflow.com/questions/1001/{word}"

    def good_answer(self, request):
        return good(request)


@pytest.fixture
async def site():
    async with LoopbackSite() as started:
        yield started.route("/*", good)


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
async def reader(site, clock):
    opened = []

    def make(**settings):
        opened.append(context("stackexchange", {"base_url": site.url, **settings}, clock=clock))
        return next(iter(websearch_fetchers(opened[-1])))

    yield make
    for ctx in opened:
        await ctx.aclose()


async def test_a_question_comes_with_its_answers_by_score(site, reader):
    page = await reader().fetch(FetchRequest(url=URL))
    assert page.body == (
        "# How to remove duplicates & keep <order>?\n\n"
        "Question by C. Rivers · score 57 · 2009-12-31 · tags: python, list\n\n"
        "I have `a = [1, 1]`.\n\n### Expected\n[1]\n\n"
        "## Answer by bo (score 41, 2010-01-02)\n\n"
        "Use a set:\n\n```\n# keeps no order\nlist(set(items))\n```\n\n### But\n\nsee F1.\n\n"
        "## Answer by ana (accepted, score 12, 2010-01-01)\n\n"
        "```py\nlist(dict.fromkeys(items))\n```"
    )
    assert [heading.level for heading in outline_of(page.body)] == [1, 3, 2, 3, 2]
    assert page.hidden == "language: lang-py"
    assert (page.author, page.site, page.kind, page.notes) == ("C. Rivers", "stackoverflow.com", "qapage", ())
    assert page.final_url == "https://stackoverflow.com/questions/1001"


async def test_the_site_and_the_filter_are_said_with_every_call(site, reader):
    fetcher = reader(max_answers=5, api_key="k")
    for _ in range(2):
        await fetcher.fetch(FetchRequest(url="https://unix.stackexchange.com/q/1001/7"))
    made, *asked = site.requests
    assert made.query["include"] == "question.body_markdown;answer.body_markdown"
    assert {request.path for request in asked} == {"/questions/1001", "/questions/1001/answers"}
    assert all(request.query["site"] == "unix.stackexchange.com" for request in asked)
    assert all((request.query["filter"], request.query["key"]) == ("!xyz", "k") for request in asked)
    assert asked[1].query.get("pagesize", "5") == "5"


async def test_the_address_of_an_answer_leads_to_its_question(site, reader):
    page = await reader().fetch(FetchRequest(url="https://superuser.com/a/1003"))
    assert site.requests[1].path == "/answers/1003"
    assert page.final_url == "https://superuser.com/questions/1001"


async def test_more_answers_than_are_shown_are_said(site, reader):
    site.route("/questions/1001", answer(json={"items": [{**QUESTION["items"][0], "answer_count": 99}]}))
    page = await reader().fetch(FetchRequest(url=URL))
    assert page.notes == ("2 of 99 answers are shown: those with the highest score",)


async def test_backoff_is_kept_for_its_method(site, reader, clock):
    site.route("/questions/1001", answer(json={**QUESTION, "backoff": 10}))
    fetcher = reader()
    await fetcher.fetch(FetchRequest(url=URL))
    asked = len(site.requests)
    clock.advance(4)
    with pytest.raises(RateLimited) as caught:
        await fetcher.fetch(FetchRequest(url="https://superuser.com/questions/5"))
    assert caught.value.retry_after == pytest.approx(6)
    assert not [request for request in site.requests[asked:] if request.path == "/questions/5"]
    clock.advance(7)
    await fetcher.fetch(FetchRequest(url=URL))


@pytest.mark.parametrize(
    ("behaviour", "error"),
    [
        (answer(400, json=THROTTLED), RateLimited),
        (answer(400, json={"error_id": 400, "error_name": "bad_parameter", "error_message": "site"}), InvalidRequest),
        (answer(200, json={"items": [], "has_more": False}), NotFound),
    ],
)
async def test_what_it_says_no_to(site, reader, behaviour, error):
    site.route("/questions/1001", behaviour)
    with pytest.raises(error) as caught:
        await reader().fetch(FetchRequest(url=URL))
    if error is RateLimited:
        assert caught.value.retry_after == 53


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        (URL, True),
        ("https://stackoverflow.com/a/5", True),
        ("https://stackoverflow.com/questions/5?answertab=votes#tab-top", True),
        ("https://pt.stackoverflow.com/q/5", True),
        ("https://meta.stackexchange.com/questions/5/x", True),
        ("https://tex.meta.stackexchange.com/questions/5", True),
        ("https://mathoverflow.net/questions/5", True),
        ("https://stackoverflow.com/questions/tagged/python", False),
        ("https://stackoverflow.com/questions/5x", False),
        ("https://stackoverflow.com.example/questions/5", False),
        ("https://notstackexchange.com/questions/5", False),
    ],
)
async def test_questions_of_the_network_are_wanted(reader, url, wanted):
    assert reader().can_fetch(FetchRequest(url=url)) is wanted
    assert reader().can_fetch(FetchRequest(url=url, raw=True)) is False


@pytest.mark.parametrize("failure", [answer(400, json=THROTTLED), answer(200, json={"items": []}), answer(500, "")])
async def test_what_cannot_be_had_is_read_in_the_ordinary_way(site, reader, failure):
    site.route("/questions/*", failure)
    http, clock = FakeFetcher("http"), FakeClock()
    reading = Reading(
        [reader(), http], [FakeExtractor()], ChainSettings(), clock, MemoryStore(clock, 10**6), lambda _: None
    )
    read = await reading.fetch(FetchRequest(url=URL))
    assert read.page.body == "Some text."
    assert len(http.requests) == 1


async def test_much_text_is_put_together_in_a_worker(site):
    ctx = context("stackexchange", {"base_url": site.url})
    [fetcher] = websearch_fetchers(ctx)
    long = {**QUESTION["items"][0], "body_markdown": "word " * 9000}
    site.route("/questions/1001", answer(json={"items": [long]}))
    page = await fetcher.fetch(FetchRequest(url=URL))
    assert ctx.workers.calls == [question_page]
    assert len(page.body) > 40_000
    await ctx.aclose()
