"""Finds personal data and secrets in a text or an address, however they are spelt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from websearch_guard.deobfuscation import View, canonical, decodings
from websearch_guard.deobfuscation.spelled_numbers import DIGIT_WORDS

from .detectors.access_codes import codes
from .detectors.api_keys import keys, webhooks
from .detectors.birth_dates import birth_dates
from .detectors.email_addresses import emails
from .detectors.government_ids import government_ids
from .detectors.ibans import ibans
from .detectors.labelled_numbers import labelled
from .detectors.passwords import passwords
from .detectors.payment_cards import cards
from .detectors.phone_numbers import phones
from .detectors.plates_and_licences import driver_numbers, plates
from .detectors.street_addresses import addresses
from .detectors.vin_and_imei import imeis, vins
from .detectors.wallet_keys import private_keys, seed_phrases
from .text.email_spellings import AT_WORDS
from .text.number_spellings import latinised, respelt
from .text.ordinary_numbers import without_figures
from .text.prepared_text import Reading, Span, listed, read
from .text.public_values import without_public, without_published
from .text.url_pieces import pieces

Detector = Callable[[Reading], Iterator[Span]]

_ANY: tuple[Detector, ...] = (keys, private_keys, seed_phrases, passwords, emails)
_WITH_DIGITS: tuple[Detector, ...] = (
    cards, ibans, government_ids, codes, phones, imeis, vins, labelled, driver_numbers, plates, birth_dates, addresses
)  # fmt: skip

_ADDRESS = re.compile(r"\bhttps?://[^\s<>\"]{1,8000}", re.IGNORECASE)
_LEAST_SEED, _LEAST_KEY, _LEAST_SPELT = 9, 16, 4
_SIGN = re.compile(r"\(a\)|[0-9@%=\\\x00-\x08\x0e-\x1f]|[a-z][A-Z]")
_HINTS = (
    " answer",
    "maiden",
    "kennwort",
    "senha",
    "haslo",
    "heslo",
    "mdp",
    "wachtwoord",
    "contrase",
    "mnemonic",
    "phrase",
    "lozink",
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "seed",
    "://",
    " dot ",
    "[at",
    "(at",
    "wallet",
    "bearer",
    *AT_WORDS,
)


class TooMuchError(ValueError):
    """The text is too long, or too full of numbers and labels, to be checked in a bounded time."""


class _Work:
    """What may be done for one text: in about microseconds."""

    def __init__(self, most: int) -> None:
        self.left = most
        self._read: set[tuple[str, bool]] = set()
        self._pieces: set[tuple[str, bool]] = set()

    def is_new(self, piece: str, *, is_text: bool) -> bool:
        """Whether no reading of the address had this piece before: most differ in one of them."""
        if (piece, is_text) in self._pieces:
            return False
        self._pieces.add((piece, is_text))
        return True

    def spend(self, work: int) -> None:
        """TooMuchError: no more is left."""
        self.left -= work
        if self.left < 0:
            raise TooMuchError

    def detected(self, text: str, *, strict: bool = False) -> Iterator[Span]:
        """What the detectors find; nothing where the same text was read before."""
        if (text, strict) in self._read:
            return
        self._read.add((text, strict))
        self.spend(_READING + len(text) * (1 if strict else 3))
        reading = read(text, strict=strict)
        numbers = sum(word.text.isdigit() for word in reading.words)
        phrases = sum(map(len, reading.places.values()))
        self.spend((20 * phrases + 100 * numbers) // (3 if strict else 1))
        found = [span for detect in (*_ANY, *(_WITH_DIGITS if numbers else ())) for span in detect(reading)]
        yield from without_figures(reading, without_published(reading, found))


_MOST_WORK, _MOST_OF_ADDRESS, _READING, _PIECE, _ESCAPE = 30_000, 80_000, 60, 80, 10
"""Addresses that list a page's scripts or settings have some hundred numbers in 3,000 characters."""


