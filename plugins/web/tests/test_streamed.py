"""Pages that React streams in parts are read as its script would put them together."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.testing.cpu_time import within_cpu
from websearch_web.html.page_reader import read_html

SHELL = (
    '<!DOCTYPE html><title>T</title><main><!--$?--><template id="{0}B:0"></template><p>Loading <!--$--><b>in a '
    "fallback</b><!--/$--></p><!--/$--></main>"
)
PARTS = """
<div hidden id="{0}S:0"><article><h1>Streamed</h1><template id="{0}P:1"></template><!--$?--><template id="{0}B:2">\
</template><i>Loading nested</i><!--/$--><p>Between.</p><template id="{0}P:a"></template><table><tbody><tr>\
<td>Row one</td></tr><template id="{0}P:4"></template></tbody></table></article></div>
<div hidden id="{0}S:a"><p>Last.</p></div><script>$RS("{0}S:a","{0}P:a")</script>
<div hidden id="{0}S:1"><p>First.</p></div><script>$RS("{0}S:1","{0}P:1")</script>
<table hidden><tbody id="{0}S:4"><tr><td>Row two</td></tr></tbody></table><script>$RS("{0}S:4","{0}P:4")</script>
<div hidden id="{0}S:2"><p>Nested.</p></div><script>$RC("{0}B:2","{0}S:2")</script>
""".strip().split("\n")
"""What React 19 writes for nested boundaries, its scripts shortened."""
WORDS = ["# Streamed", "First.", "Nested.", "Between.", "Last.", "Row one", "Row two"]


def body(*parts: str, prefix: str = "") -> str:
    return read_html("".join(parts).replace("{0}", prefix).encode(), "https://site.example/").body


@pytest.mark.parametrize("prefix", ["", "app-", "_r:"])
@pytest.mark.parametrize("order", [*permutations(range(5))][::17])
def test_parts_come_to_their_places_in_whatever_order_they_came(order: tuple[int, ...], prefix: str) -> None:
    text = body(SHELL, *(PARTS[number] for number in order), prefix=prefix)
    assert sorted(WORDS, key=text.index) == WORDS
    assert "Loading" not in text


def test_where_a_part_is_missing_its_fallback_stays() -> None:
    text = body(SHELL, PARTS[0])
    assert "Loading nested" in text
    assert "in a fallback" not in text


def test_a_part_within_itself_and_a_part_that_is_shown_stay_where_they_are() -> None:
    text = body('<p>One.</p><div hidden id="S:0"><p>Two.</p><template id="B:0"></template></div>')
    assert "Two." not in text
    text = body('<p>One.</p><template id="B:0"></template><p>Two.</p><div id="S:0">Three.</div>')
    assert text.split() == ["One.", "Two.", "Three."]


@given(st.lists(st.sampled_from([SHELL, *PARTS, "<!--$?-->", "<!--/$-->", "</div>", "<template id=B:1>"]), max_size=12))
def test_any_mixture_of_parts_is_read(parts: list[str]) -> None:
    body(*parts)


def test_many_parts_within_each_other_take_little_time() -> None:
    deep = "".join(f'<template id="B:{n:x}"></template><div hidden id="S:{n:x}">' for n in range(3_000))
    within_cpu(4, body, f"{deep}<p>Seen.</p>")
