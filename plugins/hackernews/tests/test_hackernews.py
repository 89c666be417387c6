"""Threads of Hacker News: the contract, the form of a thread, and what happens when it cannot be had."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from websearch_core import FetchRequest, NotFound, outline_of
from websearch_core.ask.reading import Reading
from websearch_core.settings import ChainSettings
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing import FakeClock, FetcherContract, LoopbackSite, answer, context
from websearch_core.testing.fakes import FakeExtractor, FakeFetcher
from websearch_hackernews.fetcher import HackerNews
from websearch_hackernews.plugin import websearch_fetchers
from websearch_hackernews.thread import text_of, thread_page

ITEM = json.loads((Path(__file__).with_name("samples") / "item.json").read_text())
URL = "https://news.ycombinator.com/item?id=41000001"


class TestHackerNews(FetcherContract):
    component = HackerNews
    plugin = "hackernews"

    def settings(self):
        return {"base_url": self.site.url}

    def fetcher(self, ctx):
        [fetcher] = websearch_fetchers(ctx)
        return fetcher

    def address(self, word):
        return f"{URL}&from={word}"

    def good_answer(self, request):
        return answer(json=ITEM)


@pytest.fixture
async def site():
    async with LoopbackSite() as started:
        yield started


@pytest.fixture
async def reader(site):
    opened = []

    def make(**settings):
        opened.append(context("hackernews", {"base_url": site.url, **settings}))
        return next(iter(websearch_fetchers(opened[-1])))

    yield make
    for ctx in opened:
        await ctx.aclose()


async def test_a_thread_is_a_nested_list_that_texts_cannot_leave(site, reader):
    site.route("/items/41000001", answer(json=ITEM))
    page = await reader().fetch(FetchRequest(url=URL))
    assert page.body == (
        "# Show HN: A map of every river\n\n"
        "by rivers · 312 points · 5 comments · https://rivers.example/map\n\n"
        "## Comments\n\n"
        "- **ana** (2026-03-04 09:10): I like the *colours*. See https://gis.example/long/path\n\n"
        "  \\# not a heading\n\n"
        "  ````\n  SELECT *\n    FROM rivers -- ``` not a fence\n  ````\n\n"
        "  Done \\<!-- not hidden -->\n"
        "  - **rivers** (2026-03-04 09:30): Thank you!\n"
        "- **deleted** (2026-03-04 09:20): (deleted)\n"
        "  - **bo** (2026-03-04 09:40): Too bad that it is gone."
    )
    assert [heading.text for heading in outline_of(page.body)] == ["Show HN: A map of every river", "Comments"]
    assert (page.title, page.author, page.site, page.kind) == (ITEM["title"], "rivers", "Hacker News", "discussion")
    assert page.published.isoformat() == "2026-03-04T09:00:00+00:00"
    assert page.notes == ()


async def test_a_huge_thread_is_cut_level_by_level_and_says_so(site, reader):
    site.route("/items/41000001", answer(json=ITEM))
    page = await reader(max_comments=3).fetch(FetchRequest(url=URL))
    assert "rivers** (2026" not in page.body
    assert "I like the" in page.body
    assert page.notes == ("3 of 5 comments are shown: those near the top first",)


async def test_a_very_deep_thread_stays_readable(site, reader):
    comment = {"id": 1, "author": "a", "text": "bottom", "children": []}
    for number in range(100):
        comment = {"id": number, "author": "a", "text": "x", "children": [comment]}
    site.route("/items/41000001", answer(json={**ITEM, "children": [comment]}))
    page = await reader().fetch(FetchRequest(url=URL))
    assert "\n                    - **a**: bottom" in page.body


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        (URL, True),
        ("http://news.ycombinator.com/item?foo=1&id=7#8", True),
        ("https://news.ycombinator.com/news", False),
        ("https://news.ycombinator.com/item?id=", False),
        ("https://news.ycombinator.com.example/item?id=7", False),
        ("https://example.com/?u=https://news.ycombinator.com/item?id=7", False),
    ],
)
async def test_only_items_are_wanted(reader, url, wanted):
    assert reader().can_fetch(FetchRequest(url=url)) is wanted
    assert reader().can_fetch(FetchRequest(url=url, raw=True)) is False


@pytest.mark.parametrize("failure", [answer(404, json={}), answer(500, ""), answer(429, ""), answer(200, "oops")])
async def test_what_cannot_be_had_is_read_in_the_ordinary_way(site, reader, failure):
    site.route("/*", failure)
    http, clock = FakeFetcher("http"), FakeClock()
    reading = Reading(
        [reader(), http], [FakeExtractor()], ChainSettings(), clock, MemoryStore(clock, 10**6), lambda _: None
    )
    read = await reading.fetch(FetchRequest(url=URL))
    assert read.page.body == "Some text."
    assert len(http.requests) == 1


async def test_an_item_that_is_gone_is_not_found(site, reader):
    site.route("/*", answer(404, json={"status": 404, "error": "Not Found"}))
    with pytest.raises(NotFound):
        await reader().fetch(FetchRequest(url=URL))


async def test_much_text_is_put_together_in_a_worker(site):
    ctx = context("hackernews", {"base_url": site.url})
    [fetcher] = websearch_fetchers(ctx)
    site.route("/*", answer(json={**ITEM, "text": "word " * 9000}))
    page = await fetcher.fetch(FetchRequest(url=URL))
    assert ctx.workers.calls == [thread_page]
    assert len(page.body) > 40_000
    await ctx.aclose()


def test_a_comment_cannot_look_like_a_reply():
    text = text_of("Yes.<p>- <b>dang</b>: flagged<p>1. x<p><i> y</i>")
    assert text == "Yes.\n\n\\- dang: flagged\n\n1\\. x\n\n\\* y*"


@pytest.mark.parametrize("markup", ['<a href="" ' + 'href="" ' * 20_000, " " * 100_000 + "x"])
def test_odd_markup_is_read_in_linear_time(markup):
    begin = time.process_time()
    text_of(markup)
    assert time.process_time() - begin < 1
