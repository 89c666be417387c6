"""What is smuggled out in a search query."""

from __future__ import annotations

import re
from collections.abc import Iterator

from websearch_core import Finding

from .encodings import readings
from .text_or_noise import is_disguised, is_random, is_telling

_LONG = re.compile(r"[^\s\"'`,;()<>]{16,}")
_PAIRS = re.compile(r"(?<![\w.])(?:(?:0x|\\x|%)?[0-9A-Fa-f]{2}[ ,:;-]{0,2}){20,}(?![\w.])")
_CODES = re.compile(r"(?<![\w.])\d{2,3}(?:[ ,;]{1,2}\d{2,3}){15,}(?![\w.])")
_PIECES = re.compile(
    r"(?<![A-Za-z0-9+/_=-])(?:[A-Za-z0-9+/_-]{4,}+={0,2}+[ ,;|]{1,2}){2,}+[A-Za-z0-9+/_-]{2,}+={0,2}|"
    r"(?<![A-Za-z0-9+/_=-])(?:[A-Za-z0-9+/_-]{4,}+={0,2}+[ ,;|]{1,2}){3,}"
)
_MIXED = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|\d[A-Za-z]|[A-Za-z]\d")
_PUNCTUATION = re.compile(r"[^A-Za-z0-9]")
_SAID = 48
"""Characters of hidden text (64 of base64): less is an example that somebody wants explained."""
_RANDOM, _RANDOM_TOTAL, _DIGITS = 200, 420, 400


def in_query(text: str, field: str) -> list[Finding]:
    """What this query carries out. Hashes, ids, short examples of an encoding are ordinary."""
    if len(text) < _SAID:
        return []
    findings: list[Finding] = []
    said = random = 0
    for match in _LONG.finditer(text):
        token = match[0]
        if "://" in token:
            continue
        hidden = max(map(_hidden, {token, token.rpartition(":")[2].replace(".", "")}))
        said += hidden
        if hidden:
            findings.append(Finding("encoded", field, *match.span()))
        elif is_random(token):
            random += len(token)
            if len(token) > _RANDOM:
                return [Finding("random", field, *match.span())]
        elif len(token) > _DIGITS and token.isdigit():
            return [Finding("digits", field, *match.span())]
    if said >= _SAID:
        return findings
    if random > _RANDOM_TOTAL:
        return [Finding("random", field, 0, len(text), 0.7)]
    spread = [Finding("split", field, start, end) for start, end, hidden in _spread(text) if hidden >= _SAID]
    if not spread and is_disguised(text):
        return [Finding("disguised", field, 0, len(text), 0.7)]
    return spread


def _hidden(token: str) -> int:
    """How many characters of telling text this token is another writing of."""
    return max((len(reading) for reading in readings(token) if is_telling(reading)), default=0)


def _spread(text: str) -> Iterator[tuple[int, int, int]]:
    """Where an encoding has been parted by spaces, and how much it says."""
    for pattern in (_PAIRS, _CODES, _PIECES):
        for match in pattern.finditer(text):
            if pattern is _CODES:
                codes = [int(code) for code in re.findall(r"\d+", match[0])]
                tokens = ["".join(f"{code:02x}" for code in codes)] if all(31 < c < 127 for c in codes) else []
            elif pattern is _PAIRS:
                tokens = [_PUNCTUATION.sub("", match[0].replace("0x", "").replace("\\x", ""))]
            else:
                tokens = list(_runs(match[0]))
            for token in tokens:
                yield *match.span(), _hidden(token)


def _runs(text: str) -> Iterator[str]:
    """Pieces in a row that no word looks like, put together."""
    pieces = re.findall(r"[A-Za-z0-9+/_=-]+", text)
    while pieces and not _MIXED.search(pieces[0]):
        pieces.pop(0)
    while pieces and not _MIXED.search(pieces[-1]):
        pieces.pop()
    if len(pieces) > 1:
        yield "".join(pieces)
