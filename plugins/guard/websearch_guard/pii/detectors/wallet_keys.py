"""Private keys in PEM and their like, keys of wallets, and the words that a wallet is restored from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256

from ..text.person_names import is_common
from ..text.prepared_text import Reading, Span, Word, listed, table

_PEM = re.compile(
    r"-{2,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{2,5}"
    r".{0,8000}?(?:-{2,5} ?END [A-Z0-9 ]{1,40}-{2,5}|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_OPENSSH = re.compile(
    r"b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=\s]{20,8000}|PuTTY-User-Key-File-\d: [^\n]{0,200}"
    r"|\bMII[EJCG][A-Za-z0-9+/]{200,4000}={0,2}"
)
_EXTENDED = re.compile(r"\b[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{90,115}\b", re.IGNORECASE)
_WIF = re.compile(
    r"(?<![\w/])[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}(?![\w/])|(?<![\w/])6P[1-9A-HJ-NP-Za-km-z]{56}(?![\w/])"
)
_WIF_LOWER = re.compile(r"(?<![\w/])[5klc9][a-z0-9]{50,51}(?![\w/])", re.IGNORECASE)
_HEX = re.compile(r"(?<![\w/])(?:0x)?[0-9a-f]{64}(?!\w)", re.IGNORECASE)
_BASE58_KEY = re.compile(r"(?<![\w/])[1-9A-HJ-NP-Za-km-z]{86,88}(?!\w)")
_ARRAY = re.compile(r"\[(?:\s?\d{1,3}\s?,){31,63}\s?\d{1,3}\s?\]")
_STELLAR = re.compile(
    r"\bS[A-Z2-7]{55}\b|\bsEd[1-9A-HJ-NP-Za-km-z]{28}\b|\bedsk[1-9A-HJ-NP-Za-km-z]{50,94}\b|\bnsec1[02-9ac-hj-np-z]{58}\b|\bsuiprivkey1[a-z0-9]{58}\b",
    re.IGNORECASE,
)
_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_SHORTEST = 26
_LEAST, _LEAST_NAMED = 12, 9
_MOST_STRANGE, _MOST_READ = 2, 60
_SHORTEST_WORD, _LONGEST_WORD = 3, 12
_GAP = re.compile(r"[\s,.:;/|\d)(#\"'*_+-]{1,8}\Z")


def private_keys(reading: Reading) -> Iterator[Span]:
    """By their frame, their checksum, or the words beside them."""
    text = reading.text
    patterns = [_ARRAY] if "[" in text else []
    if "private key" in reading.lower:
        patterns.append(_PEM)
    if reading.longest >= _SHORTEST:
        patterns += [_OPENSSH, _EXTENDED, _STELLAR]
    elif not patterns:
        return
    if (reading.has("wallet") or (reading.has("coin") and not reading.strict)) and not reading.has("not_key"):
        patterns += [_HEX, _WIF_LOWER, _BASE58_KEY]
    elif not reading.strict:
        for match in _WIF.finditer(text):
            if _has_base58_checksum(match[0]):
                yield Span("private_key", match.start(), match.end(), 0.9)
    for pattern in patterns:
        for match in pattern.finditer(text):
            yield Span("private_key", match.start(), match.end())


def seed_phrases(reading: Reading) -> Iterator[Span]:
    """Twelve words in a row that are all in BIP-39's list; nine, where the text is about a wallet."""
    least = _LEAST_NAMED if reading.has("seed") else _LEAST
    words = [word for word in reading.words if not word.text.isdigit()]
    if len(words) < least:
        return
    known = listed("bip39")
    yield from _after_label(reading)
    run: list[int] = []
    strange = 0
    for index in range(len(words) + 1):
        word = words[index] if index < len(words) else None
        joined = not run or (word is not None and _GAP.match(reading.text[words[run[-1]].end : word.start]) is not None)
        if word is not None and joined and word.text in known:
            run.append(index)
            continue
        if (
            word is not None
            and joined
            and len(run) >= _LEAST // 2
            and strange < _MOST_STRANGE
            and not is_common(word.text)
        ):
            strange += 1  # mistyped, or of another list
            run.append(index)
            continue
        strange = 0
        if len(run) >= least and len({words[i].text for i in run}) > least // 2:
            yield Span("seed_phrase", words[run[0]].start, words[run[-1]].end, 0.9)
        run = [index] if word is not None and word.text in known else []


def _after_label(reading: Reading) -> Iterator[Span]:
    """What stands after the words for it: eleven words and more in a row of which none is one of a sentence."""
    for place in reading.places.get("seed_surely", ()):
        words = [word for word in reading.after(place.end, _MOST_READ) if not word.text.isdigit()]
        size = next((n for n in range(len(words)) if not _is_of_list(reading, words, n)), len(words))
        if size >= _LEAST - 1:
            yield Span("seed_phrase", words[0].start, words[size - 1].end, 0.9)


def _is_of_list(reading: Reading, words: list[Word], at: int) -> bool:
    word = words[at]
    begin = words[at - 1].end if at else None
    joined = begin is None or _GAP.match(reading.text[begin : word.start]) is not None
    return joined and _SHORTEST_WORD <= len(word.text) <= _LONGEST_WORD and word.text not in _of_sentences()


@cache
def _of_sentences() -> frozenset[str]:
    return frozenset(table("empty")["sentence"].split())


def _has_base58_checksum(value: str) -> bool:
    number = 0
    for character in value:
        number = number * 58 + _ALPHABET.index(character)
    data = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return sha256(sha256(data[:-4]).digest()).digest()[:4] == data[-4:]
