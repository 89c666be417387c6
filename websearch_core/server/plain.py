"""Markdown without its marks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..blocks import TextBlock, blocks_of

_TICKS = re.compile(r"`+")
# an escaped bracket begins no link; nothing is tried twice
_LINK = re.compile(
    r"\\.|!?\[(?P<text>(?:\\.|[^\[\]\\]++)*+)\]\((?:\\.|[^()\\\n]++|\([^()\n]{0,1000}+\)){0,4000}+\)", re.DOTALL
)
_STRONG = re.compile(r"(?<![\\\w])(\*{1,3}|~~|_{1,3})(?=\S)(?P<text>[^*_~\n]{1,2000}?)(?<=\S)\1(?!\w)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+|[ \t]#+[ \t]*$", re.MULTILINE)
_QUOTE = re.compile(r"^ {0,3}(?:> ?)+", re.MULTILINE)
_CELLS = re.compile(r"(?<!\\)\|")


def plain(markdown: str) -> str:
    """What the text says: no marks for headings, emphasis, links or quotes; cells parted by tabs, code as it stands."""
    return "\n\n".join(_said(block, markdown[block.start : block.end]) for block in blocks_of(markdown))


def _said(block: TextBlock, text: str) -> str:
    if block.kind == "code":
        first, _, rest = text.partition("\n")
        body, _, last = rest.rpartition("\n")
        return body if last.lstrip().startswith(first.lstrip()[:3]) else rest
    if block.kind == "table":
        return "\n".join(_row(line) for number, line in enumerate(text.split("\n")) if number != 1)
    if block.kind == "heading":
        text = _HEADING.sub("", text)
    if block.kind == "quote":
        text = _QUOTE.sub("", text)
    return _unmarked(text)


def _row(line: str) -> str:
    return "\t".join(_unmarked(cell.strip()) for cell in _CELLS.split(line.strip().strip("|")))


def _unmarked(text: str) -> str:
    """Code within a line is left as it stands."""
    return "".join(_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    runs = list(_TICKS.finditer(text))
    closing: dict[int, re.Match[str]] = {}
    later: dict[int, re.Match[str]] = {}
    for run in reversed(runs):  # code ends at the next run of the same length (CommonMark 0.31, §6.1)
        length = len(run[0])
        if length in later:
            closing[run.start()] = later[length]
        later[length] = run
    place = 0
    for run in runs:
        if run.start() < place or run.start() not in closing:
            continue
        end = closing[run.start()]
        yield _line(text[place : run.start()])
        yield text[run.end() : end.start()].strip()
        place = end.end()
    yield _line(text[place:])


def _line(text: str) -> str:
    for _ in range(2):  # a picture within a link, bold within italics
        text = _LINK.sub(lambda link: link[0] if link["text"] is None else link["text"], text)
        text = _STRONG.sub(lambda strong: strong["text"], text)
    return _ESCAPED.sub(r"\1", text)
