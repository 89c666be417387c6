"""Recorded answers with something wrong in them, and error bodies that nobody documents: what the fuzzer sends."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, nan
from typing import Any

from websearch_core.testing.site import Response

from .hypothesis_runs import Dice
from .probes import paths

_WRITTEN_OUT = {
    "<empty list>": "[]",
    "<empty object>": "{}",
    "<list of null>": "[null]",
    "<list of lists>": "[[]]",
    "<list of all>": '["text", 5, {"text": 5}, {}, null]',
    "<object>": '{"": null, "text": ["text"], "total": {}}',
    "<deep>": "[" * 3000 + "]" * 3000,
    "<long>": f'"{"a" * 70_000}"',
    "<many>": f"[{'{},' * 3000}{{}}]",
    "<400 digits>": "9" * 400,
}
"""What stands for them in an example, which must be readable, and what they are in the body."""
_TEXTS = ("", " ", "\x00", "half a fox: \ud83e", "<b>bold</b> &#x110000; &amp;amp;", "-1", "NaN", "1e999", "<long>")
_ADDRESSES = ("javascript:alert(1)", "//", "http://[::1", "https://a b/", "https://h:0/", "https://" + "a" * 9000, "/x")
_DATES = ("9999-99-99", "0001-01-01T00:00:00+23:59", "31 Feb 2026", "Mon, 99 Foo 2026 00:00:00 +9999", "2026-13", "5")
_NUMBERS = (0, -1, 1e308, -1e-308, nan, inf, 253_402_300_800, "<400 digits>", "1" * 400, True)
_VALUES = (None, False, *_TEXTS, *_ADDRESSES, *_DATES, *_NUMBERS, *_WRITTEN_OUT)
_JUNK = (
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b'"', b"\\", b"{", b"]", b"<", b"&#xD800;", b"&#99999999;", b"<!--"),
    *(b"</div>", b"</table>", b"<script>", b"<a href=", b"<b>" * 300, b"[" * 2000, "\u2028\U0001d56c".encode()),
)
_NO_HEADERS: dict[str, str] = {}
_HEADERS = (
    *(_NO_HEADERS for _ in range(20)),
    {"content-type": ""},
    {"content-type": "text/html; charset=utf-16"},
    {"content-type": "application/json; charset=nonsense"},
    {"content-encoding": "gzip"},
)
_RETYPES = (
    *("kept", "kept", "kept", "likewise", "likewise", "likewise", "likewise", "replaced", "replaced", "removed"),
    *("wrapped", "as text", "twice"),
)
_SPOILS = ("cut off", "lost", "doubled", "flipped", "junk", "junk", "utf-16", "latin-1", "shift-jis")
_KEYS = (
    *("error", "errors", "message", "detail", "details", "code", "type", "tag", "status", "statusCode", "reason"),
    *("meta", "window", "retry_after", "retry_after_seconds", "requestId", "results"),
)
_SAID = (*_VALUES, "RATE_LIMITED", "Not enough credits", "quota", 429, 3600, 1.5)
_SCALE = 10_000
"""Places are so many parts of the whole: a mutation is made before there is a body to be mutated."""


@dataclass(frozen=True)
class Retyped:
    """Of a body's values or markup one piece is removed, wrapped, doubled, or another one stands in its place."""

    where: int
    how: str
    value: Any = None

    def of_markup(self, pieces: list[str]) -> list[str]:
        """Tags, texts and the values of attributes, changed."""
        if not pieces:
            return [str(self.value)]
        at = self.where % len(pieces)
        piece = pieces[at]
        known = {"kept": [piece], "removed": [], "twice": [piece, piece], "wrapped": ["<td>", piece, "</td>"]}
        return [*pieces[:at], *known.get(self.how, [str(self.value)]), *pieces[at + 1 :]]

    def of_json(self, whole: Any) -> Any:
        """Changed in place, more often at the ends of the tree than near its root; or another whole."""
        places = [(_within(whole, way), last) for *way, last in paths(whole, firsts=3)]
        if not places:
            return self.value
        ends = [(holder, last) for holder, last in places if not isinstance(holder[last], (dict, list))]
        often = (*places, *ends, *ends)
        holder, last = often[self.where % len(often)]
        old = holder[last]
        match self.how:
            case "kept":
                pass
            case "removed":
                del holder[last]
            case "wrapped":
                holder[last] = [old]
            case "as text":
                holder[last] = json.dumps(old)
            case "twice" if isinstance(old, list):
                holder[last] = [*old, *old]  # pyright: ignore[reportUnknownVariableType]
            case "likewise":
                alike = _like(old)
                holder[last] = alike[self.where % len(alike)]
            case _:
                holder[last] = self.value
        return whole


