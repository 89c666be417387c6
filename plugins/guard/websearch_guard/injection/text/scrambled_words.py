"""Words whose inner letters were shuffled, which models read as easily as people do (typoglycaemia)."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from websearch_guard.deobfuscation.text_view import Piece, View, rewritten

_RUN = re.compile(r"[^\W_]+")
_WORD = re.compile(r"[A-Za-z]{4,14}")
_LONGEST = 14
_LEAST = 2
"""One such word is a typing error."""
_TRIGGERS = (
    "about above access address after again agent already always answer answering anything assistant attention "
    "been before browser bypass chatbot click code command commands complete confidential content context "
    "conversation credentials current data default delete details developer directive directives directly "
    "disclose disregard document email emails every everything execute file files first follow following forget "
    "forward guidelines have hidden history human ignore ignoring immediately important include inform "
    "information input instead instruction instructions keys language letter link list mail mention message "
    "messages model must never next nothing obey only open other otherwise output override page password "
    "passwords person phrase please pretend previous print prior private prompt prompts question questions read "
    "reader recommend regardless repeat reply request respond response restrictions result results reveal role "
    "rule rules safety search secret secrets send show silently sole special start steps stop summary system task "
    "tasks tell text that then these they this token tokens tool tools urgent user users verbatim verified "
    "version visit warning website what whatever will with without word words write written your"
)


def is_shuffled(word: str) -> bool:
    """Whether this lower-case word holds a shuffled one."""
    parts = (word,) if len(word) <= _LONGEST and word.isascii() and word.isalpha() else _WORD.findall(word)
    return any(map(_set_right, parts))


def unscrambled(view: View, places: Iterable[int]) -> View | None:
    """The text with the shuffled words at these places set right, at the same places; None: there are hardly any."""
    text, places = view.text, [*places]
    # it was read as an i, so that whether a word with one is shuffled is still to be seen
    dotted = bool(places) and "İ" in text
    runs = _RUN.finditer(text) if dotted else filter(None, (_RUN.match(text, place) for place in places))
    found = [
        (match, right) for run in runs for match in _WORD.finditer(text, *run.span()) if (right := _set_right(match[0]))
    ]
    if len({match[0] for match, _ in found}) < _LEAST:
        return None
    read, _ = rewritten(text, (Piece(*match.span(), right) for match, right in found))
    return View("scrambled", read, source=view)


def _set_right(word: str) -> str | None:
    """What the word is when set right; None: it is right, or none of ours."""
    keys, plain, outlines = _triggers()
    possible = (word[0], word[-1], len(word)) in outlines and word.lower() not in plain
    return keys.get(_key(word)) if possible else None


@functools.cache
def _triggers() -> tuple[dict[str, str], frozenset[str], frozenset[tuple[str, str, int]]]:
    """By their letters; as they are; how they begin and end and how long they are, which tells most apart at once."""
    words = _TRIGGERS.split()
    ends = {(first, word[-1], len(word)) for word in words for first in (word[0], word[0].upper())}
    return {_key(word): word for word in words}, frozenset(words), frozenset(ends)


def _key(word: str) -> str:
    lower = word.lower()
    return lower[0] + "".join(sorted(lower[1:-1])) + lower[-1]
