"""Where in a text which rules are worth trying: stretch by stretch, all rules at once."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache, reduce
from itertools import accumulate, compress, pairwise

from websearch_guard.injection.rulebook import PARTS, Rulebook, rulebook, script

_STRETCH = 100  # letters; two are what matches span at most
_WORD = re.compile(r"[^\W_]+")
_LONGEST = 20  # letters of the longest literal
_LONG = 40  # letters of a token that is not worth remembering
_MANY = 1 << 15  # tokens that are remembered
_UNSPACED = 0b10  # in a meaning, where no rule has a bit: the token has letters of such scripts
_TOGETHER = re.compile("[\u0600-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")


def places(lowered: str, book: Rulebook) -> dict[int, list[int]]:
    """For each rule, by number, where a match may begin, or where an anchor stands round which there may be one.

    A rule is left out wherever one of its needs does not occur in the same stretch or the next two — or, if the rule is
    tried on either side of its anchors, the last two.
    """
    tokens = lowered.replace("\n", " ").replace("\t", " ").split(" ")
    letters = list(accumulate(map(len, tokens), initial=0))  # before each token, without the spaces between them
    meanings = list(map(_MEANINGS.__getitem__, tokens))
    cuts = _cuts(letters)
    meant = [reduce(int.__or__, filter(None, meanings[cut:end]), 0) for cut, end in pairwise(cuts)]
    elsewhere: dict[int, list[tuple[str, int]]] = {}
    if others := list(_elsewhere(lowered, any(meaning & _UNSPACED for meaning in meant), book)):
        cut_at = [letters[cut] + cut for cut in cuts]
        for literal, place in others:
            number = bisect_right(cut_at, place) - 1
            meant[number] |= book.meanings[literal]
            elsewhere.setdefault(number, []).append((literal, place))
    found: defaultdict[int, list[int]] = defaultdict(list)
    before = last = 0
    for number, (here, after, later) in enumerate(zip(meant, [*meant[1:], 0], [*meant[2:], 0, 0], strict=False)):
        near = here | after | later | (before | last) & book.around | book.needless
        before, last = last, here
        if not (tried := here & book.anchors & near >> 1 & near >> 2):
            continue
        cut, end = cuts[number], cuts[number + 1]
        for index in compress(range(cut, end), map(tried.__and__, meanings[cut:end])):
            token, at = tokens[index], letters[index] + index
            begins = _begins(token) if len(token) < _LONG else _begins.__wrapped__(token)
            for rule in _rules(tried & meanings[index]):
                for offset in begins[rule]:
                    found[rule].append(at + offset)
        for literal, place in elsewhere.get(number, ()):
            for rule, offsets in book.by_anchor.get(literal, ()):
                if tried >> PARTS * rule & 1:
                    found[rule] += [place - offset for offset in offsets]
    return found


def _cuts(letters: list[int]) -> list[int]:
    """The first token of each stretch, and the end: a stretch is as short as it can be, and ends with a token."""
    cuts, last = [0], len(letters) - 1
    while cuts[-1] < last:
        cuts.append(min(last, bisect_left(letters, letters[cuts[-1]] + _STRETCH, cuts[-1] + 1)))
    return cuts


@lru_cache(_MANY)
def _meaning(word: str) -> int:
    """What the literals that begin a word mean to the rules."""
    book = rulebook()
    meaning = book.meanings.get(word, 0)
    for length in book.openings.get(word[:3], ()):
        if length <= len(word):
            meaning |= book.meanings.get(word[:length] + "*", 0)
    return meaning


@lru_cache(_MANY)
def _rules(anchors: int) -> list[int]:
    """The rules whose bits are set."""
    rules: list[int] = []
    while anchors:
        rules.append(anchors.bit_length() // PARTS)
        anchors ^= 1 << PARTS * rules[-1]
    return rules


@lru_cache(_MANY)
def _begins(token: str) -> Mapping[int, list[int]]:
    """Where a match of each rule may begin, for a token that holds its anchors, counted from the token."""
    book = rulebook()
    begins: dict[int, list[int]] = {}
    for literal, place in _literals(token):
        for rule, offsets in book.by_anchor.get(literal, ()):
            begins.setdefault(rule, []).extend(place - offset for offset in offsets)
    return begins


def _literals(token: str) -> Iterator[tuple[str, int]]:
    """The literals that begin a word of the token, and where."""
    book = rulebook()
    for found in _WORD.finditer(token):
        word = found[0]
        if word in book.meanings:
            yield word, found.start()
        for length in book.openings.get(word[:3], ()):
            if length <= len(word) and (beginning := word[:length] + "*") in book.meanings:
                yield beginning, found.start()


class _Meanings(dict[str, int]):
    """What a token's literals mean to the rules: most tokens of a text were met before."""

    def __missing__(self, token: str) -> int:
        words: list[str] = _WORD.findall(token)
        if len(token) > _LONGEST:
            words = [word[: _LONGEST + 1] for word in words]
        meaning = reduce(int.__or__, [_meaning(word) for word in words], 0)
        if not token.isascii() and _TOGETHER.search(token):
            meaning |= _UNSPACED
        if len(token) < _LONG:
            if len(self) >= _MANY:
                self.clear()
            self[token] = meaning
        return meaning


_MEANINGS = _Meanings()


def _elsewhere(lowered: str, unspaced: bool, book: Rulebook) -> Iterator[tuple[str, int]]:
    """Literals that are signs, or of scripts where a literal need not begin a word; and where."""
    scripts = {script(letter) for letter in set(lowered)} if unspaced else set[str]()
    for name, literals in book.elsewhere.items():
        if name in scripts or (len(name) == 1 and name in lowered):
            for literal in literals:
                bare = literal.removesuffix("*")
                at = lowered.find(bare)
                while at >= 0:
                    yield literal, at
                    at = lowered.find(bare, at + 1)
