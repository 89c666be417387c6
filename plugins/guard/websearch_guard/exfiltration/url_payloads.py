"""What is smuggled out in an address: judged piece by piece."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import unquote, unquote_plus

from websearch_core import Finding

from .encodings import readings
from .ordinary_urls import Known, is_below, known
from .query_payloads import in_query
from .text_or_noise import is_prose, is_random, is_sentence, is_somebodys, is_telling
from .url_parts import Address, Piece, series, taken_apart

_DEPTH = 3
_TOKEN = re.compile(r"[^\s.,:;|~!*'()\"<>{}\[\]&?#@$]{16,}")
_PART = re.compile(r"[A-Za-z0-9]{20,}")
_LONG = re.compile(r"[A-Za-z0-9+/_-]{80,}")
_SEPARATOR = re.compile(r"[.:,;~|-]")
_SEPARATORS = re.compile(r"(?:[A-Za-z0-9+/_=]{1,63}[.:,;~|-]){3}")
_CODES = re.compile(r"\d{2,3}(?:[.:;~|-]\d{2,3}){11,}\Z")
_JOINED = re.compile(r"[A-Za-z0-9+_=-]{4,}\Z")
_PLUSSED = re.compile(r"\??-?(?=[^/]{0,200}\d)[A-Za-z0-9+/_=-]{24,}\Z|[A-Za-z0-9+_=-]{4,}\Z")
_SLUG = re.compile(r"(?:[a-z]{1,24}|\d{1,12})(?:[-_.+](?:[a-z]{1,24}|\d{1,12}))*(?:\.[a-z0-9]{2,5})?\Z", re.IGNORECASE)
_URL = re.compile(r"https?://\S+\Z")
_URL_OR_PATH = re.compile(r"(?:https?:/)?/\S+\Z")
_FILE = re.compile(r"\.[A-Za-z0-9]{2,5}\Z")
_NESTED = re.compile(r"https?://[^\s\"'<>]+")
_RELATIVE = re.compile(r"/(?:[\w.~-]{1,80}/){1,12}[\w.~%=-]{0,80}\?[\w.-]{1,40}=\S*\Z")
"""An address on the same site, as redirects name their targets."""
_HIDDEN_MAIL = "/cdn-cgi/l/email-protection"
"""Where a site's front writes mail addresses so that collectors do not read them: masked, after the `#`."""
_ESCAPED = re.compile(r"(?:%(?:2[0DdEe]|3[0-9]|4[1-9A-Fa-f]|5[0-9AaFf]|6[1-9A-Fa-f]|7[0-9AaEe])){8,}")
_PLACEHOLDER = re.compile(
    r"\{\{[^{}]{0,80}\}\}|[$%#]\{[^{}]{0,80}\}|<%[^%]{0,80}%>|"
    r"[<\[{](?:[\w -]{0,30}[ _-])?"
    r"(?:secrets?|api[ _-]?keys?|passwords?|tokens?|credentials|conversation|history|(?:user|system)[ _-]?\w{1,20}|"
    r"user|prompt|memory|context|your[ _-]\w{1,20}|insert\w*|(?:exfil|stolen|private|base64|encoded)[ _-]?\w{0,20})"
    r"(?:[ _-][\w -]{0,30})?[>\]}]",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d{48,}")
_CID = re.compile(r"(?:baf[ky][a-z2-7]{55}|k51qzi5uqu5[0-9a-z]{51}|k2k4r8[0-9a-z]{50,56}|xn--[a-z0-9-]+)\Z")
"""IPNS keys begin with their kind: anything else that begins with a `k` may be base32 of what begins with P to W."""
_ASKS_FOR = re.compile(r"([a-z0-9-]+)\.(?:translate\.goog|ipns\.dweb\.link|ipns\.ipfs\.io)\Z")
"""A host that looks up the name in its first label, whose dots are written as hyphens, and hyphens twice."""
_HEX = re.compile(r"[0-9a-fA-F]+\Z")
_RANDOM_SIZE = {"user": 20, "segment": 280, "value": 120, "name": 120, "fragment": 400}
_SIGNED_SIZE, _HEX_SIZE, _TOTAL_SIZE = 2000, 160, 400
_LABEL, _LABELS, _MANY, _SAID = 40, 52, 8, 12
_SINGLE = re.compile(r"(?:[A-Za-z']|%[0-9A-Fa-f]{2}|@|\.|\d){1,30}\Z")
_SENTENCE, _SMALL = 6, 3
"""Segments of one word each, and the small words among them."""
_LONG_PROSE, _SHARED_PROSE, _CAPTION = 200, 1500, 120


def in_address(url: str, field: str, *, encoded: bool = False, depth: int = _DEPTH) -> list[Finding]:
    """What this address carries out; `encoded`: it was found in an encoding, where plain prose is no accident."""
    address = taken_apart(url)
    if address is None:
        return []
    lists = known()
    findings: list[Finding] = []
    if "{" in url or "<" in url or "[" in url or "%" in url:
        findings += _placeholders(url, field)
        findings += _escaped(url, field)
    if kind := in_host(address.host):
        findings.append(Finding(kind, field, address.host_start, address.host_start + len(address.host)))
    if is_below(address.host, lists.carriers) or _area(address) in lists.carriers:
        return findings + _asked_for(address, field, encoded=encoded, depth=depth)
    searched = is_below(address.host, lists.search_hosts)
    total = 0
    for piece in address.pieces:
        if len(piece.text) < 16 or (piece.where == "fragment" and address.path == _HIDDEN_MAIL):
            continue
        text = _plain(piece)
        if piece.where == "segment" and _SLUG.match(text):
            continue
        if searched and piece.where == "value" and piece.name in lists.search_names:
            findings += (Finding(f.kind, field, piece.start, piece.end) for f in in_query(text, field))
            continue
        kind, size = _judged(piece, text, lists, encoded=encoded, depth=depth)
        total += size
        if kind:
            findings.append(Finding(kind, field, piece.start, piece.end))
    if not findings:
        findings += _joined(address.pieces, field, lists)
    if total > _TOTAL_SIZE and not findings:
        findings.append(Finding("random", field, 0, len(url), 0.7))
    return findings


def _asked_for(address: Address, field: str, *, encoded: bool, depth: int) -> list[Finding]:
    """What a carrier would carry on: some ask for the address in a parameter, for a badge's text or a diagram's."""
    found: list[Finding] = []
    for piece in address.pieces:
        text = _plain(piece) if piece.where == "value" else ""
        if _URL.match(text) and (kind := _nested(text, encoded=encoded, depth=depth)):
            found.append(Finding(kind, field, piece.start, piece.end))
    return found


def _area(address: Address) -> str:
    return f"{address.host}/{address.path[1:].partition('/')[0]}"


def in_host(host: str) -> str:
    """What is wrong with a host's labels: `dns` or nothing. The last two are whose it is."""
    if (asks := _ASKS_FOR.match(host)) and "-" in asks[1]:
        host = asks[1].replace("--", "\0").replace("-", ".").replace("\0", "-")
    labels = host.split(".")[:-2]
    if not labels or len(host) < 30 or is_below(host, known().random_hosts):
        return ""
    odd = [label for label in labels if not _CID.match(label)]
    joined = "".join(odd)
    for token in {joined, "".join(odd[:-1]), *odd}:
        if any(len(text) >= _SAID and any(map(str.isalpha, text)) for text in readings(token)):
            return "dns"
    random = [label for label in odd if len(label) >= 16 and is_random(label)]
    if any(len(label) >= _LABEL for label in random) or sum(map(len, random)) >= _LABELS:
        return "dns"
    return "dns" if len(labels) >= _MANY and len(joined) > _LABELS else ""


def _judged(piece: Piece, text: str, lists: Known, *, encoded: bool, depth: int) -> tuple[str, int]:
    """The kind of what this piece carries, or nothing; and how many random characters it has."""
    signed = piece.where == "value" and lists.is_random(piece.name)
    if encoded and not _URL.match(text) and is_telling(text) and not _is_caption(piece, text, lists):
        return "text", 0
    if nested := _NESTED.search(text) or (_RELATIVE.match(text) if piece.where == "value" else None):
        kind = _nested(nested[0], encoded=encoded, depth=depth)
        return kind, 0
    total = 0
    caption = piece.where == "value" and piece.name in lists.captions
    for token in _tokens(text):
        said = _says(token, depth, caption=caption)
        if said:
            return "encoded", 0
        if said is False and token == text:  # its parts alone are read as noise
            break
        if _DIGITS.search(token):
            return "digits", 0
        size = len(token)
        if said is None and size >= 20 and "." not in token and is_random(token):
            limit = _SIGNED_SIZE if signed else _RANDOM_SIZE[piece.where]
            if not signed and limit < _HEX_SIZE and _HEX.match(token):
                limit = _HEX_SIZE
            if size > limit:
                return "random", 0
            total += 0 if signed or piece.where in ("segment", "fragment") else size
    if _SEPARATORS.search(text) and _says(_SEPARATOR.sub("", text), depth):
        return "split", 0
    if _CODES.match(text):
        text = _SEPARATOR.sub(" ", text)
    if (" " in text or "," in text) and (spread := in_query(text, "")):
        return spread[0].kind, 0
    if piece.where in ("value", "name", "segment") and " " in text:
        limit = _SHARED_PROSE if piece.name in lists.prose else _LONG_PROSE
        if len(text) > limit and is_prose(text):
            return "prose", 0
    return "", total


def _is_caption(piece: Piece, text: str, lists: Known) -> bool:
    """Whether this is a page's name in its path, a file's, or a short text in a parameter that is there for text."""
    if len(text) > _CAPTION or is_somebodys(text):
        return False
    if piece.where == "segment":
        return " " not in text or _FILE.search(text) is not None
    return piece.name in lists.prose or piece.name in lists.titles


def _tokens(text: str) -> Iterator[str]:
    """What may be one encoded thing: the whole, and its parts between punctuation."""
    if " " not in text:
        yield text
    for match in _TOKEN.finditer(text):
        token = match[0]
        if not _SLUG.match(token):
            if token != text:
                yield token
            if not token.isalnum():
                yield from (part for part in _PART.findall(token) if len(part) < len(token))


def _says(token: str, depth: int, *, caption: bool = False) -> bool | None:
    """Whether it is an encoding of something telling, or of an address that carries it; None: of nothing readable."""
    harmless = None
    for text in readings(token):
        is_address = _URL_OR_PATH.match(text)
        if _nested(text, encoded=True, depth=depth) if is_address else is_telling(text, caption=caption):
            return True
        if is_address or not (is_random(text) and _LONG.search(text)):
            harmless = False
    return harmless


def _nested(url: str, *, encoded: bool, depth: int) -> str:
    url = url if "://" in url else f"//same.site{url}"
    found = in_address(url, "", encoded=encoded, depth=depth - 1) if depth > 1 else []
    return found[0].kind if found else ""


def _joined(pieces: Iterable[Piece], field: str, lists: Known) -> Iterator[Finding]:
    """One encoded text in several segments, or in several parameters."""
    for where in ("segment", "value"):
        run = [p for p in pieces if p.where == where and _JOINED.match(p.text) and not lists.is_random(p.name)]
        if len(run) < 2 or all(_SLUG.match(p.text) for p in run):
            continue
        if sum(len(p.text) for p in run) >= 24 and _says("".join(p.text for p in run), 2):
            yield Finding("split", field, run[0].start, run[-1].end)
            return
    path = [p for p in pieces if p.where == "segment"]
    single = len(path) >= _SENTENCE and all(map(_SINGLE.match, (p.text for p in path)))
    if single and is_sentence(" ".join(map(_plain, path)), _SMALL):
        yield Finding("split", field, path[0].start, path[-1].end)
        return
    for run in series(pieces):
        texts = [_plain(p) for p in run]
        if any(is_sentence(said) or (is_telling(said) and not is_prose(said)) for said in _told(texts)):
            yield Finding("split", field, run[0].start, run[-1].end)
            return
        if sum(map(len, texts)) >= 24 and all(map(_JOINED.match, texts)) and _says("".join(texts), 2):
            yield Finding("split", field, run[0].start, run[-1].end)
            return


def _told(texts: Sequence[str]) -> tuple[str, str]:
    return "".join(texts), " ".join(texts)


def _placeholders(url: str, field: str) -> Iterator[Finding]:
    # escapes are three characters for one: the place is told in the address as it is written, whole
    if _PLACEHOLDER.search(unquote(url)):
        yield Finding("placeholder", field, 0, len(url))


def _escaped(url: str, field: str) -> Iterator[Finding]:
    """Letters that need no escape, escaped, once or twice."""
    for match in _ESCAPED.finditer(url):
        yield Finding("escaped", field, *match.span())
    if "%25" in url and _ESCAPED.search(unquote(url)):
        yield Finding("escaped", field, 0, len(url))


def _plain(piece: Piece) -> str:
    text = unquote_plus(piece.text) if piece.where in ("value", "name") else unquote(piece.text)
    if "+" in piece.text and " " in text and _PLUSSED.match(piece.text):
        text = piece.text  # a plus of base64 that nobody escaped
    for _ in range(2):
        if "%" not in text:
            break
        text = unquote(text)
    return text