def _within(whole: Any, way: Sequence[Any]) -> Any:
    for step in way:
        whole = whole[step]
    return whole


def _like(value: Any) -> tuple[Any, ...]:
    """What may be taken for the same kind of value, and is odd."""
    match value:
        case str() if value.startswith("http"):
            return _ADDRESSES
        case str() if value[:4].isdecimal():
            return _DATES
        case str():
            return _TEXTS
        case int() | float():
            return _NUMBERS
        case _:
            return _VALUES


@dataclass(frozen=True)
class Spoilt:
    """A body's bytes, with a piece cut off, lost, doubled, flipped, in another charset, or with junk in between."""

    where: int
    how: str
    size: int = 1
    junk: bytes = b""

    def of(self, body: bytes) -> bytes:
        """The new body."""
        start = len(body) * self.where // _SCALE
        head, piece, tail = body[:start], body[start : start + self.size], body[start + self.size :]
        match self.how:
            case "cut off":
                return head
            case "lost":
                return head + tail
            case "doubled":
                return head + piece + piece + tail
            case "flipped":
                return head + bytes(byte ^ 0x55 for byte in piece) + tail
            case "junk":
                return head + self.junk + piece + tail
            case charset:
                return body.decode("utf-8", "replace").encode(charset, "replace")


@dataclass(frozen=True)
class Mutation:
    """What is wrong with an answer."""

    retyped: tuple[Retyped, ...] = ()
    spoilt: tuple[Spoilt, ...] = ()
    headers: dict[str, str] = field(default_factory=dict[str, str])

    def of(self, good: Response) -> Response:
        """The good answer, spoilt."""
        try:
            whole = json.loads(good.body)
        except ValueError:
            body = self._markup(good.body.decode("utf-8", "replace")).encode("utf-8", "replace")
        else:
            for change in self.retyped:
                whole = change.of_json(whole)
            body = written(whole).encode()
        for change in self.spoilt:
            body = change.of(body)
        return Response(good.status, body, {**good.headers, **self.headers})

    def _markup(self, page: str) -> str:
        pieces = re.split('([<>"])', page)
        for change in self.retyped:
            pieces = change.of_markup(pieces)
        return "".join(pieces)


def mutation(dice: Dice) -> Mutation:
    """What a recorded answer is put through."""
    torn = dice.one_of((0, 0, 0, 0, 1, 2))
    return Mutation(
        tuple(Retyped(dice.below(_SCALE), dice.one_of(_RETYPES), dice.one_of(_VALUES)) for _ in range(6)),
        tuple(
            Spoilt(dice.below(_SCALE), dice.one_of(_SPOILS), dice.below(2000), dice.one_of(_JUNK)) for _ in range(torn)
        ),
        dice.one_of(_HEADERS),
    )


def error_body(dice: Dice, depth: int = 3) -> Any:
    """What may stand in the body of an error; `written` makes JSON of it."""
    if depth == 0 or dice.below(4) == 0:
        return dice.one_of(_SAID)
    if dice.below(8) == 7:
        return [error_body(dice, depth - 1)]
    return {dice.one_of(_KEYS): error_body(dice, depth - 1) for _ in range(dice.below(4))}


def written(value: Any) -> str:
    """As JSON, with everything written out."""
    text = json.dumps(value)
    for name, whole in _WRITTEN_OUT.items():
        text = text.replace(json.dumps(name), whole)
    return text
