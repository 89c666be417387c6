"""Cuts begin and end at sentences and lines."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_guard.injection.text.sentences import pieces

TEXT = "One fish. Two fish! Red fish?\nBlue fish\n\nNo fish at 3.5 degrees."


@pytest.mark.parametrize(
    ("touched", "expected"),
    [
        ("Two", ["Two fish!"]),
        ("fish. Two", ["One fish.", "Two fish!"]),
        ("Blue", ["Blue fish"]),
        ("3.5", ["No fish at 3.5 degrees."]),
    ],
)
def test_whole_sentences_are_taken(touched: str, expected: list[str]) -> None:
    start = TEXT.index(touched)
    assert [TEXT[p.start : p.end] for p in pieces(TEXT, start, start + len(touched))] == expected


def test_a_very_long_sentence_is_cut_at_a_word() -> None:
    text = "word " * 1000
    found = pieces(text, 2500, 2510)
    assert sum(p.end - p.start for p in found) < 1000
    assert all(text[p.start : p.end].strip("word ") == "" and text[p.start] == "w" for p in found)


@given(st.text(alphabet="ab. \n。!", max_size=200), st.data())
def test_pieces_are_apart_and_cover_what_was_touched(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    found = pieces(text, start, end)
    for before, after in pairwise(found):
        assert before.end <= after.start
    covered = {at for piece in found for at in range(piece.start, piece.end)}
    assert {at for at in range(start, end) if not text[at].isspace()} <= covered
