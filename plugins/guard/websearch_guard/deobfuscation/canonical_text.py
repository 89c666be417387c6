"""The canonical reading: what a text says, whichever characters it is spelt with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .characters import characters, composed, folded, is_joining, strange
from .text_view import Piece, View, rewritten
from .word_lists import words

_LATIN = re.compile(r"[A-Za-z]+")
_WORD = re.compile(r"[^\W\d_]{1,64}")
_FEW = 24
"""Up to so many different characters are quicker replaced one after the other."""
_LEAST_RESPELT = 3
"""Letters: shorter words are alike in too many languages."""
_NEAR = 40
"""So many characters on each side tell the script that a word of look-alikes stands in."""


def canonical(text: str) -> View:
    """The text in NFKC, without what nobody sees, look-alikes read as Latin letters, all digits ASCII; case is kept.

    Quotes and dashes are straight. A Russian or Greek word stays itself: a look-alike counts among Latin letters.
    So does a Polish or Turkish one: a letter like `ł` is read as `l` only where that makes an English word.
    """
    read, view = text, View("plain", text)
    found = set(strange(text))
    if not found:
        return view
    if any(map(is_joining, found)):
        read, edits = rewritten(text, _clusters(text))
        view = View("canonical", read, tuple(edits))
    otherwise = {c: said for c in found if (said := folded(c)) != c}
    read = _replaced(read, {c: said for c, said in otherwise.items() if len(said) == 1})
    if resized := {c: said for c, said in otherwise.items() if len(said) != 1}:
        source = view if view.edits else None
        read, edits = rewritten(read, _resized(read, resized))
        view = View("canonical", read, tuple(edits), source)
    tables = characters()
    if any(ord(c) in tables.other for c in found):
        read = _latinised(read)
    if any(ord(c) in tables.letters for c in found):
        read = _respelt(read)
    return view if read == text else view._replace(kind="canonical", text=read)


def _clusters(text: str) -> Iterator[Piece]:
    """Letters with their marks, composed."""
    place = 0
    for match in characters().joining.finditer(text):
        start = match.start() - 1 if match.start() > place else match.start()
        if text[start] == "\n":
            start = match.start()
        place = match.end()
        cluster = text[start:place]
        if (read := composed(cluster)) != cluster:
            yield Piece(start, place, read)


def _replaced(text: str, otherwise: dict[str, str]) -> str:
    """The same length, with other characters."""
    if len(otherwise) > _FEW:
        return text.translate({ord(c): said for c, said in otherwise.items()})
    for character, said in otherwise.items():
        text = text.replace(character, said)
    return text


def _resized(text: str, otherwise: dict[str, str]) -> list[Piece]:
    """Where those characters stand, and what is read instead; what nobody sees goes run by run."""
    unseen = re.escape("".join(sorted(c for c, said in otherwise.items() if not said)))
    longer = re.escape("".join(sorted(c for c, said in otherwise.items() if said)))
    pattern = re.compile("|".join([f"[{unseen}]+"] * bool(unseen) + [f"[{longer}]"] * bool(longer)))
    return [Piece(*match.span(), otherwise[match[0][0]]) for match in pattern.finditer(text)]


def _latinised(text: str) -> str:
    """The same length, with look-alikes as the letters that they are taken for."""
    other = characters().other
    out: list[str] = []
    place = 0
    for start, end in sorted(set(_disguised(text))):
        out += (text[place:start], text[start:end].translate(other))
        place = end
    return "".join((*out, text[place:])) if out else text


def _disguised(text: str) -> Iterator[tuple[int, int]]:
    """The words to read as Latin: those that mix scripts, and whole ones of look-alikes among Latin words."""
    other = characters().other
    sorts = {word: sort for word in set(_WORD.findall(text)) if (sort := _sort(word, other))}
    if not sorts:
        return
    for start, end in _near_latin(text):
        for match in _WORD.finditer(text, start, end):
            sort = sorts.get(match[0])
            if sort == "mixed" or (sort == "alike" and _among_latin(text, match.start(), match.end())):
                yield match.span()


def _sort(word: str, other: dict[int, str]) -> str:
    """`mixed`, `alike` (nothing but look-alikes), or empty for an honest word."""
    if word.isascii():
        return ""
    alike = sum(ord(c) in other for c in word)
    latin = sum(c.isascii() for c in word)
    if not alike or (latin + alike) * 3 <= len(word) * 2:
        return ""
    return "mixed" if latin else "alike" if alike == len(word) else ""


def _respelt(text: str) -> str:
    """The same length, with plain letters in English words that letters of other alphabets disguise: `ałł` is `all`."""
    letters, known = characters().letters, words()
    plain = {word: word.translate(letters) for word in set(_WORD.findall(text)) if not word.isascii()}
    worn = {
        word: said
        for word, said in plain.items()
        if said != word and len(said) >= _LEAST_RESPELT and said.lower() in known
    }
    return _WORD.sub(lambda match: worn.get(match[0], match[0]), text) if worn else text


def _near_latin(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of a text that are within reach of a Latin letter, whole words."""
    begin = end = None
    for match in _LATIN.finditer(text):
        start, stop = match.span()
        if begin is not None and end is not None and start - _NEAR > end:
            yield _widened(text, begin, end)
            begin = None
        begin, end = (start - _NEAR if begin is None else begin), stop + _NEAR
    if begin is not None and end is not None:
        yield _widened(text, begin, end)


def _widened(text: str, start: int, end: int) -> tuple[int, int]:
    start, end = max(start, 0), min(end, len(text))
    while start > 0 and text[start - 1].isalpha():
        start -= 1
    while end < len(text) and text[end].isalpha():
        end += 1
    return start, end


def _among_latin(text: str, start: int, end: int) -> bool:
    """Whether Latin letters are near the word, and none of the other script that look like no Latin one."""
    before, after = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    genuine = characters().genuine
    return not (genuine.search(before) or genuine.search(after)) and bool(_LATIN.search(before) or _LATIN.search(after))
