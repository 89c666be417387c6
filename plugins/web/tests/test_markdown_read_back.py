"""What is written is read back by a CommonMark parser as the text that the page holds: no escape is missing."""

from __future__ import annotations

import re
from html import escape

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from turbohtml import parse

from websearch_core.testing.cpu_time import within_cpu
from websearch_web.html.markdown.normalise import normalise
from websearch_web.html.markdown.renderer import to_markdown
from websearch_web.kit.links import LinkResolver
from websearch_web.kit.redundant_escapes import without_needless_escapes

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
PIECES = (
    *("a", "b c", "é", "中文", " ", "  ", "x_y", "3.11", "-3", "~/.a", "[1]", "[x](y)", "http://a.example/b_c"),
    *("1.", "1)", "2019.", "-", "+", "*", "**", "_", "__", "~", "~~", "`", "``", "#", "##", ">", "<", "="),
    *("===", "---", "|", "\\", "\\\\", "[", "]", "(", ")", "![", "](", ":", "!", "&", "&amp;", "$", "<b>", "<!--"),
    *("-->", "'", '"', "“", "^"),
)
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map("".join)
TAGS = ("b", "i", "em", "strong", "code", "kbd", "span", "s")
SPANS = st.recursive(
    TEXTS.map(escape),
    lambda inner: st.one_of(
        st.builds("<{0}>{1}</{0}>".format, st.sampled_from(TAGS), inner),
        st.builds('<a href="https://x.example/{0}">{1}</a>'.format, st.sampled_from(["", "a_b*c_d", "(a)"]), inner),
        st.lists(inner, min_size=2, max_size=3).map("".join),
        st.just("<br>"),
    ),
    max_leaves=6,
)
BLOCKS = st.recursive(
    st.builds("<{0}>{1}</{0}>".format, st.sampled_from(["p", "h2", "div"]), SPANS),
    lambda inner: st.one_of(
        st.builds("<blockquote>{}</blockquote>".format, inner),
        st.builds("<{0}><li>{1}</li></{0}>".format, st.sampled_from(["ul", "ol"]), inner),
        st.builds("<ul><li>{}</li><li>{}</li></ul>".format, SPANS, SPANS),
        st.builds("<table><tr><th>a</th><th>{}</th></tr><tr><td>{}</td><td>b</td></tr></table>".format, SPANS, SPANS),
        st.lists(inner, min_size=2, max_size=3).map("".join),
    ),
    max_leaves=4,
)


def written(html: str) -> str:
    """The Markdown of a page's body."""
    body = parse(f"<body>{html}</body>").select_one("body")
    assert body is not None
    normalise(body, LinkResolver("https://x.example/"))
    return to_markdown(body)


def words(html: str) -> str:
    """All that is read of some HTML, without blanks."""
    body = parse(f"<body>{html}</body>").select_one("body")
    assert body is not None
    return "".join(body.text.split())


@settings(max_examples=300, deadline=None)
@given(BLOCKS)
@example("<p>`<code>vi</code>' and ``<code>$3</code>''</p>")
def test_text_is_read_back_as_it_was(html: str) -> None:
    assume("]:" not in html)  # in the code that begins a linked paragraph, CommonMark reads a definition
    markdown = written(html)
    assert words(READER.render(markdown)) == words(html), markdown


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(("", "", "\n", "- ", "> ", "## ", "1. ")), TEXTS), min_size=1, max_size=4))
def test_escapes_that_go_change_nothing_and_go_at_once(lines: list[tuple[str, str]]) -> None:
    markdown = "\n".join(mark + re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text.strip()) for mark, text in lines)
    plain = without_needless_escapes(markdown)
    assert without_needless_escapes(plain) == plain
    assert words(READER.render(plain)) == words(READER.render(markdown))


@pytest.mark.parametrize(
    "piece", [r"\*", r"\_ ", r"a\*b ", r"\<", r"\`", r"\[", r"\](", "[a](", r"\-", "\\-\n", r"\~a", r"1\.", "`` \\` "]
)
def test_many_escapes_take_little_time(piece: str) -> None:
    within_cpu(2, without_needless_escapes, piece * 50_000)
