"""`fetch` over raw JSON-RPC: order, duplicates, failures, paging, the budget, progress."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import anyio
import pytest

from websearch_core.contract.errors import AllSourcesFailed, BlockedByFilter, Code, Failure, Refused, TimedOut
from websearch_core.contract.models import FetchRequest
from websearch_core.contract.results import FetchAnswer
from websearch_core.kit.tokens import estimate_tokens
from websearch_core.testing.fakes import FakeGateway

from .conftest import ERAS, StandIn, messages, page, rpc, serving

A, B, C = (f"https://{letter}.example/" for letter in "abc")


async def fetch(chain: Any, arguments: dict[str, Any], **stand_in: Any) -> dict[str, Any]:
    async with serving(StandIn(chain=chain, **stand_in)) as client:
        return await client.tool("fetch", arguments)


def rows_of(result: dict[str, Any]) -> list[dict[str, Any]]:
    return result["structuredContent"]["results"]


def pages(**bodies: str) -> FakeGateway:
    return FakeGateway(
        pages={
            f"https://{letter}.example/": page(f"https://{letter}.example/", body) for letter, body in bodies.items()
        }
    )


@pytest.mark.parametrize("era", ERAS)
async def test_rows_keep_the_order_with_duplicates_and_failures(era: str) -> None:
    chain = pages(a="Text A.", c="Text C.")
    async with serving(StandIn(chain=chain)) as client:
        result = await client.tool("fetch", {"urls": [C, B, A, C]}, era)
    rows = rows_of(result)
    assert [row["url"] for row in rows] == [C, B, A, C]
    assert [row["status"] for row in rows] == ["completed", "failed", "completed", "completed"]
    assert rows[0] == {"url": C, "final_url": C, "status": "completed", "content": "Text C.", "tokens": 3}
    assert rows[3] == {"url": C, "final_url": C, "status": "completed", "same_as": 1}
    assert result["content"][0]["text"].endswith("[4/4] https://c.example/\n[the same as 1]")
    assert rows[1]["code"] == "not_found"
    assert "check the address" in rows[1]["error"]
    assert len(chain.requests) == 3
    assert result["isError"] is False


@pytest.mark.parametrize("body", ["Text A.", "What the fragment shows."], ids=["the same", "other text"])
async def test_a_page_is_shown_again_for_a_fragment_only_where_that_shows_other_text(body: str) -> None:
    part = f"{A}#part"
    chain = FakeGateway(pages={A: page(A, "Text A."), part: page(part, body, final_url=A)})
    rows = rows_of(await fetch(chain, {"urls": [A, A, part, part]}))
    again = {"same_as": 1} if body == "Text A." else {"content": body, "tokens": rows[2].get("tokens")}
    assert rows[1] == {"url": A, "final_url": A, "status": "completed", "same_as": 1}
    assert rows[2] == {"url": part, "final_url": A, "status": "completed", **again}
    assert rows[3]["same_as"] == (1 if body == "Text A." else 3)


async def test_an_address_that_fails_is_told_once_however_often_it_is_given() -> None:
    result = await fetch(pages(a="Text A."), {"urls": [B, A, B, B]})
    rows = rows_of(result)
    assert [row.get("same_as") for row in rows] == [None, None, 1, 1]
    assert rows[2] == {"url": B, "final_url": B, "status": "failed", "code": "not_found", "same_as": 1}
    assert result["content"][0]["text"].count("check the address") == 1
    assert result["content"][0]["text"].endswith("[4/4] https://b.example/\n[the same as 1]")


async def test_the_text_has_a_header_for_each_page() -> None:
    chain = FakeGateway(pages={A: page(A, "Text A.", title="The A", final_url="https://a.example/home")})
    result = await fetch(chain, {"urls": [A, B]})
    preamble, _, text = result["content"][0]["text"].partition("\n\n")
    mark = preamble.removeprefix("Between <").partition(">")[0]
    assert text == (
        f"[1/2] https://a.example/ → https://a.example/home (3 tokens in all)\n"
        f"<{mark}>\nThe A\n\nText A.\n</{mark}>\n\n"
        "[2/2] https://b.example/\nFAILED: not_found: nothing is there. Next: check the address or search for it. "
        "A retry does not help."
    )


@pytest.mark.parametrize(
    ("error", "code", "part"),
    [
        (Refused("not in allowlist"), "refused", "not in allowlist"),
        (BlockedByFilter("an injection", by="guard"), "blocked_by_filter", "blocked by safety filters"),
        (AllSourcesFailed((Failure("http", Code.TIMEOUT, "no answer in time"),)), "timeout", "http: timeout"),
        (RuntimeError("https://a.example/secret"), "server", "internal error"),
    ],
    ids=["refused", "filter", "nobody", "bug"],
)
async def test_a_failed_row_says_why_and_what_next(error: Exception, code: str, part: str) -> None:
    row = rows_of(await fetch(FakeGateway(error=error), {"urls": [A]}))[0]
    assert (row["status"], row["code"]) == ("failed", code)
    assert part in row["error"]
    assert "secret" not in row["error"]


async def test_an_address_that_a_filter_stopped_is_not_said_again() -> None:
    stopped = BlockedByFilter("holds a card number", by="guard-pii", left=False)
    result = await fetch(FakeGateway(error=stopped), {"urls": ["https://a.example/?card=4111111111111111"]})
    assert "4111" not in json.dumps(result)
    assert rows_of(result)[0]["url"] == "(withheld)"


async def test_author_and_day_stand_over_the_text_and_the_title_where_the_text_has_none() -> None:
    about = {"title": "Owls", "author": "Ann\nOwl", "published": datetime(2026, 1, 31, tzinfo=UTC)}
    for body, over in (
        ("Text.", "Owls\nAnn Owl · 2026-01-31\n\nText."),
        ("# Owls\n\nText.", "Ann Owl · 2026-01-31\n\n# Owls"),
    ):
        chain = FakeGateway(pages={A: page(A, body, **about)})
        text = (await fetch(chain, {"urls": [A]}, server={"spotlight": "off"}))["content"][0]["text"]
        assert text.partition("\n")[2].startswith(over)


async def test_no_address_can_look_like_the_next_page() -> None:
    false = "https://a.example/\n\n[2/2] https://b.example/"
    result = await fetch(FakeGateway(pages={A: page(A, "Text.", title=false, final_url=false)}), {"urls": [A, false]})
    lines = result["content"][0]["text"].splitlines()
    assert [line[:5] for line in lines if line.startswith("[")] == ["[1/2]", "[2/2]"]


async def test_pages_are_read_at_the_same_time() -> None:
    both = anyio.Event()
    waiting: list[str] = []

    class Together:
        async def fetch(self, request: FetchRequest) -> FetchAnswer:
            waiting.append(request.url)
            if len(waiting) == 2:
                both.set()
            await both.wait()
            return FetchAnswer(page=page(request.url))

    rows = rows_of(await fetch(Together(), {"urls": [A, B]}))
    assert [row["status"] for row in rows] == ["completed", "completed"]


async def test_a_long_page_comes_in_pieces_that_continue_exactly() -> None:
    body = "".join(f"Paragraph {n} of a long page about owls.\n\n" for n in range(300))
    chain = pages(a=body)
    read, offset = "", 0
    async with serving(StandIn(chain=chain)) as client:
        while True:
            row = rows_of(await client.tool("fetch", {"urls": [A], "max_chars": 3000, "offset": offset}))[0]
            read += row["content"]
            if "next_offset" not in row:
                break
            assert row["truncated"] is True
            offset = row["next_offset"]
    assert read == body


@pytest.mark.parametrize(
    ("second", "later", "said"),
    [("Other text. " * 40, {}, True), ("One text. " * 40, {}, False), ("Other text. " * 40, {"offset": 0}, False)],
    ids=["changed", "the same", "from the beginning"],
)
async def test_a_piece_of_a_page_that_has_changed_says_so(second: str, later: dict[str, int], said: bool) -> None:
    bodies = iter(["One text. " * 40, second, second])

    class Changing:
        async def fetch(self, request: FetchRequest) -> FetchAnswer:
            return FetchAnswer(page=page(request.url, next(bodies)))

    async with serving(StandIn(chain=Changing())) as client:
        first = await client.tool("fetch", {"urls": [A], "max_chars": 100})
        onward = {"urls": [A], "max_chars": 100, "offset": rows_of(first)[0]["next_offset"]}
        second_piece = await client.tool("fetch", onward | later)
        third = await client.tool("fetch", onward)
    assert any("the page has changed" in note for note in second_piece["structuredContent"]["notes"]) is said
    assert third["structuredContent"]["notes"] == []


async def test_only_a_later_piece_asks_for_the_copy_that_was_read() -> None:
    chain = pages(a="Text A.")
    async with serving(StandIn(chain=chain)) as client:
        for offset in (0, 3):
            await client.tool("fetch", {"urls": [A], "offset": offset})
    assert [request.continued for request in chain.requests] == [False, True]


async def test_a_short_page_is_not_called_truncated() -> None:
    row = rows_of(await fetch(pages(a="Short."), {"urls": [A]}))[0]
    assert "truncated" not in row
    assert "next_offset" not in row


async def test_a_document_cut_at_its_byte_limit_says_so_without_an_offset() -> None:
    chain = FakeGateway(pages={A: page(A, "Half a", truncated=True)})
    row = rows_of(await fetch(chain, {"urls": [A]}))[0]
    assert row["truncated"] is True
    assert "next_offset" not in row


async def test_an_offset_past_the_end_is_said() -> None:
    result = await fetch(pages(a="Short."), {"urls": [A], "offset": 100})
    assert rows_of(result)[0]["content"] == ""
    assert result["structuredContent"]["notes"] == ["offset: past the end; the text has 6 characters"]


async def test_twenty_pages_share_the_output_limit_evenly() -> None:
    body = "Owls hunt by ear and fly without a sound. " * 2000
    chain = FakeGateway(pages={f"https://x{n}.example/": page(f"https://x{n}.example/", body) for n in range(20)})
    result = await fetch(chain, {"urls": list(chain.pages)}, server={"max_output_tokens": 8000})
    rows = rows_of(result)
    assert len({len(row["content"]) for row in rows}) == 1
    assert all(row["next_offset"] == len(row["content"]) for row in rows)
    assert estimate_tokens(result["content"][0]["text"]) <= 8000
    assert estimate_tokens(json.dumps(result["structuredContent"])) <= 8000


async def test_what_a_short_page_leaves_goes_to_the_long_one() -> None:
    chain = pages(a="Short.", b="Owls hunt by ear. " * 2000)
    rows = rows_of(await fetch(chain, {"urls": [A, B]}, server={"max_output_tokens": 2000}))
    assert rows[0]["content"] == "Short."
    assert estimate_tokens(rows[1]["content"]) > 1500


async def test_pages_for_the_router_repeat_the_completed_ones() -> None:
    result = await fetch(pages(a="Text A."), {"urls": [A, B]}, server={"pages": True})
    assert result["structuredContent"]["pages"] == [{"url": A, "content": "Text A."}]
    result = await fetch(pages(), {"urls": [B]}, server={"pages": True})
    assert "pages" not in result["structuredContent"]


async def test_what_the_router_gets_twice_counts_twice() -> None:
    body = "Owls hunt by ear and fly without a sound. " * 2000
    sizes: list[int] = []
    for twice in (False, True):
        result = await fetch(
            pages(a=body, b=body), {"urls": [A, B]}, server={"pages": twice, "max_output_tokens": 8000}
        )
        structured = result["structuredContent"]
        assert estimate_tokens(json.dumps(structured)) <= 8000
        assert twice is ("pages" in structured)
        sizes.append(len(rows_of(result)[0]["content"]))
    assert sizes[0] / 2 * 0.9 < sizes[1] < sizes[0] / 2 * 1.1


async def test_notes_name_the_row_when_there_are_several() -> None:
    class Notes:
        async def fetch(self, request: FetchRequest) -> FetchAnswer:
            return FetchAnswer(page=page(request.url), notes=("read from a copy",), cached=True, age=61.0)

    result = await fetch(Notes(), {"urls": [A, B], "x": 1})
    assert result["structuredContent"]["notes"] == [
        "unknown arguments were ignored: x",
        "[1, 2] read from a copy",
    ]
    assert rows_of(result)[0]["cached"] is True
    assert rows_of(result)[0]["age_s"] == 61


async def test_more_than_twenty_addresses_are_an_error() -> None:
    result = await fetch(pages(), {"urls": [f"https://x{n}.example/" for n in range(21)]})
    assert result["isError"] is True
    assert result["content"][0]["text"].startswith("urls: must be a list of 1 to 20")


@pytest.mark.parametrize("era", ERAS)
async def test_progress_is_told_for_each_page_of_several(era: str) -> None:
    call = {"name": "fetch", "arguments": {"urls": [A, B, A]}, "_meta": {"progressToken": "p"}}
    async with serving(StandIn(chain=pages(a="A.", b="B."))) as client:
        told = messages(await client.post(rpc("tools/call", call, era=era), era))
    progress = [each["params"] for each in told if each.get("method") == "notifications/progress"]
    assert [(each["progress"], each["total"]) for each in progress] == [(1, 2), (2, 2)]
    assert len(told[-1]["result"]["structuredContent"]["results"]) == 3


async def test_one_page_needs_no_progress() -> None:
    call = {"name": "fetch", "arguments": {"urls": [A]}, "_meta": {"progressToken": "p"}}
    async with serving(StandIn(chain=pages(a="A."))) as client:
        assert len(messages(await client.post(rpc("tools/call", call)))) == 1


async def test_an_address_that_hangs_is_one_failed_row() -> None:
    class Hangs:
        async def fetch(self, request: FetchRequest) -> FetchAnswer:
            if request.url == B:
                await anyio.sleep_forever()
            return FetchAnswer(page=page(request.url))

    rows = rows_of(await fetch(Hangs(), {"urls": [A, B]}, server={"deadline_s": 3}))
    assert [row["status"] for row in rows] == ["completed", "failed"]
    assert rows[1]["code"] == "timeout"


async def test_a_section_comes_in_pieces_that_continue_exactly() -> None:
    body = "# A\n\nfirst\n\n## B\n\n" + "Owls hunt by ear. " * 50 + "\n\n## C\n\nlast\n"
    chain = pages(a=body)
    row = rows_of(await fetch(chain, {"urls": [A], "section": "B", "max_chars": 500}))[0]
    more = rows_of(await fetch(chain, {"urls": [A], "section": "B", "offset": row["next_offset"]}))[0]
    assert row["content"] + more["content"] == body[body.index("## B") : body.index("## C")]
    assert "next_offset" not in more


async def test_the_outline_and_passages_are_asked_for_by_argument() -> None:
    chain = pages(a="# Birds\n\nOwls hunt by night.\n\n# Cats\n\nCats sleep.")
    assert rows_of(await fetch(chain, {"urls": [A], "output": "Outline"}))[0]["content"].startswith(
        "- Birds (offset 0,"
    )
    assert "Owls hunt" in rows_of(await fetch(chain, {"urls": [A], "find": "owl"}))[0]["content"]
    answer = await fetch(chain, {"urls": [A], "find": "zebra"})
    assert answer["structuredContent"]["notes"] == [
        "find: no passage has any of the words; the outline is shown instead"
    ]


async def test_raw_is_asked_of_the_chain() -> None:
    chain = pages(a="<p>raw")
    answer = await fetch(chain, {"urls": [A], "output": "raw", "find": "owl"})
    assert chain.requests[-1].raw is True
    assert "output is raw" in answer["structuredContent"]["notes"][0]


async def test_pictures_and_rendering_are_offered_where_somebody_renders() -> None:
    class Browser:
        renders = True

    shot = page(A, "Text.", screenshot=b"\x89PNG")
    chain = FakeGateway(pages={A: shot})
    answer = await fetch(chain, {"urls": [A], "screenshot": "true", "render": "always"}, fetchers=[Browser()])
    assert answer["content"][1] == {"type": "image", "data": "iVBORw==", "mimeType": "image/png"}
    assert (chain.requests[-1].screenshot, chain.requests[-1].render) == (True, "always")
    without = await fetch(chain, {"urls": [A], "screenshot": True})
    assert "unknown arguments were ignored" in without["structuredContent"]["notes"][0]


async def test_a_page_that_cannot_be_looked_through_fails_alone() -> None:
    class Tired:
        async def run(self, *_: Any, **__: Any) -> Any:
            raise TimedOut("the document took too long to process")

    chain = pages(a="Owls hunt. " * 5000, b="Owls sleep.")
    rows = rows_of(await fetch(chain, {"urls": [A, B], "find": "owls"}, workers=Tired()))
    assert [row["status"] for row in rows] == ["failed", "completed"]
    assert rows[0]["code"] == "timeout"


async def test_what_a_piece_is_dressed_with_counts() -> None:
    head = f"| {'a b ' * 90} |\n|---|\n"
    chain = pages(a=head + "| cell |\n" * 3000)
    result = await fetch(chain, {"urls": [A], "offset": len(head) + 90}, server={"max_output_tokens": 1000})
    row = rows_of(result)[0]
    assert row["content"].startswith(head)
    assert row["truncated"]
    assert estimate_tokens(result["content"][0]["text"]) <= 1000
