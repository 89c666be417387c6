"""Chunks: the spans are the text, sizes keep to the budget, code and tables stay what they are."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.kit import blocks_of, estimate_tokens
from websearch_packet.text.chunks import chunks_of

WORDS = st.lists(
    st.sampled_from(["tea", "is", "green.", "Black!", "water?", "e.g.", "3.5", "cups", "of", "茶。", "naïve"]),
    min_size=1,
    max_size=60,
)
LINE = st.lists(st.sampled_from(["x = 1", "    return y", "print('#')", "", "# note", "- no item"]), max_size=30)


@st.composite
def codes(draw):
    mark = draw(st.sampled_from(["```", "~~~", "````"]))
    return "\n".join([f"{mark}{draw(st.sampled_from(['', 'py']))}", *draw(LINE), mark])


@st.composite
def tables(draw):
    rows = draw(st.lists(st.sampled_from(["| a | b |", "| tea | 12 |", "| | |"]), max_size=40))
    return "\n".join(["| one | two |", "|---|---|", *rows])


@st.composite
def lists(draw):
    items = draw(st.lists(WORDS, min_size=1, max_size=12))
    return "\n".join(f"{draw(st.sampled_from(['- ', '1. ', '* ']))}{' '.join(item)}" for item in items)


BLOCK = st.one_of(
    WORDS.map(" ".join),
    st.tuples(st.integers(1, 6), st.sampled_from(["One", "Two things", "茶"])).map(lambda h: f"{'#' * h[0]} {h[1]}"),
    codes(),
    tables(),
    lists(),
    WORDS.map(lambda words: "> " + " ".join(words)),
    st.just("x" * 900),
)
TEXTS = st.lists(BLOCK, max_size=14).flatmap(
    lambda blocks: st.sampled_from(["\n\n", "\n\n\n"]).map(lambda gap: gap.join(blocks))
)
STRATEGIES = st.sampled_from(["headings_first", "balanced"])


def well_formed(text: str) -> bool:
    """Whether each code block is closed and each table has its head."""
    for block in blocks_of(text):
        lines = text[block.start : block.end].splitlines()
        if block.kind == "code" and (len(lines) < 2 or set(lines[-1].strip()) != {lines[0].lstrip()[0]}):
            return False
    return True


@given(TEXTS, st.integers(60, 600), st.integers(0, 100), STRATEGIES)
def test_the_spans_lie_end_to_end_and_are_the_text(text, size, overlap, strategy) -> None:
    chunks = chunks_of(text, size, overlap=overlap, strategy=strategy)
    assert "".join(text[chunk.start : chunk.end] for chunk in chunks) == (text if text.strip() else "")
    assert all(before.end == after.start for before, after in pairwise(chunks))
    assert all(text[chunk.start : chunk.end].strip() for chunk in chunks)


@given(TEXTS, st.integers(60, 600), st.integers(0, 100), st.floats(0, 0.5), STRATEGIES)
def test_no_chunk_costs_more_than_it_may(text, size, overlap, margin, strategy) -> None:
    for chunk in chunks_of(text, size, margin=margin, overlap=overlap, strategy=strategy):
        assert estimate_tokens(chunk.text) <= math.floor(size * (1 - margin))
        assert chunk.tokens == math.ceil(estimate_tokens(chunk.text))


@given(TEXTS, st.integers(60, 600), st.integers(0, 100), STRATEGIES)
def test_every_fence_is_closed_in_its_chunk(text, size, overlap, strategy) -> None:
    assert all(well_formed(chunk.text) for chunk in chunks_of(text, size, overlap=overlap, strategy=strategy))


@given(TEXTS, st.integers(60, 600), st.integers(10, 100))
def test_an_overlap_says_the_end_of_the_chunk_before_again(text, size, overlap) -> None:
    chunks = chunks_of(text, size, overlap=overlap)
    for before, chunk in pairwise(chunks):
        assert before.start <= chunk.start - chunk.overlap
        assert estimate_tokens(text[chunk.start - chunk.overlap : chunk.start]) <= overlap or not chunk.overlap
        assert chunk.text.startswith(text[chunk.start - chunk.overlap : chunk.start].strip("\n")) or not chunk.overlap


@given(st.lists(st.sampled_from(["# A", "## B", "### C", "#### D", "Some words."]), max_size=20).map("\n\n".join))
def test_headings_down_to_the_third_level_begin_a_chunk_and_none_ends_one(text) -> None:
    chunks = chunks_of(text, 400)
    for chunk in chunks[:-1]:
        assert blocks_of(chunk.text)[-1].kind != "heading"
    for chunk in chunks:
        kinds = [(block.kind, chunk.text[block.start : block.end]) for block in blocks_of(chunk.text)]
        prose = next((n for n, (kind, _) in enumerate(kinds) if kind != "heading"), len(kinds))
        assert not any(shown.startswith(("# ", "## ", "### ")) for _, shown in kinds[prose:])


CODE = "```py\n" + "".join(f"value_{n} = {n}\n" for n in range(60)) + "```"
TABLE = "| name | cups |\n|---|---|\n" + "".join(f"| tea {n} | {n} |\n" for n in range(60))


def test_code_that_is_larger_than_a_chunk_has_its_fence_in_each() -> None:
    chunks = chunks_of(f"# Code\n\nSee:\n\n{CODE}\n\nThat was it.", 100)
    pieces = [chunk for chunk in chunks if "value_" in chunk.text]
    assert len(pieces) > 2
    for chunk in pieces:
        assert "```py\n" in chunk.text
        assert chunk.text.count("```") == 2
    lines = [line for chunk in pieces for line in chunk.text.splitlines() if line.startswith("value_")]
    assert lines == [f"value_{n} = {n}" for n in range(60)]
    assert {chunk.path for chunk in chunks} == {("Code",)}


def test_a_table_that_is_larger_than_a_chunk_has_its_head_in_each() -> None:
    chunks = chunks_of(TABLE, 150)
    assert len(chunks) > 2
    assert all(chunk.text.startswith("| name | cups |\n|---|---|\n| tea ") for chunk in chunks)
    assert sum(chunk.text.count("| tea ") for chunk in chunks) == 60


def test_code_and_tables_that_fit_are_never_cut() -> None:
    text = "\n\n".join(["Words. " * 40, CODE, "More. " * 40, TABLE, "End. " * 40])
    for strategy in ("headings_first", "balanced"):
        chunks = chunks_of(text, 900, margin=0.0, strategy=strategy)
        assert any(CODE in chunk.text for chunk in chunks)
        assert any(TABLE.strip() in chunk.text for chunk in chunks)


def test_balanced_chunks_are_of_about_one_size() -> None:
    text = "\n\n".join("Tea is a drink that is made of leaves." for _ in range(300))
    tokens = [chunk.tokens for chunk in chunks_of(text, 1000, margin=0.0, strategy="balanced")]
    assert max(tokens) - min(tokens) < 60
    assert len(tokens) in (3, 4)


def test_paths_are_right_where_a_level_is_skipped() -> None:
    text = "## A\n\none\n\n#### B\n\ntwo\n\n### C\n\nthree"
    assert [chunk.path for chunk in chunks_of(text, 400)] == [("A",), ("A", "C")]
    assert [chunk.path for chunk in chunks_of(text.replace("#### B", "### B"), 400)] == [("A",), ("A", "B"), ("A", "C")]


@pytest.mark.parametrize("text", ["", " \n\n "])
def test_nothing_has_no_chunks(text: str) -> None:
    assert chunks_of(text, 100) == []


def test_overlap_is_whole_sentences() -> None:
    text = "# A\n\nOne is here. Two is here.\n\n# B\n\nThree."
    assert chunks_of(text, 100, overlap=6)[1].text == "Two is here.\n\n# B\n\nThree."


@pytest.mark.parametrize(
    "text",
    [
        "." * 60_000,
        '"a b c d ' * 6_000,
        "- a\n  ```\n  x\n  ```\n" * 2_000,
        "|a|b|\n|---|---|\n" + "|x|y|\n" * 8_000,
        "x" * 60_000,
    ],
    ids=["dots", "quotes", "fences in a list", "rows", "one word"],
)
def test_hostile_texts_are_cut_like_others(text: str) -> None:
    chunks = chunks_of(text, 300, overlap=30)
    assert "".join(text[chunk.start : chunk.end] for chunk in chunks) == text
    assert max(chunk.tokens for chunk in chunks) <= 270
