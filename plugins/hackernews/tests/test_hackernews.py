"""Threads of Hacker News: the contract, the form of a thread, polls, and what was deleted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from websearch_core import FetchRequest
from websearch_core.kit import NotFound, UnexpectedResponse, outline_of
from websearch_core.testing import SiteReaderContract, answer
from websearch_core.testing.cpu_time import within_cpu
from websearch_hackernews.fetcher import HackerNews
from websearch_hackernews.plugin import websearch_fetchers
from websearch_hackernews.thread import text_of, thread_page

SAMPLES = Path(__file__).with_name("samples")
ITEM, POLL = (json.loads((SAMPLES / f"{name}.json").read_text()) for name in ("item", "poll"))
URL = "https://news.ycombinator.com/item?id=41000001"


class TestHackerNews(SiteReaderContract):
    component = HackerNews
    plugin = "hackernews"
    takes = (URL, "http://news.ycombinator.com/item?foo=1&id=7#8")
    leaves = (
        "https://news.ycombinator.com/news",
        "https://news.ycombinator.com/item?id=",
        "https://news.ycombinator.com/item?id=7x",
        "https://news.ycombinator.com/user?id=7",
        "https://news.ycombinator.com/item?x=1#&id=7",
    )

    def fetcher(self, ctx):
        [fetcher] = websearch_fetchers(ctx)
        return fetcher

    def good_answer(self, request):
        return answer(json=ITEM)

    async def test_a_thread_is_a_nested_list_that_texts_cannot_leave(self, made):
        page = await made.fetch(FetchRequest(url=URL))
        assert [request.path for request in self.site.requests] == ["/items/41000001"]
        assert page.body == (
            "# Show HN: A map of every river\n\n"
            "by rivers · 312 points · 4 comments · https://rivers.example/map\n\n"
            "## Comments\n\n"
            "- **ana** (2026-03-04 09:10): I like the *colours*. See https://gis.example/long/path\n\n"
            "  \\# not a heading\n\n"
            "  ````\n  SELECT *\n    FROM rivers -- ``` not a fence\n  ````\n\n"
            "  Done \\<!-- not hidden -->\n"
            "  - **rivers** (2026-03-04 09:30): Thank you!\n"
            "- **deleted**: (deleted)\n"
            "  - **bo** (2026-03-04 09:40): Too bad that it is gone."
        )
        assert [heading.text for heading in outline_of(page.body)] == ["Show HN: A map of every river", "Comments"]
        assert (page.title, page.author, page.site, page.kind) == (ITEM["title"], "rivers", "Hacker News", "discussion")
        assert page.published.isoformat() == "2026-03-04T09:00:00+00:00"
        assert page.notes == ()

    async def test_a_poll_shows_its_options(self, made):
        self.site.route("/*", answer(json=POLL))
        page = await made.fetch(FetchRequest(url=URL))
        assert page.body == (
            "# Poll: Which river?\n\nby ana · 40 points · 0 comments\n\nOne only.\n\n"
            "- The Rhine & the Main (31 points)\n- Another one (9 points)"
        )

    async def test_a_huge_thread_is_cut_level_by_level_and_says_so(self, reader):
        page = await reader(max_comments=3).fetch(FetchRequest(url=URL))
        assert "Too bad" not in page.body
        assert "I like the" in page.body
        assert page.notes == ("3 of 4 comments are shown: those near the top first",)

    async def test_all_comments_are_counted(self, made):
        comments = [{"id": n, "author": "a", "text": "x", "children": []} for n in range(900)]
        self.site.route("/*", answer(json={**ITEM, "children": comments}))
        page = await made.fetch(FetchRequest(url=URL))
        assert page.notes == ("200 of 900 comments are shown: those near the top first",)

    async def test_a_very_deep_thread_stays_readable(self, made):
        comment = {"id": 1, "author": "a", "text": "bottom", "children": []}
        for number in range(100):
            comment = {"id": number, "author": "a", "text": "x", "children": [comment]}
        self.site.route("/*", answer(json={**ITEM, "children": [comment]}))
        page = await made.fetch(FetchRequest(url=URL))
        assert "\n                    - **a**: bottom" in page.body

    @pytest.mark.parametrize(
        ("behaviour", "error"),
        [
            (answer(404, json={"status": 404, "error": "Not Found"}), NotFound),
            (answer(json={"id": 41000001, "children": []}), NotFound),  # it was deleted
            (answer(json={"type": "story"}), UnexpectedResponse),
        ],
    )
    async def test_an_item_that_is_gone_says_so(self, made, behaviour, error):
        self.site.route("/*", behaviour)
        with pytest.raises(error):
            await made.fetch(FetchRequest(url=URL))

    async def test_much_text_is_put_together_in_a_worker(self, made, ctx):
        self.site.route("/*", answer(json={**ITEM, "text": "word " * 9000}))
        page = await made.fetch(FetchRequest(url=URL))
        assert ctx.workers.calls == [thread_page]
        assert len(page.body) > 40_000


def test_a_comment_cannot_look_like_a_reply():
    text = text_of("Yes.<p>- <b>dang</b>: flagged<p>1. x<p><i> y</i>")
    assert text == "Yes.\n\n\\- dang: flagged\n\n1\\. x\n\n\\* y*"


@pytest.mark.parametrize("markup", ['<a href="" ' + 'href="" ' * 20_000, " " * 100_000 + "x"])
def test_odd_markup_is_read_in_linear_time(markup):
    within_cpu(1, text_of, markup)
