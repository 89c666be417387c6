"""`search` over raw JSON-RPC, in both eras: results, notes, receipts, the budget, and errors in words."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest

from websearch_core.contract.errors import (
    AllSourcesFailed,
    BlockedByFilter,
    Code,
    Failure,
    InvalidRequest,
    Refused,
)
from websearch_core.contract.models import SearchRequest
from websearch_core.contract.results import SearchAnswer
from websearch_core.contract.verdicts import Dropped
from websearch_core.kit.tokens import estimate_tokens
from websearch_core.testing.fakes import FakeGateway

from .conftest import ERAS, StandIn, hit, serving


class Answers:
    """A chain that answers every search with this."""

    def __init__(self, answer: SearchAnswer) -> None:
        self.answer = answer
        self.requests: list[SearchRequest] = []

    async def search(self, request: SearchRequest) -> SearchAnswer:
        self.requests.append(request)
        return self.answer


async def search(chain: Any, arguments: dict[str, Any] | None = None, **stand_in: Any) -> dict[str, Any]:
    async with serving(StandIn(chain=chain, **stand_in)) as client:
        return await client.tool("search", arguments or {"query": "owls"})


def text_of(result: dict[str, Any]) -> str:
    return result["content"][0]["text"]


def plain_text_of(result: dict[str, Any]) -> str:
    """What stands between the marks of untrusted text."""
    found = re.fullmatch(r"Between .*\n\n<(web-[0-9a-f]{8})>\n(.*)\n</\1>", text_of(result), re.DOTALL)
    assert found
    return found[2]


@pytest.mark.parametrize("era", ERAS)
async def test_a_search_answers_with_results_meta_and_notes(era: str) -> None:
    chain = Answers(
        SearchAnswer(
            hits=(
                hit(
                    1,
                    author="A. Owl",
                    published=datetime(2026, 1, 2, 3, tzinfo=UTC),
                    favicon="https://example.com/f.ico",
                ),
                hit(2),
            ),
            notes=("language is not pushed down",),
            backends=("fake",),
            cached=True,
            age=12.4,
            took=0.0312,
        )
    )
    async with serving(StandIn(chain=chain)) as client:
        result = await client.tool("search", {"query": " owls ", "max_results": "5", "topn": 3}, era)
    assert chain.requests[0].query == "owls"
    assert chain.requests[0].max_results == 5
    structured = result["structuredContent"]
    assert structured["results"][0] == {
        "title": "Title 1",
        "url": "https://example.com/1",
        "content": "Snippet 1.",
        "favicon": "https://example.com/f.ico",
        "published_date": "2026-01-02T03:00:00Z",
        "author": "A. Owl",
        "source": "fake",
        "id": structured["results"][0]["id"],
    }
    assert structured["meta"] == {"backends": ["fake"], "cached": True, "age_s": 12, "took_ms": 31}
    assert structured["notes"] == [
        "max_results: text was read as a number",
        "unknown arguments were ignored: topn",
        "language is not pushed down",
    ]
    assert structured["dropped"] == []
    assert result["isError"] is False


async def test_the_text_is_for_reading_and_no_copy_of_the_json() -> None:
    result = await search(Answers(SearchAnswer(hits=(hit(1, published=datetime(2026, 1, 2, tzinfo=UTC)), hit(2)))))
    assert plain_text_of(result) == (
        "[1] Title 1\nhttps://example.com/1\n2026-01-02\nSnippet 1.\n\n[2] Title 2\nhttps://example.com/2\nSnippet 2."
    )


async def test_a_title_cannot_look_like_the_next_result() -> None:
    result = await search(Answers(SearchAnswer(hits=(hit(1, title="A\n\n[2] B\nhttps://evil.example/"),))))
    assert plain_text_of(result).splitlines()[0] == "[1] A [2] B https://evil.example/"


async def test_nothing_of_a_result_can_look_like_the_next() -> None:
    false = "A\n\n[2] B\u2028[3] C"
    found = hit(1, url=false, title=false, author=false, image=false, source=false)
    gone = Dropped(host=false, by=false, reason=false)
    text = text_of(await search(Answers(SearchAnswer(hits=(found,), notes=(false,), dropped=(gone,)))))
    assert [line for line in text.splitlines() if line.startswith("[")] == ["[1] A [2] B [3] C"]


async def test_the_same_address_always_has_the_same_id() -> None:
    first, second = [await search(Answers(SearchAnswer(hits=(hit(1), hit(2))))) for _ in range(2)]
    ids = [[row["id"] for row in result["structuredContent"]["results"]] for result in (first, second)]
    assert ids[0] == ids[1]
    assert ids[0][0] != ids[0][1]
    assert all(len(each) == 10 for each in ids[0])


async def test_a_picture_comes_with_its_own_address() -> None:
    result = await search(Answers(SearchAnswer(hits=(hit(1, image="https://example.com/owl.png"),))))
    assert result["structuredContent"]["results"][0]["image"] == "https://example.com/owl.png"
    assert "image: https://example.com/owl.png" in text_of(result)


async def test_whole_text_takes_the_place_of_the_excerpt() -> None:
    result = await search(Answers(SearchAnswer(hits=(hit(1, body="The whole text."),))))
    assert result["structuredContent"]["results"][0]["content"] == "The whole text."


async def test_what_filters_took_out_leaves_receipts() -> None:
    gone = Dropped(host="bad.example", by="guard", reason="tells the model what to do")
    result = await search(Answers(SearchAnswer(hits=(hit(1),), dropped=(gone,))))
    assert result["structuredContent"]["dropped"] == [
        {"host": "bad.example", "by": "guard", "reason": "tells the model what to do"}
    ]
    assert "1 left out by safety filters" in text_of(result)


async def test_blocked_is_never_told_as_no_results() -> None:
    gone = Dropped(host="bad.example", by="guard", reason="tells the model what to do")
    assert "blocked by safety filters" in text_of(await search(Answers(SearchAnswer(dropped=(gone,)))))
    assert text_of(await search(Answers(SearchAnswer()))) == "No results."


async def test_receipts_and_notes_that_are_the_same_are_told_once_with_a_count() -> None:
    gone = [Dropped(host=host, by="guard", reason="an order") for host in ("a.example", "b.example", "a.example")]
    answer = SearchAnswer(hits=(hit(1),), dropped=tuple(gone), notes=("late", "cut", "late"))
    result = await search(Answers(answer))
    assert result["structuredContent"]["dropped"] == [
        {"host": "a.example", "by": "guard", "reason": "an order", "count": 2},
        {"host": "b.example", "by": "guard", "reason": "an order"},
    ]
    assert result["structuredContent"]["notes"] == ["late (2 times)", "cut"]
    receipts = text_of(result).partition("3 left out by safety filters or address rules:\n")[2]
    assert receipts.startswith("- 2 of a.example: an order (guard)\n- b.example: an order")


async def test_too_much_text_is_shortened_evenly_and_said() -> None:
    hits = (*(hit(n, snippet="Owls hunt by ear at night. " * 100) for n in range(1, 21)), hit(21))
    result = await search(Answers(SearchAnswer(hits=hits)), server={"max_output_tokens": 4000})
    rows = result["structuredContent"]["results"]
    assert len(rows) == 21
    assert estimate_tokens(text_of(result)) <= 4000
    assert estimate_tokens(json.dumps(result["structuredContent"])) <= 4000
    lengths = {len(row["content"]) for row in rows[:20]}
    assert len(lengths) == 1
    assert rows[20]["content"] == "Snippet 21."
    assert "the texts of 20 results were shortened evenly" in "\n".join(result["structuredContent"]["notes"])


async def test_results_that_do_not_fit_at_all_are_counted() -> None:
    hits = tuple(hit(n, title="A long title of a page " * 20) for n in range(1, 21))
    result = await search(Answers(SearchAnswer(hits=hits)), server={"max_output_tokens": 1000})
    shown = len(result["structuredContent"]["results"])
    assert 0 < shown < 20
    assert f"only the first {shown} of 20 results fit" in "\n".join(result["structuredContent"]["notes"])
    assert estimate_tokens(text_of(result)) <= 1000


@pytest.mark.parametrize("count", [1, 20])
@pytest.mark.parametrize(
    "heading",
    [
        {"age_text": "3 days ago " * 100},
        {"favicon": "https://example.com/" + "a" * 2000, "image": "https://example.com/" + "b" * 2000},
        {"found_by": tuple(f"engine-number-{n}" for n in range(30))},
        {"title": "A title of no end " * 1000},
    ],
    ids=["age", "pictures", "found by", "title"],
)
async def test_whatever_a_heading_holds_the_answer_keeps_within_its_limit(heading: dict[str, Any], count: int) -> None:
    hits = tuple(hit(n, **heading) for n in range(count))
    result = await search(Answers(SearchAnswer(hits=hits)), server={"max_output_tokens": 1500})
    assert result["structuredContent"]["results"]
    assert estimate_tokens(text_of(result)) <= 1500
    assert estimate_tokens(json.dumps(result["structuredContent"])) <= 1500


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("error", "parts"),
    [
        (
            AllSourcesFailed(
                (
                    Failure("exa", Code.RATE_LIMITED, "too many requests", 30.0),
                    Failure("searxng", Code.AUTH, "add json to search.formats"),
                )
            ),
            [
                "- exa: rate_limited: too many requests. A retry may help after 30 s.",
                "- searxng: auth: the credentials were refused: add json to search.formats. A retry does not help.",
                "Next: wait, then ask again; or the operator must set a valid key.",
            ],
        ),
        (AllSourcesFailed(()), ["no source is configured", "A retry does not help."]),
        (
            BlockedByFilter("names a person", by="guard-pii"),
            ["blocked by safety filters", "names a person", "guard-pii"],
        ),
        (BlockedByFilter(by="guard-pii"), ["blocked by safety filters", "guard-pii"]),
        (Refused("not in allowlist"), ["refused:", "policy forbids this address", "not in allowlist"]),
        (
            InvalidRequest("the rule is malformed"),
            ["invalid_request:", "the rule is malformed", "change the arguments"],
        ),
    ],
    ids=["two failures", "no source", "filter", "filter without words", "refused", "invalid"],
)
async def test_failures_are_told_with_a_next_step(error: Exception, parts: list[str], era: str) -> None:
    async with serving(StandIn(chain=FakeGateway(error=error))) as client:
        result = await client.tool("search", {"query": "owls"}, era)
    assert result["isError"] is True
    assert "structuredContent" not in result
    for part in parts:
        assert part in text_of(result)


async def test_a_bug_is_told_without_its_values(caplog: pytest.LogCaptureFixture) -> None:
    result = await search(FakeGateway(error=RuntimeError("secret query")))
    assert result["isError"] is True
    assert text_of(result).startswith("internal error: nothing was")
    assert "secret query" not in caplog.text
    assert "RuntimeError" in caplog.text


@pytest.mark.parametrize("era", ERAS)
async def test_wrong_arguments_are_a_tool_error(era: str) -> None:
    async with serving(StandIn()) as client:
        result = await client.tool("search", {"query": "owls", "max_results": "many"}, era)
    assert result["isError"] is True
    assert text_of(result) == "max_results: must be a whole number from 1 to 50; for example 8"


async def test_a_call_that_takes_too_long_is_a_timeout() -> None:
    import anyio

    cancelled = []

    class Hangs:
        async def search(self, request: SearchRequest) -> SearchAnswer:
            try:
                await anyio.sleep_forever()
            finally:
                cancelled.append(request.query)

    result = await search(Hangs(), server={"deadline_s": 0.05})
    assert result["isError"] is True
    assert text_of(result).startswith("timeout: no answer in time.")
    assert cancelled == ["owls"]


async def test_the_chain_is_given_the_deadline() -> None:
    chain = Answers(SearchAnswer())
    await search(chain, server={"deadline_s": 7})
    assert chain.requests[0].caller.deadline == 1007.0


class Named:
    """A backend, as far as the published schema looks at it."""

    def __init__(self, name: str) -> None:
        self.name = name


@pytest.mark.parametrize(("names", "published"), [(("one", "two"), True), (("one",), False), ((), False)])
async def test_a_named_backend_is_understood_and_published_where_there_is_a_choice(
    names: tuple[str, ...], published: bool
) -> None:
    chain = Answers(SearchAnswer())
    backends = tuple(map(Named, names))
    result = await search(chain, {"query": "owls", "backend": "two"}, every_backend=backends)
    assert chain.requests[0].backend == "two"
    assert not any("unknown" in note for note in result["structuredContent"]["notes"])
    async with serving(StandIn(chain=chain, every_backend=backends)) as client:
        [tool] = [tool for tool in (await client.rpc("tools/list"))["result"]["tools"] if tool["name"] == "search"]
    assert ("backend" in tool["inputSchema"]["properties"]) is published


async def test_an_answer_without_results_carries_its_hints() -> None:
    result = await search(Answers(SearchAnswer(hints=("Asked: one.", "It proves nothing."))))
    assert result["structuredContent"]["hints"] == ["Asked: one.", "It proves nothing."]
    assert "Asked: one. It proves nothing." in text_of(result)


async def test_receipts_alone_may_pass_the_output_limit() -> None:
    dropped = tuple(Dropped(host=f"host{n}.example", by="guard", reason="a reason " * 20) for n in range(20))
    answer = SearchAnswer(dropped=dropped, hints=("Something was found.",))
    result = await search(Answers(answer), server={"max_output_tokens": 500})
    assert not result["isError"]
    assert result["structuredContent"]["results"] == []
    assert len(result["structuredContent"]["dropped"]) == 20
