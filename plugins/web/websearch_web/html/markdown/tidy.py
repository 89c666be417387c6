"""The lines of rendered Markdown as a person would leave them; code blocks stay as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...kit.redundant_escapes import without_needless_escapes

_FENCE = re.compile(r"^(?:[ >]|[-*+] |\d{1,9}[.)] |: ){0,60}(`{3,}(?!.*`)|~{3,})")
_FENCE_END = re.compile(r"^[ >]{0,60}(`{3,}|~{3,})$")
BLANK_REFERENCE = re.compile(r"(?<!\\)&#(?:160|8192|8194|8195|8201|8232|8233|8239|12288);")
"""How the renderer writes blanks other than a space."""
_TASK = re.compile(r"^(\s{0,40}[-*+] \[[ x]\]) +", re.MULTILINE)
_CONTAINERS = r"^((?:[ >]|[-*+] |\d{1,9}[.)] |: ){0,60})"
_LONE_BREAK = re.compile(_CONTAINERS + r"\\$", re.MULTILINE)
"""A break after a break: the line is blank."""
_BLANK_LINES = re.compile(r"\n{3,}")
_MARKER = _CONTAINERS + r"([-*+]|\d{1,9}[.)])$"
_BARE_MARKER = re.compile(_MARKER, re.MULTILINE)
_BARE_ITEM = re.compile(_MARKER + r"\n((?:[ >]{0,60}\n)?)([ >]{0,60})", re.MULTILINE)
_HEADING_END = re.compile(_CONTAINERS + r"(#{1,6} (?:.* )?)(#+)$", re.MULTILINE)
"""Would close the heading and be no text of it."""
_NOT_QUOTE = re.compile("[^>]")
_EMPTY_QUOTE = re.compile(r"(?:(?<=\n\n)|\A)[ >]{0,60}>(?=\n\n|\n?\Z)")
_BARE_ENDS = tuple(f"{mark} \n" for mark in "-*+.)")
_LEVELS = 4
"""Marks without text that are looked for in one line: lists in lists."""


def tidy(markdown: str) -> str:
    """Without trailing blanks, runs of empty lines, empty items, lone backslashes and needless escapes."""
    if "```" in markdown or "~~~" in markdown:
        return "\n".join(_parts(markdown)).strip("\n")
    return _prose(markdown).strip("\n")


def _parts(markdown: str) -> Iterator[str]:
    """Prose that was put in order, and code blocks as they are."""
    prose: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        marked = "```" in line or "~~~" in line
        if fence:
            yield line
            if marked and (end := _FENCE_END.match(line)) and end[1].startswith(fence):
                fence = ""
        elif marked and (mark := _FENCE.match(line)):
            fence = mark[1]
            bare = _BARE_MARKER.match(prose[-1].rstrip()) if prose else None
            begins_item = bare and _is_within(bare, line[: mark.start(1)])
            if begins_item:
                prose.pop()
            if prose:
                yield _prose("\n".join(prose))
            prose = []
            yield f"{bare[0]} {line[mark.start(1) :]}" if bare and begins_item else line
        else:
            prose.append(line)
    if prose:
        yield _prose("\n".join(prose))


def _prose(text: str) -> str:
    if "&#" in text:
        text = BLANK_REFERENCE.sub(" ", text)
    if "[ ] " in text or "[x] " in text:
        text = _TASK.sub(r"\1 ", text)
    text = f"{text}\n"
    bare = False
    if " \n" in text:
        bare = any(end in text for end in _BARE_ENDS)
        text = "\n".join([line.rstrip() for line in text.split("\n")])
    if "\\\n" in text:
        text, breaks = _LONE_BREAK.subn(lambda match: match[1].rstrip(), text)
        bare = bare or breaks > 0
    for _ in range(_LEVELS if bare else 0):
        if not _BARE_MARKER.search(text):
            break
        text = _BARE_ITEM.sub(_item, text)
    if "#\n" in text:
        text = _HEADING_END.sub(r"\1\2\\\3", text)
    text = without_needless_escapes(text)
    if ">\n" in text:
        text = _EMPTY_QUOTE.sub("", text)
    if "\n\n\n" in text:
        text = _BLANK_LINES.sub("\n\n", text)
    return text[:-1]


def _item(match: re.Match[str]) -> str:
    """An item's mark stands in the line of what it marks; an item that holds nothing goes."""
    if not _is_within(match, match[4]):
        return match[3] + match[4]
    return f"{match[1]}{match[2]} {match[4][len(match[1]) :].lstrip(' ')}"


def _is_within(marker: re.Match[str], indent: str) -> bool:
    """Whether a line that is indented so belongs to the item of the mark."""
    outer = _NOT_QUOTE.sub(" ", marker[1])
    inner = indent[len(outer) :]
    return indent.startswith(outer) and len(inner) - len(inner.lstrip(" ")) > len(marker[2])
