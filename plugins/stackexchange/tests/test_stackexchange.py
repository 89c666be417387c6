"""Questions of Stack Exchange: the contract, the form of a page, its limits, and what happens when it says no."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from websearch_core import FetchRequest
from websearch_core.kit import InvalidRequest, NotFound, RateLimited, outline_of
from websearch_core.testing import SiteReaderContract, answer
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


class TestStackExchange(SiteReaderContract):
    component = StackExchange
    plugin = "stackexchange"
    takes = (
        URL,
        "https://stackoverflow.com/a/5",
        "https://stackoverflow.com/questions/5?answertab=votes#tab-top",
        "https://pt.stackoverflow.com/q/5",
        "https://meta.stackexchange.com/questions/5/x",
        "https://tex.meta.stackexchange.com/questions/5",
        "https://mathoverflow.net/questions/5",
        "https://stackapps.com/q/5",
    )
    leaves = (
        "https://stackoverflow.com/questions/tagged/python",
        "https://stackoverflow.com/questions/5x",
        "https://stackoverflow.com/questions/ask",
        "https://stackexchange.com/questions/5",
        "https://api.stackexchange.com/questions/5",
        "https://chat.stackexchange.com/q/5",
        "https://data.stackexchange.com/q/5",
    )

    def settings(self):
        return {"base_url": self.site.url, "api_key": self.secret}

    def fetcher(self, ctx):
        [fetcher] = websearch_fetchers(ctx)
        return fetcher

    def address(self, word):
        return f"https://stackoverflow.com/questions/1001/{word}"

    def good_answer(self, request):
        return good(request)

    async def test_a_question_comes_with_its_answers_by_score(self, made):
        page = await made.fetch(FetchRequest(url=URL))
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

    async def test_answers_are_read_as_they_are_sent_compressed(self, made):
        def compressed(request):
            plain = good(request)
            return answer(200, gzip.compress(plain.body), headers={**plain.headers, "content-encoding": "gzip"})

        self.site.route("/*", compressed)
        assert "Use a set" in (await made.fetch(FetchRequest(url=URL))).body

    async def test_the_site_and_the_filter_are_said_with_every_call(self, reader):
        fetcher = reader(max_answers=5, api_key="k")
        for _ in range(2):
            await fetcher.fetch(FetchRequest(url="https://unix.stackexchange.com/q/1001/7"))
        made, *asked = self.site.requests
        assert made.query["include"] == "question.body_markdown;answer.body_markdown"
        assert {request.path for request in asked} == {"/questions/1001", "/questions/1001/answers"}
        assert all(request.query["site"] == "unix.stackexchange.com" for request in asked)
        assert all((request.query["filter"], request.query["key"]) == ("!xyz", "k") for request in asked)
        assert asked[1].query["pagesize"] == "5"

    async def test_the_address_of_an_answer_leads_to_its_question(self, made):
        page = await made.fetch(FetchRequest(url="https://superuser.com/a/1003"))
        assert self.site.requests[1].path == "/answers/1003"
        assert page.final_url == "https://superuser.com/questions/1001"

    async def test_more_answers_than_are_shown_are_said(self, made):
        self.site.route("/questions/1001", answer(json={"items": [{**QUESTION["items"][0], "answer_count": 99}]}))
        page = await made.fetch(FetchRequest(url=URL))
        assert page.notes == ("2 of 99 answers are shown: those with the highest score",)

    async def test_backoff_is_kept_for_its_method_and_every_process(self, made, ctx, clock):
        self.site.route("/questions/1001", answer(json={**QUESTION, "backoff": 10}))
        await made.fetch(FetchRequest(url=URL))
        asked = len(self.site.requests)
        clock.advance(4)
        for reader in (made, self.make(ctx)):
            with pytest.raises(RateLimited) as caught:
                await reader.fetch(FetchRequest(url="https://superuser.com/questions/5"))
            assert caught.value.retry_after == pytest.approx(6)
        assert not [request for request in self.site.requests[asked:] if "questions" in request.path]
        clock.advance(7)
        await made.fetch(FetchRequest(url=URL))

    @pytest.mark.parametrize(("key", "code"), [("", 400), ("k", 400), ("k", 200), ("k", 502)])
    async def test_whoever_was_told_to_wait_waits(self, reader, clock, key, code):
        made = reader(api_key=key)
        self.site.route("/questions/1001", answer(code, json=THROTTLED))
        with pytest.raises(RateLimited) as caught:
            await made.fetch(FetchRequest(url=URL))
        assert caught.value.retry_after == 53
        asked = len(self.site.requests)
        clock.advance(40)
        read, elsewhere = await self.in_order(made)
        assert (read.page.body, elsewhere, len(self.site.requests)) == ("Some text.", 1, asked)
        clock.advance(20)
        self.site.route("/questions/1001", answer(json=QUESTION))
        assert "Use a set" in (await made.fetch(FetchRequest(url=URL))).body

    @pytest.mark.parametrize(
        ("behaviour", "error"),
        [
            (
                answer(400, json={"error_id": 400, "error_name": "bad_parameter", "error_message": "site"}),
                InvalidRequest,
            ),
            (answer(200, json={"items": [], "has_more": False}), NotFound),
        ],
    )
    async def test_what_it_says_no_to(self, made, behaviour, error):
        self.site.route("/questions/1001", behaviour)
        with pytest.raises(error):
            await made.fetch(FetchRequest(url=URL))
        read, asked = await self.in_order(made)
        assert (read.page.body, asked) == ("Some text.", 1)

    async def test_much_text_is_put_together_in_a_worker(self, made, ctx):
        long = {**QUESTION["items"][0], "body_markdown": "word " * 9000}
        self.site.route("/questions/1001", answer(json={"items": [long]}))
        page = await made.fetch(FetchRequest(url=URL))
        assert ctx.workers.calls == [question_page]
        assert len(page.body) > 40_000
