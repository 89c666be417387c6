"""What a text quotes: words between quotation marks, and block quotes."""

from __future__ import annotations

import re

from websearch_core import blocks_of

from .sentences import Sentence, block_at

_MARKED = re.compile(
    "[\"“„]([^\"“”„\n]{20,200})[\"”“]|«([^«»\n]{20,200})»|‘([^‘’\n]{20,200})’(?!\\w)|(?<!\\w)'([^'\n]{20,200})'(?!\\w)"  # noqa: RUF001
)
_WORDS, _LETTERS, _SYMBOLS = 4, 10, 0.2


def quotes_of(content: str) -> list[Sentence]:
    """The quotations, in order; those in code and addresses are none."""
    blocks = blocks_of(content)
    found: list[Sentence] = []
    for match in _MARKED.finditer(content):
        group = match.lastindex or 1
        start, end = match.span(group)
        number = block_at(blocks, start)
        if number >= 0 and blocks[number].kind not in ("code", "table") and _says(match[group]):
            found.append(Sentence(start, end, number, "quote"))
    for number, block in enumerate(blocks):
        if block.kind == "quote" and block.end - block.start <= 400 and _says(content[block.start : block.end]):
            found.append(Sentence(block.start, block.end, number, "quote"))
    return sorted(found)


def _says(text: str) -> bool:
    """Whether it reads like something that was said."""
    letters = sum(sign.isalpha() for sign in text)
    symbols = sum(not (sign.isalnum() or sign.isspace()) for sign in text)
    plain = "://" not in text and '":' not in text and "{" not in text
    return plain and len(text.split()) >= _WORDS and letters >= _LETTERS and symbols <= _SYMBOLS * len(text)
