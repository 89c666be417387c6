"""Which captions are read, and captions as paragraphs with the time before each."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from websearch_core.kit import Row, literal

_LINE = re.compile(r'<text start="([0-9]{1,6}(?:\.[0-9]{1,6})?)"[^<>]*>([^<]*)</text>')
_TIMED = re.compile(r'<p t="([0-9]{1,9})"[^<>]*>((?:[^<]|</?s(?:\s[^<>]*)?>|<br\s?/>)*+)</p>')
"""The same in the third of YouTube's formats, which some answer with unasked: milliseconds, a word an element."""
_WORD = re.compile(r"</?s(?:\s[^<>]*)?>|<br\s?/>")
_STYLE = re.compile(r"</?(?:b|i|u|c|font|ruby|rt)(?:[\s.][^<>]{0,200})?>", re.IGNORECASE)
"""What captions may be dressed in."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}")
_PATH = "/api/timedtext"
_PARAGRAPH_S = 60.0
"""So much is said before the next time stamp, about."""


class Track(NamedTuple):
    """Captions in one language."""

    language: str
    automatic: bool
    """Whether a machine heard them."""
    parameters: dict[str, str]
    """What they are asked for with."""


def tracks_of(player: Row) -> list[Track]:
    """All captions that a player is offered."""
    found: list[Track] = []
    for row in player.rows("captions", "playerCaptionsTracklistRenderer", "captionTracks"):
        address, language = row.text("baseUrl"), row.text("languageCode")
        if not address.isascii() or not _LANGUAGE.fullmatch(language):
            continue
        try:
            parts = urlsplit(address)
        except ValueError:
            continue
        if parts.path == _PATH:  # on whatever host: they are asked for where everything is asked for
            parameters = {name: value for name, value in parse_qsl(parts.query) if name != "fmt"}
            found.append(Track(language, row.text("kind") == "asr", parameters))
    return found


def chosen(tracks: Sequence[Track], wanted: Sequence[str]) -> Track | None:
    """The first wanted language that there is, else the one that is spoken; written by people before automatic."""
    # automatic captions are made of what is heard
    spoken = [track.language for track in tracks if track.automatic]
    ranked = sorted(tracks, key=lambda track: track.automatic)
    for language in (*wanted, *spoken):
        for same in (str.lower, _primary):
            for track in ranked:
                if same(track.language) == same(language):
                    return track
    return ranked[0] if ranked else None


def says_something(document: str) -> bool:
    """Whether there are captions in it."""
    return next(_said(document), None) is not None


def paragraphs(document: str) -> str:
    """The captions' text, a paragraph for about every minute; empty when there is none."""
    found: list[list[str]] = []
    began = -_PARAGRAPH_S
    for start, text in _said(document):
        if start >= began + _PARAGRAPH_S:
            began = start
            found.append([f"[{clock(began)}]"])
        found[-1].append(text)
    return literal("\n\n".join(map(" ".join, found)))


def clock(seconds: float) -> str:
    """`1:02:03` or `2:03`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _said(document: str) -> Iterator[tuple[float, str]]:
    """Seconds and what is said then, empty lines left out."""
    for match in _LINE.finditer(document):
        # escaped twice: as the text of captions, and again as XML
        if text := _plain(html.unescape(match[2])):
            yield float(match[1]), text
    for match in _TIMED.finditer(document):
        if text := _plain(_WORD.sub(lambda tag: " " if "br" in tag[0] else "", match[2])):
            yield float(match[1]) / 1000, text


def _plain(said: str) -> str:
    return " ".join(_STYLE.sub("", html.unescape(said)).split())


def _primary(language: str) -> str:
    return language.lower().partition("-")[0]
