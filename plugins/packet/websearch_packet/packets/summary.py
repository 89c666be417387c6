"""What a page is about, in a few lines taken from it: topics, words, figures, dates, length."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from websearch_core.kit import Heading, MarkedText, marked_slice, unmarked

from ..text.salience import DATE, FIGURE

_WORD = re.compile(r"[^\W\d_]{3,}")
_OURS = re.compile(r"\[(?:removed: [^\]\n]{1,80}, \d{1,9} characters|truncated at \d{1,12} bytes)\]")
"""What filters and extractors write where text is missing."""
_SAYS = re.compile(r"[^\W_]\S*+")
"""A word is more than signs: the bars of a table and the marks of a list are none."""
_TOGETHER = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts that put no blanks between words."""
_GENERIC = frozenset(
    ("introduction", "overview", "contents", "table of contents", "menu", "navigation", "references", "see also")
)
_SMALL_WORDS = (
    "the and for are was were with that this from have has had not but you your our their its they them his her she"
    " can will would could should may might must into about over than then also more most some such only other which"
    " when where what who how why there here been being because while each any all one two these those between after"
    " before does did out use used using via per und der die das den dem des ein eine ist nicht mit von für auf les"
    " des une est dans pour que qui pas par sur los las una para por con del como"
)
_SMALL = frozenset(_SMALL_WORDS.split())
_FROM = 20_000
"""So many characters are looked through for words, figures and dates: the rest says more of the same."""
_WORDS_A_MINUTE, _SIGNS_A_MINUTE = 225, 500


def words_in(text: str) -> int:
    """How many words a text has; in scripts without blanks, every second sign is taken for one."""
    together = len(_TOGETHER.findall(text))
    return len(_SAYS.findall(_TOGETHER.sub(" ", text))) + together // 2


def minutes_for(text: str) -> int:
    """How long a person reads this, at least a minute."""
    together = len(_TOGETHER.findall(text))
    words = len(_SAYS.findall(_TOGETHER.sub(" ", text)))
    return max(1, round(words / _WORDS_A_MINUTE + together / _SIGNS_A_MINUTE + 0.499))


def summary_of(text: str, outline: Sequence[Heading]) -> list[str]:
    """The lines, those that there is something for."""
    lines: list[str] = []
    names = [_OURS.sub("", heading.text).strip() for heading in outline if heading.level <= 2]
    if topics := [name for name in dict.fromkeys(names) if name and name.casefold() not in _GENERIC][:5]:
        lines.append(f"Main topics: {'; '.join(topics)}")
    begun = _OURS.sub(" ", _unsuspected(marked_slice(text, 0, _FROM)))
    counts = Counter(word.casefold() for word in _WORD.findall(begun))
    terms = [word for word, count in counts.most_common(60) if count >= 2 and word not in _SMALL][:8]
    if terms:
        lines.append(f"Key terms: {', '.join(terms)}")
    for label, pattern, most in (("Key figures", FIGURE, 5), ("Dates mentioned", DATE, 3)):
        if found := list(dict.fromkeys(" ".join(match[0].split()) for match in pattern.finditer(begun)))[:most]:
            lines.append(f"{label}: {', '.join(found)}")
    lines.append(f"Content length: about {words_in(unmarked(text))} words")
    return lines


def _unsuspected(text: str) -> str:
    """The text without its marked passages: their words are shown between warnings or not at all."""
    places = [0, *(place for passage in MarkedText(text).passages for place in passage), len(text)]
    return unmarked("".join(text[start:end] for start, end in zip(places[::2], places[1::2], strict=True)))
