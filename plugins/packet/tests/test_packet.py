"""What a packet holds, and that it is true."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core import Finding, Page
from websearch_core.contract.verdicts import Decision
from websearch_core.kit import FetchAnswer, estimate_tokens
from websearch_core.testing.fakes import page
from websearch_packet.packets.builder import address_of, packet_of, parts_of, source_id_of
from websearch_packet.packets.canonical_url import canonical
from websearch_packet.packets.packet import Packet
from websearch_packet.packets.summary import minutes_for, summary_of
from websearch_packet.packets.token_budget import cost_of, fitted, shown

NOW = datetime(2026, 1, 2, tzinfo=UTC)
READ = datetime(2026, 1, 1, tzinfo=UTC)
BODY = """# Tea

Tea is a drink. In 2024, Mary Smith of Leeds drank 12 cups a day, 30 % more than before.

## Sorts

- green
- black

#### Deep

```py
# no heading
```

### Less deep

| sort | cups |
|---|---|
| green | 3 |

> It was never so good.
"""


def packed(body: str = BODY, *, answer: dict[str, Any] | None = None, **about: Any) -> Packet:
    read = page("https://Example.com:443/tea?utm_source=x&ref=menu#sorts", body, fetched_at=READ, **about)
    made = FetchAnswer(page=read, **(answer or {}))
    return packet_of(made, parts_of(read.body, read.outline, address_of(read)), now=NOW)


def test_a_packet_says_where_it_is_from_and_when_it_was_read() -> None:
    packet = packed(
        media_type="text/html", final_url="https://example.com/tea?ref=menu", answer={"cached": True, "age": 5.2}
    )
    assert packet.original_url == "https://Example.com:443/tea?utm_source=x&ref=menu#sorts"
    assert packet.canonical_url == "https://example.com/tea?ref=menu"
    assert (packet.retrieved_at, packet.from_cache, packet.age_s) == ("2026-01-01T00:00:00+00:00", True, 5)
    assert (packet.status, packet.content_type) == (200, "text/html")


def test_the_source_id_is_the_same_on_another_day_and_another_for_another_text() -> None:
    later = packed(answer={"cached": True, "age": 1e6})
    assert packed().source_id == later.source_id == source_id_of(later.canonical_url, later.hashes.content_hash)
    assert packed(BODY + "More.").source_id != later.source_id
    assert len(later.source_id) == 16


def test_outline_paths_are_right_where_a_level_is_skipped() -> None:
    assert [(one.level, one.path) for one in packed().outline] == [
        (1, "Tea"),
        (2, "Tea > Sorts"),
        (4, "Tea > Sorts > Deep"),
        (3, "Tea > Sorts > Less deep"),
    ]


def test_all_blocks_are_there_with_their_places() -> None:
    packet = packed()
    kinds = ["heading", "paragraph", "heading", "list", "heading", "code", "heading", "table", "quote"]
    assert [block.kind for block in packet.key_blocks] == kinds
    assert [block.id for block in packet.key_blocks] == [f"b{n}" for n in range(len(kinds))]
    for block in packet.key_blocks:
        assert packet.content[block.start : block.end] == block.text
        assert block.char_len == len(block.text or "")
    assert packet.key_blocks[7].path == "Tea > Sorts > Less deep"
    assert len(packed("Word.\n\n" * 50).key_blocks) == 50


def test_citations_point_to_what_they_quote() -> None:
    packet = packed()
    [citation] = packet.citations
    assert citation.quote == "In 2024, Mary Smith of Leeds drank 12 cups a day, 30 % more than before."
    assert packet.content[citation.start : citation.end] == citation.quote
    assert (citation.block, citation.path) == ("b1", "Tea")
    assert citation.url.startswith("https://example.com/tea?ref=menu#:~:text=In%202024%2C%20Mary")


@given(st.text(alphabet=st.sampled_from('ab. 1920!\n#->|`"“”茶。%$é')) | st.text())
def test_every_citation_is_in_the_text_whatever_it_is(body: str) -> None:
    read = Page.from_markdown(body, url="https://example.com/")
    parts = parts_of(body, read.outline, read.url)
    for citation in parts.citations:
        block = parts.key_blocks[int(citation.block[1:])]
        assert body[citation.start : citation.end] == citation.quote
        assert block.start <= citation.start < citation.end <= block.end


def test_what_a_page_says_again_and_again_is_cited_once() -> None:
    again = "In 1610 Mary Smith brought 3 sorts of tea from China."
    cited = packed(f"{again} {again}\n\n{again}\n\nIn 1700 John Brown drank 40 cups a day.\n").citations
    assert [one.quote for one in cited] == [again, "In 1700 John Brown drank 40 cups a day."]
    assert cited[0].start == 0


def test_metadata_and_summary() -> None:
    packet = packed(
        author="Ann", site="Teas", published=READ, published_from="url", language="en", kind="article", page_count=2
    )
    about = packet.metadata
    assert (about.title, about.author, about.site_name, about.language) == ("Title", "Ann", "Teas", "en")
    assert (about.published_at, about.published_from) == ("2026-01-01T00:00:00+00:00", "url")
    assert (about.estimated_reading_time_min, about.tokens) == (1, round(estimate_tokens(BODY)))
    assert packet.source_summary[0] == "Main topics: Tea; Sorts"
    assert "Key figures: 30 %" in packet.source_summary
    assert "Dates mentioned: 2024" in packet.source_summary


def test_reading_takes_longer_for_more_in_any_script() -> None:
    assert minutes_for("word " * 226) == 2
    assert minutes_for("茶" * 1001) == 3
    assert minutes_for("") == 1


def test_signs_between_words_are_no_words() -> None:
    packet = packed("| a | b |\n| --- | --- |\n| 1 | two words |\n\n- x = y & z\n")
    assert packet.metadata.words == 8
    assert packet.source_summary[-1] == "Content length: about 8 words"
    assert summary_of("", ()) == ["Content length: about 0 words"]


def test_a_summary_says_nothing_of_what_was_put_where_text_was_removed() -> None:
    removed = "[removed: suspected instruction to an AI, 35 characters]"
    body = f"# Owls\n\nOwls hunt mice.\n\n# {removed}\n\n" + f"{removed}\n\n" * 3 + "Mice.\n\n[truncated at 900 bytes]"
    assert packed(body).source_summary[:2] == ["Main topics: Owls", "Key terms: owls, mice"]
    assert len(packed(body).source_summary) == 3


def test_hashes_are_those_of_what_is_known() -> None:
    assert packed().hashes.raw_hash is None
    assert packed(raw_hash="ab").hashes.raw_hash == "ab"
    assert packed().hashes.content_hash == Page.from_markdown(BODY, url="https://e.example/").content_hash


def test_what_filters_found_is_told_by_place_and_never_said_again() -> None:
    step = Decision(
        stage="inspect",
        by="guard-injection",
        family="injection",
        outcome="rewrite",
        reason="took out instructions",
        findings=(Finding("override", "body", 5, 40, 0.9),),
    )
    packet = packed("Tea. [removed: suspected instruction to an AI, 35 characters]", answer={"trail": (step,)})
    [unsafe] = packet.unsafe_instructions_detected
    assert (unsafe.reason, unsafe.by, unsafe.action) == ("override", "guard-injection", "removed")
    assert (unsafe.field, unsafe.start, unsafe.end) == ("body", 5, 40)
    assert {one.type for one in packet.warnings} == {"injection_detected", "changed_by_filters"}


@pytest.mark.parametrize(
    ("about", "answer", "kinds"),
    [
        ({}, {}, set()),
        ({"truncated": True}, {}, {"truncated"}),
        ({"paywalled": True}, {}, {"paywalled"}),
        ({"published": READ, "published_from": "text"}, {}, {"low_confidence_date"}),
        ({"published": READ, "published_from": "json-ld"}, {}, set()),
        ({"media_type": "application/pdf", "page_count": 40}, {}, {"scanned_pdf"}),
        ({"media_type": "application/pdf", "page_count": 1}, {}, set()),
        ({}, {"cached": True, "age": 90_000.0}, {"stale_copy"}),
        ({}, {"cached": True, "age": 90.0}, set()),
        ({}, {"trail": (Decision(stage="ask", by="html", outcome="fail"),)}, {"extraction_fallback"}),
        ({}, {"trail": (Decision(stage="screen", by="pii", outcome="rewrite"),)}, set()),
    ],
)
def test_warnings(about: dict[str, Any], answer: dict[str, Any], kinds: set[str]) -> None:
    assert {one.type for one in packed(answer=answer, **about).warnings} == kinds


@pytest.mark.parametrize(
    ("reached", "named", "address"),
    [
        ("HTTPS://WWW.Example.com:443/A/?b=2&a=1&utm_medium=x&fbclid=y#part", "", "https://www.example.com/A/?b=2&a=1"),
        ("http://e.example?source=feed&ref=1&_ga=2", "", "http://e.example/?source=feed&ref=1"),
        ("http://e.example:8080/#/route", "", "http://e.example:8080/#/route"),
        ("https://e.example/?q=a%20b&x=", "", "https://e.example/?q=a%20b&x="),
        ("https://m.e.example/a?s=1", "https://www.e.example/a", "https://www.e.example/a"),
        ("https://e.example/a", "https://bank.example/", "https://e.example/a"),
        ("https://a.pages.example/x", "https://b.pages.example/x", "https://a.pages.example/x"),
        ("https://e.example/a", "https://e.example/", "https://e.example/a"),
        ("https://e.example/", "https://e.example/?home=1", "https://e.example/?home=1"),
        ("https://e.example/a", "javascript:alert(1)", "https://e.example/a"),
        ("https://e.example/a", "https://[bad", "https://e.example/a"),
        ("http://[::1]:80/a", "", "http://[::1]/a"),
        ("urn:sha256:ab", "https://e.example/", "urn:sha256:ab"),
        ("https://e.example:x/", "", "https://e.example:x/"),
    ],
)
def test_the_canonical_address(reached: str, named: str, address: str) -> None:
    assert canonical(reached, named) == address
    assert canonical(address) == address


@pytest.mark.parametrize("tokens", [200, 500, 2_000, 20_000, 1_000_000])
def test_a_packet_is_cut_to_the_tokens_and_says_so(tokens: int) -> None:
    packet = packed(BODY * 200)
    cut = fitted(packet, tokens)
    cost = cost_of(cut.data())
    assert cost <= tokens or (tokens < 1000 and cost < 1000)
    assert packet.content.startswith(cut.content)
    if cut.content != packet.content:
        assert cut.next_offset == len(cut.content)
        assert [one.type for one in cut.warnings] == ["truncated"]
        assert all(block.end <= cut.next_offset for block in cut.key_blocks)
        assert all(citation.end <= cut.next_offset for citation in cut.citations)
    assert estimate_tokens(shown(packet, tokens)[0]) <= max(tokens, 300)


def test_of_one_long_block_without_blanks_the_beginning_is_there() -> None:
    packet = packed("汉字" * 4000)
    for tokens in (1000, 3000):
        assert packet.content.startswith(fitted(packet, tokens).content)
        assert fitted(packet, tokens).next_offset
        assert shown(packet, tokens)[1] > 200


def test_a_packet_that_nearly_fits_loses_only_what_is_there_twice() -> None:
    packet = packed(BODY * 20)
    lean = fitted(packet, cost_of(packet.data()) - 1)
    assert lean.content == packet.content
    assert {block.text for block in lean.key_blocks} == {None}
    assert len(lean.key_blocks) == len(packet.key_blocks)
