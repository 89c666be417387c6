"""Cutting leaves a marker that counts, and a text that reads on."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_guard.removal import cut

MARKED = re.compile(r"\[removed: suspected instruction to an AI, (\d+) characters\]")


def marker(count: int) -> str:
    return f"[removed: suspected instruction to an AI, {count} characters]"


CASES = {
    "in a sentence": ("One two three.", (4, 7), f"One {marker(3)} three."),
    "blanks at its ends stay": ("One two three.", (3, 8), f"One {marker(3)} three."),
    "a bullet": ("- one\n- two\n", (6, 11), f"- one\n- {marker(3)}\n"),
    "a heading": ("## one\n\ntwo", (0, 6), f"## {marker(3)}\n\ntwo"),
    "a quotation in a list": ("> 1. one", (0, 8), f"> 1. {marker(3)}"),
    "a table's row": ("| a | b | c |", (0, 13), f"| {marker(11)} | | |"),
    "a fence's end": ("one\n```\ntwo\n", (0, 7), f"{marker(7)}\n```\ntwo\n"),
    "an accent": ("cafe\u0301 x", (0, 4), f"{marker(5)} x"),
    "a family": ("👩\u200d👧 x", (0, 1), f"{marker(3)} x"),
    "a task": ("- [x] one", (0, 9), f"- [x] {marker(3)}"),
    "a heading of six": ("###### one", (0, 10), f"###### {marker(3)}"),
    "seven signs are no heading": ("####### one", (0, 11), marker(11)),
    "a number": ("12) one", (0, 7), f"12) {marker(3)}"),
    "a line before": ("x\n- one", (0, 7), marker(7)),
    "a sign alone": ("- one", (0, 1), "- one"),
    "a fence in it": ("```\none\n```\ntwo", (0, 15), marker(15)),
    "a fence's begin": ("one\n~~~\ntwo\n~~~", (0, 11), f"{marker(11)}\n~~~\n~~~"),
    "cells of a row": ("| a | b | c |", (4, 9), f"| a {marker(5)} | | c |"),
    "an escaped pipe": ("| a \\| b | c |", (2, 9), f"| {marker(6)} | c |"),
    "a pipe in prose": ("a | b", (0, 5), marker(5)),
    "an indented row": ("   | a | b |", (3, 12), f"   | {marker(7)} | |"),
    "a skin": ("👍\U0001f3fd x", (0, 1), f"{marker(2)} x"),
    "the last skin": ("👍\U0001f3ff x", (1, 2), f"{marker(2)} x"),
    "a flag": ("🏴\U000e0067\U000e007f x", (0, 2), f"{marker(3)} x"),
    "a spacing mark": ("क\u093e x", (0, 1), f"{marker(2)} x"),
    "an enclosing mark": ("1\u20e3 x", (0, 1), f"{marker(2)} x"),
    "a joiner at a word's end": ("a\u200d x", (0, 1), f"{marker(2)} x"),
    "halves of one character": ("\ud83d\ude00 x", (0, 1), f"{marker(2)} x"),
    "before the beginning": ("one two", (-3, 3), f"{marker(3)} two"),
    "blanks alone": ("a   b", (1, 4), "a   b"),
    "nothing": ("one", (1, 1), "one"),
    "beyond the end": ("one two", (4, 99), f"one {marker(3)}"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_left(name: str) -> None:
    text, span, left = CASES[name]
    assert cut(text, [span]).text == left


def test_spans_that_overlap_or_only_blanks_part_are_one() -> None:
    assert cut("a bcd efg h", [(2, 4), (3, 5), (6, 9)]).text == f"a {marker(7)} h"


def test_a_marker_is_not_cut_again_but_counted_in() -> None:
    once = cut("one two three four", [(4, 7)]).text
    assert cut(once, [(4, len(once) - 11)]).text == once
    assert cut(once, [(10, len(once) - 5)]).text == f"one {marker(9)} four"


def test_another_word_for_what_went() -> None:
    assert cut("one two", [(0, 3)], "an advertisement").text == "[removed: an advertisement, 3 characters] two"


TEXTS = st.text(st.sampled_from("ab \n|#->1.`\u0301\u200d👩é") | st.characters(exclude_categories=["Cs"]), max_size=60)
SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=4)


@given(TEXTS, SPANS)
def test_kept_places_hold_the_same_characters(text: str, spans: list[tuple[int, int]]) -> None:
    left, kept = cut(text, spans)
    removed = {place for start, end, _, _ in kept.cuts for place in range(start, end)}
    for place, character in enumerate(text):
        if place not in removed:
            assert left[kept(place)] == character
    assert kept(len(text)) == len(left)
    assert all(kept(a) <= kept(a + 1) for a in range(len(text)))


@given(TEXTS, SPANS)
def test_cutting_the_same_again_changes_nothing(text: str, spans: list[tuple[int, int]]) -> None:
    left, kept = cut(text, spans)
    assert cut(left, [(start, end) for *_, start, end in kept.cuts]).text == left
    assert sum(int(count) for count in MARKED.findall(left)) == sum(end - start for start, end, _, _ in kept.cuts)


@given(TEXTS, SPANS)
def test_no_character_is_cut_in_two(text: str, spans: list[tuple[int, int]]) -> None:
    _, kept = cut(text, spans)
    for _, end, _, _ in kept.cuts:
        assert end == len(text) or not unicodedata.combining(text[end])