def find(text: str, *, url: bool = False) -> tuple[Span, ...]:
    """What there is, in order, apart from each other; offsets are code points of `text`.

    TooMuchError: it cannot be read within bounds, and nothing is known about it.
    `url`: the text is an address, or a host. An address within a text is read as one.
    """
    if not (url or _is_worth_it(text)):
        return ()
    if "://" in text:
        text = _ADDRESS.sub(lambda match: without_public(match[0]), text)
    found: list[Span] = []
    work = _Work(_MOST_OF_ADDRESS if url else _MOST_WORK)
    work.spend((len(text) if url else len(text) // 2) + _ESCAPE * text.count("%"))
    plain = canonical(text)
    for view in _views(text, plain, url=url):
        for span in _found(view, work, url=url):
            start, end = view.span(span.start, span.end)
            if start < end:
                found.append(span._replace(start=start, end=end))
    return _apart(found)


def _views(text: str, plain: View, *, url: bool) -> Iterator[View]:
    """The plain one first: where that is too much already, nothing is decoded."""
    yield latinised(plain)
    yield from decodings(text, url=url, requests=True, read=plain)


def _found(view: View, work: _Work, *, url: bool) -> Iterator[Span]:
    text = view.text
    if url and view.kind in _ADDRESSES:
        yield from _in_address(text, 0, work)
        return
    for match in _ADDRESS.finditer(text):
        yield from _in_address(match[0], match.start(), work)
        text = f"{text[: match.start()]}{' ' * len(match[0])}{text[match.end() :]}"
    yield from _in_text(text, work)


_UUID = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9A-Za-z])", re.IGNORECASE)
"""Nobody's number, and long to read."""
_ADDRESSES = frozenset({"plain", "canonical", "punycode"})


def _in_address(text: str, offset: int, work: _Work) -> Iterator[Span]:
    text = _UUID.sub(lambda match: "-" * len(match[0]), text)
    for span in webhooks(text):
        yield span._replace(start=offset + span.start, end=offset + span.end)
    for piece in pieces(text):
        if not work.is_new(piece.view.text, is_text=piece.is_text):
            continue
        work.spend(_PIECE)
        found = _in_text(piece.view.text, work) if piece.is_text else _in_token(piece.view.text, work)
        for span in found:
            start, end = piece.view.span(span.start, span.end)
            yield span._replace(start=offset + piece.start + start, end=offset + piece.start + end)


def _in_token(text: str, work: _Work) -> Iterator[Span]:
    yield from work.detected(text, strict=True)
    for view in respelt(text):
        for span in work.detected(view.text, strict=view.kind != "base64"):
            start, end = view.span(span.start, span.end)
            yield span._replace(start=start, end=end)


def _in_text(text: str, work: _Work) -> Iterator[Span]:
    yield from work.detected(text)
    for view in respelt(text):
        for span in work.detected(view.text):
            start, end = view.span(span.start, span.end)
            yield span._replace(start=start, end=end)


def _apart(found: Iterable[Span]) -> tuple[Span, ...]:
    """Of what overlaps, the surest, and the longest of these."""
    kept: list[Span] = []
    for span in sorted(found, key=lambda s: (-s.score, s.start - s.end, s.start, s.kind)):
        if all(span.end <= other.start or span.start >= other.end for other in kept):
            kept.append(span)
    return tuple(sorted(kept, key=lambda s: s.start))


def _is_worth_it(text: str) -> bool:
    """Lets ordinary queries go: no digit, no sign, no number spelt out, no word about secrets, no word too long."""
    if not text.isascii() or _SIGN.search(text):
        return True
    lower = text.lower()
    if any(hint in lower for hint in _HINTS):
        return True
    words = lower.replace("-", " ").replace(",", " ").split()
    if any(len(word) >= _LEAST_KEY for word in words):
        return True
    return sum(word in DIGIT_WORDS for word in words) >= _LEAST_SPELT or (
        len(words) >= _LEAST_SEED and _has_seed(words)
    )


def _has_seed(words: list[str]) -> bool:
    known = listed("bip39")
    return sum(word in known for word in words) >= _LEAST_SEED


def warm_up() -> None:
    """Load the tables that ordinary requests read, so that the first does not wait for them."""
    for text in _ORDINARY:
        find(text)


_ORDINARY = (
    "élections 2024: hotels near 12 main street, password manager",
    "https://example.com/2024/05/17/articles/12345678?page=2",
)
