"""However a page is damaged, reading it gives sound hits or a BackendError."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from websearch_core import BackendError
from websearch_core.kit import web_address
from websearch_duckduckgo.results import MAX_CHARS, read_html, read_lite

SAMPLES = Path(__file__).with_name("samples")
PAGES = [path.read_bytes() for path in sorted(SAMPLES.glob("*.html"))]
TAG = re.compile(rb"<[^<>]*>")
ATTRIBUTE = re.compile(rb"[\w-]+=(?:\"[^\"]*\"|'[^']*')")
JUNK = st.one_of(
    st.binary(max_size=12),
    st.sampled_from(
        [b"<", b">", b'"', b"'", b"&", b"&#", b"%", b"%F", b"\0", b"<!--", b"<svg>", b"<template>", b"]]>"]
    ),
)

at = st.integers(0, 40_000)


def flipped(page, place, mask):
    place %= len(page)
    return page[:place] + bytes([page[place] ^ mask]) + page[place + 1 :]


def replaced(page, pattern, place, with_):
    found = list(pattern.finditer(page))
    if not found:
        return page
    hit = found[place % len(found)]
    return page[: hit.start()] + with_ + page[hit.end() :]


def moved(page, start, length, to):
    piece = page[start : start + length]
    rest = page[:start] + page[start + length :]
    return rest[:to] + piece + rest[to:]


change = st.one_of(
    st.builds(lambda place, mask: lambda page: flipped(page, place, mask), at, st.integers(1, 255)),
    st.builds(lambda place, junk: lambda page: page[:place] + junk + page[place:], at, JUNK),
    st.builds(lambda place: lambda page: page[:place] or page, at),
    st.builds(lambda place: lambda page: replaced(page, TAG, place, b""), at),
    st.builds(lambda place, junk: lambda page: replaced(page, TAG, place, junk), at, JUNK),
    st.builds(lambda place, junk: lambda page: replaced(page, ATTRIBUTE, place, junk), at, JUNK),
    st.builds(lambda start, length, to: lambda page: moved(page, start, length, to), at, st.integers(1, 5_000), at),
)


def reading(read, text):
    """What a page comes to; None for an error of ours. Any other exception is a failure."""
    try:
        return read(text)
    except BackendError:
        return None


@pytest.mark.parametrize("read", [read_html, read_lite])
@settings(max_examples=300)
@given(page=st.sampled_from(PAGES), changes=st.lists(change, min_size=1, max_size=12))
def test_a_damaged_page_gives_sound_hits_or_an_error_of_ours(read, page, changes):
    for apply in changes:
        page = apply(page) or b"<"
    found = reading(read, page.decode("utf-8", "replace")) or ((), {})
    hits, onward = found
    for hit in hits:
        assert web_address(hit.url) == hit.url
        assert hit.title or hit.snippet
    if onward:
        assert {"s", "vqd"} <= set(onward)
        assert all(re.fullmatch(r"[\w.-]*", value, re.ASCII) for value in onward.values())


@pytest.mark.parametrize("read", [read_html, read_lite])
@settings(max_examples=300)
@given(text=st.text(max_size=300))
def test_any_text_gives_an_error_of_ours(read, text):
    assert reading(read, text) is None


@pytest.mark.parametrize(
    "piece",
    [
        '<div class="result"><a class="result__a" href="https://example.com/">',
        '<a class="result__snippet">',
        "<tr><td class='result-snippet'><table>",
        "<a class='result-link' href='https://example.com/'>",
        "<form action='/x'>",
        "<b>",
    ],
)
@pytest.mark.parametrize("read", [read_html, read_lite])
def test_of_pages_made_to_be_slow_only_so_much_is_read(read, piece):
    page = '<a class="result__a" href="https://a.example/">A</a>' + piece * ((MAX_CHARS - 100) // len(piece))
    found = reading(read, page)
    assert found is None or len(found.hits) <= 50
