"""Markdown without its marks: all that it says, or its sentences alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .markdown_blocks import TextBlock, blocks_of

_TICKS = re.compile(r"`+")
# an escaped bracket begins no link; nothing is tried twice
_LINK = re.compile(
    r"\\.|!?\[(?P<text>(?:\\.|[^\[\]\\]++)*+)\]\((?:\\.|[^()\\\n]++|\([^()\n]{0,1000}+\)){0,4000}+\)", re.DOTALL
)
_STRONG = re.compile(r"(?<![\\\w])(\*{1,3}|~~|_{1,3})(?=\S)(?P<text>[^*_~\n]{1,2000}?)(?<=\S)\1(?!\w)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+|[ \t]#+[ \t]*$", re.MULTILINE)
_QUOTE = re.compile(r"^ {0,3}(?:> ?)+", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})(?P<info>[^`\n]*)$", re.MULTILINE)
_AFTER_A_GAP = re.compile(r"(?:\A|\n)[^\S\n]*\n\Z")
"""What opens code mostly has a blank line before it; what closes it has none."""
_FENCED = re.compile(r"^[ \t]*(?P<mark>`{3,}|~{3,})[^\n]*(?:\n(?![ \t]*(?P=mark))[^\n]*)*+(?:\n[^\n]*)?", re.MULTILINE)
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+", re.MULTILINE)
_BEFORE_ROWS = re.compile(r"(?<=[^|\s])[ \t]*\n(?=[ \t]*\|[^\n]*\|[ \t]*(?:\n|\Z))")
_ROWS = re.compile(r"(?:[ \t]*\|[^\n]*\|[ \t]*(?:\n|\Z))+\Z")
"""Rows of a table, also where its head was cut off."""
_RULE = re.compile(r"[ \t|:-]+")
_BY_LINES = re.compile(r"^ {0,3}(?:#{1,6} |`{3}|~{3}|\|.*\|[ \t]*$)", re.MULTILINE)
_SIGNS = re.compile(r"##|```|---")
_ON_ONE_LINE = re.compile(r"(?<!\S)#{2,6}\s+(?=\S)|\s*\|(?:\s*+:?-{3,}+:?\s*+\|)+\s*|```\w{0,20}\s*")
_PROSE = frozenset(("paragraph", "quote", "list"))
_CELLS = re.compile(r"(?<!\\)\|")


def plain(markdown: str) -> str:
    """What the text says: no marks for headings, emphasis, links or quotes; cells parted by tabs, code as it stands."""
    return "\n\n".join(_said(block, markdown[block.start : block.end]) for block in blocks_of(markdown))


def prose(markdown: str, *, cells: bool = False) -> str:
    """The sentences of a text on one line: paragraphs, quotes and list items, without headings, tables and code.

    With `cells`, and of a text without any sentences, headings and the cells of tables are there, too, as words; and of
    one that has nothing else its code, in lines. The text may begin within fenced code, as a piece of a page does.
    """
    text, code = markdown, list[str]()
    fences = list(_FENCE.finditer(text))
    if len(fences) % 2 and not fences[0]["info"].strip() and not _AFTER_A_GAP.search(text[: fences[0].start()]):
        code, text = [text[: fences[0].start()]], text[fences[0].end() :]
    text = _BEFORE_ROWS.sub("\n\n", text)
    sentences: list[str] = []
    words: list[str] = []
    for block in blocks_of(text):
        own = text[block.start : block.end]
        if block.kind == "code":
            code.append(_said(block, own))
        elif said := _in_words(block, own):
            words.append(said)
            sentences += [said] if block.kind in _PROSE and not _ROWS.match(own) else []
    return " ".join((words if cells else sentences) or words) or _lines("\n".join(code))


def _lines(code: str) -> str:
    """Its lines, without blank ones and those that would be marks of Markdown: comments of many languages are."""
    return "\n".join(line for line in code.split("\n") if line.strip() and not _BY_LINES.match(line))


def excerpt(text: str) -> str:
    """An engine's excerpt as sentences: without the fences, rules of tables and headings of a page's Markdown.

    Engines cut it out of the page's lines, or put these on one line first; text without such signs stays as it is.
    """
    if not ("#" in text or "|" in text or "```" in text or "~~~" in text or "---" in text):
        return text
    if _BY_LINES.search(text) and "\n" in text:
        return prose(text)
    text = _ON_ONE_LINE.sub(" ", text).strip() if _SIGNS.search(text) else text
    return prose(text) if _BY_LINES.search(text) else text


def _in_words(block: TextBlock, text: str) -> str:
    if block.kind == "table" or _ROWS.match(text):
        rows = [_row(line) for line in text.split("\n") if not _RULE.fullmatch(line)]
        return "; ".join(words for row in rows if (words := ", ".join(cell for cell in row.split("\t") if cell)))
    if block.kind == "list":
        items = (_unmarked(item) for item in _ITEM.split(_FENCED.sub(" ", text)))
        return "; ".join(words for item in items if (words := " ".join(item.split())))
    return " ".join(_said(block, text).split())


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
