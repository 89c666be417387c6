"""Markdown that a stranger wrote to be slow to read, or to make answers larger than they may be."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from websearch_core.contract.models import Page
from websearch_core.contract.outline import MAX_CHARS, outline_of
from websearch_core.kit.markdown_quoting import quoted
from websearch_core.kit.passage_ranking import passages
from websearch_core.kit.plain_text import plain
from websearch_core.server.markdown_cuts import LONGEST_HEAD, cut, dressed
from websearch_core.server.page_views import ViewRequest, show
from websearch_core.testing.cpu_time import within_cpu

SIZE = 20_000
UNITS = (
    *("```\n", "~~~\n", "```x", "|", "|\n", "| a |\n|--|\n", "|-", ":|-", "-|", "- ", "a|b\n-|-\n", "a|\n|-    x\n"),
    *("[", "]", "[]", "[](", "[a](<", "[a](<b>", "![", "\\[", "[\\", "[\\]", "[](x(aaaaaaaaaaaa", "(a)"),
    *("#", "# a\n", "# a\n\n", "#### ", " #", "*", "* ", "**a", "***a* ", "_", "_a ", "~~a", "a_"),
    *("- a\n", "- a\n\n", "- ```\n\n", "- a\n  ```x\n", "  ```x\n", "- a\n\n  ~~~x\n\n", "1. a\n   ```\n\n"),
    *(
        "`",
        "` ``",
        "``a` ",
        ">",
        "> \n",
        " ",
        "\t",
        "\n",
        "\r",
        ". ",
        "a",
        "a ",
        "\\",
        "<",
        "<a ",
        "<!--",
        "<img src=",
        "一",
    ),
)
HEADS = ("", "# ")


def shown(form: str = "markdown", section: str = "", find: str = "") -> Callable[[str], object]:
    wish = ViewRequest(form, section, find)
    return lambda text: show(Page.from_markdown(text, url="https://a.example/"), wish)


READERS: dict[str, Callable[[str], object]] = {
    "plain": plain,
    "outline": shown("outline"),
    "section": shown(section="a > b"),
    "find": shown("text", find="a one x"),
    "cut": lambda text: cut(text, SIZE // 2, SIZE // 2 + 5000),
    "dressed": lambda text: dressed(text, SIZE // 2, SIZE // 2 + 5000),
    "quoted": lambda text: quoted(text, 2),
}


@pytest.mark.parametrize("head", HEADS, ids=repr)
@pytest.mark.parametrize("reader", READERS)
def test_no_text_takes_long(reader: str, head: str) -> None:
    for unit in UNITS:
        text = (head + unit * (SIZE // len(unit)))[:SIZE] + "x"
        within_cpu(0.7, READERS[reader], text)


@pytest.mark.parametrize("lengths", [range(3, 300), range(300, 2, -1)], ids=["longer", "shorter"])
@pytest.mark.parametrize("between", [" ", "\n", "x\n", "x\n- a\n  "], ids=repr)
@pytest.mark.parametrize("reader", READERS)
def test_fences_of_every_length_take_no_longer(reader: str, between: str, lengths: range) -> None:
    text = "- a\n  " + between.join("`" * length for length in lengths)
    within_cpu(1.5, READERS[reader], text)


def test_a_long_heading_stands_again_only_in_part() -> None:
    text = "# " + "fat words " * 20_000 + "\n\n" + "## c\n\nw\n\n" * 3000
    outline = outline_of(text)
    assert max(len(heading.text) for heading in outline) == MAX_CHARS
    assert within_cpu(3, passages, text, "words w", outline)


@pytest.mark.parametrize(
    "text",
    [
        f"| {'head ' * 3000} |\n|---|\n" + "| a cell |\n" * 400,
        f"```{'x' * 15_000}\n" + "line = 1\n" * 400 + "```\n",
        "`" * 9000 + "\n" + "line = 1\n" * 400,
    ],
    ids=["table", "info", "fence"],
)
def test_what_a_piece_is_dressed_with_is_short(text: str) -> None:
    start = len(text) - 500
    assert len(dressed(text, start, start + 100)) < 100 + 2 * LONGEST_HEAD
    assert text[start : start + 100] in dressed(text, start, start + 100)
