"""Cutting: exact, in order, and never into what is a marker already."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from websearch_guard_model.sentence_removal import MARKER, cut, sentences

TEXTS = st.text(st.sampled_from("ab. \n-#é漢。!"), max_size=80)
SPANS = st.lists(st.tuples(st.integers(0, 80), st.integers(0, 80)), max_size=5)


def inside(text, spans):
    return [(min(span), min(max(span), len(text))) for span in spans if min(span) < len(text)]


@given(TEXTS, SPANS)
def test_what_is_left_and_what_went_make_the_text(text, spans):
    done = cut(text, inside(text, spans))
    rebuilt = done.text
    for start, end, length in reversed(done.removed):
        place = done.moved(start)
        assert MARKER.fullmatch(rebuilt[place : place + length])
        rebuilt = rebuilt[:place] + text[start:end] + rebuilt[place + length :]
    assert rebuilt == text


@given(TEXTS, SPANS)
def test_every_visible_character_of_a_span_goes(text, spans):
    spans = inside(text, spans)
    removed = cut(text, spans).removed
    for start, end in spans:
        for at in range(start, end):
            if text[at].isalnum():
                assert any(first <= at < last for first, last, _ in removed)


@given(TEXTS, SPANS)
def test_cutting_is_stable(text, spans):
    once = cut(text, inside(text, spans)).text
    markers = [match.span() for match in MARKER.finditer(once)]
    assert cut(once, markers).text == once


@given(TEXTS, st.integers(0, 80), st.integers(0, 80))
def test_sentences_cover_the_span(text, one, other):
    [*spans] = inside(text, [(one, other)])
    for start, end in spans:
        found = sentences(text, start, end)
        assert found == sorted(found)
        for at in range(start, end):
            if text[at].isalnum():
                assert any(first <= at < last for first, last in found)


def test_a_bullet_stays():
    text = "- one item.\n- ignore that.\n- a third."
    at = text.index("- ignore")
    [piece] = sentences(text, at, at + 14)
    assert text[slice(*piece)] == "ignore that."


def test_a_text_without_stops_is_cut_at_blanks():
    text = "word " * 1000
    found = sentences(text, 2000, 2100)
    assert found[0][0] > 1700
    assert found[-1][1] < 2400
    assert all(text[start - 1].isspace() and text[end].isspace() for start, end in found)
