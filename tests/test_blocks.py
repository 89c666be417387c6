"""The blocks of a Markdown text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from websearch_core.contract.outline import outline_of
from websearch_core.kit.markdown_blocks import blocks_of, head_of
from websearch_core.testing.cpu_time import within_cpu

TEXT = """# Title

A paragraph
of two lines.

- one
  - nested

    ```py
    # no heading
    ```

- two

| a | b |
|---|---|
| 1 | 2 |

> quoted
> more

```sh
# no heading

echo
```
Last.
"""
markdown = st.lists(
    st.sampled_from(
        ["word ", "\n\n", "\n", "# Head\n", "- item\n", "  in it\n", "| a |\n|---|\n", "```\n", "> q\n", "語"]
    )
).map("".join)


def kinds(text: str) -> list[str]:
    return [block.kind for block in blocks_of(text)]


def test_every_kind_of_block_is_told_apart() -> None:
    assert kinds(TEXT) == ["heading", "paragraph", "list", "table", "quote", "code", "paragraph"]
    code = blocks_of(TEXT)[5]
    assert TEXT[code.start : code.end] == "```sh\n# no heading\n\necho\n```"


def test_code_that_is_never_closed_ends_with_the_text() -> None:
    assert kinds("~~~\n# a\n\n```\nb") == ["code"]


def test_code_within_a_line_is_no_fence() -> None:
    text = "```inline``` words\n\n# Head\n"
    assert kinds(text) == ["paragraph", "heading"]
    assert [heading.text for heading in outline_of(text)] == ["Head"]


def test_only_line_feeds_end_the_head_of_code_and_tables() -> None:
    text = "| a\x0b | b\u2028 |\n|---|---|\n| 1 | 2 |\n"
    assert head_of(text, blocks_of(text)[0]) == "| a\x0b | b\u2028 |\n|---|---|\n"


def test_what_heads_code_and_tables() -> None:
    table, code = blocks_of(TEXT)[3], blocks_of(TEXT)[5]
    assert head_of(TEXT, table) == "| a | b |\n|---|---|\n"
    assert head_of(TEXT, code) == "```sh\n"
    assert head_of(TEXT, blocks_of(TEXT)[0]) == ""


@given(markdown)
def test_blocks_are_apart_in_order_and_hold_all_that_is_not_blank(text: str) -> None:
    place = 0
    for block in blocks_of(text):
        assert place <= block.start < block.end
        assert not text[place : block.start].strip()
        place = block.end
    assert not text[place:].strip()


def test_the_time_is_linear() -> None:
    within_cpu(2, blocks_of, "- a\n\n\n\n```\n" * 20_000)
