"""How many tokens a text costs, and where to cut it: exactly, and where a reader would."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_LOOK_BACK = 20_000
"""How far before a piece its fenced code is looked for: a page decides how much there is to look through."""

_CHEAPEST = 0.2
"""Tokens a character, at the very least."""

_SENTENCE = re.compile(r"[.!?…。！？]\s")  # noqa: RUF001 - CJK full stops are meant


def estimate(text: str) -> float:
    """About how many tokens a current model's tokenizer makes of this; fitted on web pages, mean error 6 %.

    The floor is for text without spaces (addresses, base64), which the fit does not cover. Never falls as a text grows.
    """
    length = len(text)
    spaces = text.count(" ")
    newlines = text.count("\n")
    extra = 0 if text.isascii() else len(text.encode("utf-8", "surrogatepass")) - length
    fitted = 0.7664 * (spaces + 1) + 0.0781 * (length - spaces - newlines) + 0.5082 * extra + 0.7416 * newlines
    return max(fitted, _CHEAPEST * length)


def longest(tokens: float) -> int:
    """No text of more characters costs at most `tokens`."""
    return int(max(tokens, 0) / _CHEAPEST) + 1


def shares(costs: Sequence[float], total: float) -> list[float]:
    """Divide `total` evenly: who needs less than a share leaves the rest to the others."""
    given = [0.0] * len(costs)
    left = total
    order = sorted(range(len(costs)), key=costs.__getitem__)
    for position, index in enumerate(order):
        given[index] = min(costs[index], left / (len(costs) - position))
        left -= given[index]
    return given


def fitting_end(text: str, start: int, end: int, tokens: float) -> int:
    """The largest cut in `start..end` of which the text before it, from `start`, costs at most `tokens`."""
    end = min(end, start + longest(tokens))
    if estimate(text[start:end]) <= tokens:
        return end
    low, high = start, end
    while high - low > 1:
        middle = (low + high) // 2
        if estimate(text[start:middle]) <= tokens:
            low = middle
        else:
            high = middle
    return max(low, min(start + 1, end))


def cut(text: str, start: int, end: int) -> int:
    """Where to end a piece of Markdown that may go from `start` to at most `end`.

    A paragraph's end in the second half if there is one; else a line's, a sentence's, a word's; never inside fenced
    code or a table's row if that can be helped. The next piece begins exactly there: nothing is lost or repeated.
    """
    if end >= len(text):
        return len(text)
    middle = start + (end - start) // 2
    fence = _open_fence(text, max(0, start - _LOOK_BACK), end)
    if fence > middle:
        return fence
    piece_end = text.rfind("\n\n", middle, end) + 2
    if piece_end > 1 and fence < 0:
        return piece_end
    line_end = text.rfind("\n", middle, end) + 1
    if line_end > 0:
        return line_end
    row_start = text.rfind("\n", start, end) + 1
    if row_start > start and text.startswith("|", row_start):
        return row_start
    sentences = [match.end() for match in _SENTENCE.finditer(text, middle, end)]
    if sentences:
        return sentences[-1]
    word_end = text.rfind(" ", middle, end) + 1
    return word_end if word_end > 0 else end


def _open_fence(text: str, start: int, position: int) -> int:
    """Where the fenced code that `position` lies in begins, from `start` on, or -1 (CommonMark 0.31, §4.5)."""
    opened = -1
    mark = ""
    for match in _FENCE.finditer(text, start, position):
        found = match[1]
        if not mark:
            opened, mark = match.start(), found
        elif found.startswith(mark) and found[0] == mark[0]:
            line_end = text.find("\n", match.end())
            if not text[match.end() : line_end if line_end >= 0 else None].strip(" \t" + found[0]):
                opened, mark = -1, ""
    return opened
