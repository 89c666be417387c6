"""What a text quotes: words between quotation marks, and block quotes."""

from __future__ import annotations

import re

from websearch_core.kit import blocks_of

from .sentences import Sentence, block_at

_MARKED = re.compile(
    # signs that look the same on both sides open before a word and close after one: an odd one begins no quotation
    r"(?<![^\s(\[*_\u2014\u2013])\"(?=\S)([^\"\n]{20,200})(?<=\S)\"(?!\w)"
    r"|(?<![^\s(\[*_\u2014\u2013])'(?=\S)([^'\n]{20,200})(?<=\S)'(?!\w)"
    r"|\u201c([^\u201c\u201d\u201e\n]{20,200})\u201d|\u201e([^\u201c\u201d\u201e\n]{20,200})[\u201c\u201d]"
    r"|\u00ab([^\u00ab\u00bb\n]{20,200})\u00bb|\u2018([^\u2018\u2019\n]{20,200})\u2019(?!\w)"
    r"|[\u300c\u300e]([^\u300c-\u300f\n]{10,200})[\u300d\u300f]"
)
_TOGETHER = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts that put no blanks between words."""
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
    return (
        plain
        and (len(text.split()) >= _WORDS or _TOGETHER.search(text) is not None)
        and letters >= _LETTERS
        and symbols <= _SYMBOLS * len(text)
    )
