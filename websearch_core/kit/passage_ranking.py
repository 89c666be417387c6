"""The passages of a page that answer some words best: BM25 over its blocks."""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..contract.outline import Heading, paths_of
from ..marks import unmarked
from .markdown_blocks import TextBlock, blocks_of
from .stopwords import SMALL_WORDS

_K1, _B = 1.5, 0.75
"""The usual constants of BM25 (Robertson and Zaragoza, 2009)."""
_LONGEST = 1200
"""Characters of a passage: longer blocks are parted at lines or sentences, code and tables at lines."""
_IN_HEADING = (2, 1)
"""A word in the headings over a passage counts this often in the first one under them, and in the others."""
_WORD = re.compile(r"[^\W_]+")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_TOGETHER = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_END = re.compile(r"[.!?…。！？]\s+|\n")  # noqa: RUF001 - CJK full stops are meant
_ENDINGS = ("ies", "ing", "es", "ed", "s", "e")
_STEM = 4


class Passage(NamedTuple):
    """`text[start:end]` of the page, and how well it answers (0: not at all)."""

    start: int
    end: int
    score: float


def passages(markdown: str, words: str, outline: Sequence[Heading] = ()) -> list[Passage]:
    """The passages that hold some of the words, best first; the words of the headings over a passage count, too.

    Words are compared without case, accents and simple English endings; scripts without spaces by pairs of characters.
    Small words (the, of, der, les, …) count only where there is no other.
    """
    wanted = set(_terms(" ".join(telling_words(words)) or words))
    places = list(_places(markdown))
    texts = [_terms(markdown[block.start : block.end]) for block in places]
    over = _headings_over(places, outline)
    heads = {head: wanted.intersection(_terms(head)) for head in {*over}}
    counts = [
        Counter(term for term in text if term in wanted)
        + Counter(dict.fromkeys(heads[head], _IN_HEADING[head == before]))
        for text, head, before in zip(texts, over, ["", *over], strict=False)
    ]
    lengths = [len(text) + 1 for text in texts]
    mean = sum(lengths) / len(lengths) if lengths else 1.0
    held = Counter(term for count in counts for term in count)
    rarity = {term: math.log(1 + (len(places) - n + 0.5) / (n + 0.5)) for term, n in held.items()}
    found: list[Passage] = []
    for block, count, length in zip(places, counts, lengths, strict=True):
        damp = _K1 * (1 - _B + _B * length / mean)
        if score := sum(rarity[term] * n * (_K1 + 1) / (n + damp) for term, n in count.items()):
            found.append(Passage(block.start, block.end, score))
    return sorted(found, key=lambda passage: (-passage.score, passage.start))


def telling_words(text: str) -> list[str]:
    """The words of a question that are worth looking for, each once: without small words (the, of, der, …)."""
    return [word for word in dict.fromkeys(_WORD.findall(text.casefold())) if word not in SMALL_WORDS]


def _places(markdown: str) -> Iterator[TextBlock]:
    """The blocks, long ones in parts; headings stand for nothing themselves."""
    for block in blocks_of(markdown):
        if block.kind == "heading":
            continue
        start = block.start
        while block.end - start > _LONGEST:
            ends = [match.end() for match in _END.finditer(markdown, start + _LONGEST // 2, start + _LONGEST)]
            end = ends[-1] if ends else start + _LONGEST
            yield TextBlock(block.kind, start, end)
            start = end
        if start < block.end:
            yield TextBlock(block.kind, start, block.end)


def _headings_over(places: Sequence[TextBlock], outline: Sequence[Heading]) -> list[str]:
    """For each place the headings that it stands under, in one string."""
    starts = [heading.offset for heading in outline]
    paths = ["", *map(" ".join, paths_of(outline))]
    return [paths[bisect_right(starts, block.start)] for block in places]


def _terms(text: str) -> list[str]:
    text = unmarked(text).casefold()
    if not text.isascii():  # composed again: syllables of Hangul and kana are letters
        text = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))
    return [term for found in _WORD.finditer(text) for term in _parts(found[0])]


def _parts(word: str) -> Iterable[str]:
    if not word.isascii() and _TOGETHER.search(word):
        return ["".join(pair) for pair in pairwise(word)] or [word]
    if word.isascii():
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= _STEM - (ending == "s"):
                return [word.removesuffix(ending) + ("y" if ending == "ies" else "")]
    return [word]
