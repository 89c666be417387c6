"""Foreign words in our Markdown: text stays text, a link's address cannot leave its brackets."""

from __future__ import annotations

import re

_MARKUP = re.compile(r"(\\(?=[!-/:-@\[-`{-~]|$)|(?<![^\W_])_|_(?![^\W_])|(?<!\s)\*|\*(?!\s)|[`\[\]]|<(?=[A-Za-z/!?]))")
"""A lone `\\` or `*`, and `_` within a word, are no markup."""
_TAG = re.compile(r"<(?=[A-Za-z/!?])")


def one_line(text: str, most: int = 1000) -> str:
    """The text on one line, cut with an ellipsis."""
    words = " ".join(text.split())
    return words if len(words) <= most else words[:most].rsplit(" ", 1)[0] + " …"


def escaped(text: str) -> str:
    """Text that is read as it stands, in a heading, a list or a link."""
    return _MARKUP.sub(r"\\\1", text)


def untagged(text: str) -> str:
    """Prose in which no tag can be read."""
    return _TAG.sub(r"\\<", text)


def cell(text: str) -> str:
    """Text in a table's cell."""
    return escaped(" ".join(text.split())).replace("|", "\\|")


def link(text: str, address: str) -> str:
    """A link, or the text alone where there is no address."""
    if not address:
        return escaped(text)
    target = f"<{address}>" if "(" in address or ")" in address else address
    return f"[{escaped(text) or address}]({target})"


def table(rows: list[list[str]]) -> str:
    """A GFM table of escaped cells; the first row is its head."""
    width = max(map(len, rows), default=0)
    lines = [f"| {' | '.join([*map(cell, row), *[''] * (width - len(row))])} |" for row in rows]
    return "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]]) if width else ""
