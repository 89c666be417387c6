"""Reading an engine's JSON: what is missing or of another type is empty, what must be there is drift."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from pydantic import ValidationError

from ..contract.errors import UnexpectedResponse
from ..contract.models import Hit
from .dates import moment

if TYPE_CHECKING:
    from ..contract.engine_response import EngineResponse

_MARKUP = re.compile(r"</?(?:b|strong|em|i|u|mark|span|br|wbr|p|sup|sub)(?:\s[^<>]{0,200})?/?>", re.IGNORECASE)

MOST_ITEMS = 500
"""The most items of a list that are read: engines send fewer, and a longer list may be meant to keep us busy."""


class Row:
    """One object of an engine's answer. Its methods take a key, or several that lead inwards, and never raise.

    Texts come without surrounding space; a field that is missing, null or of another type is empty.
    """

    __slots__ = ("_fields",)

    def __init__(self, value: object = None) -> None:
        self._fields: Mapping[str, Any] = cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}

    @classmethod
    def of(cls, response: EngineResponse) -> Row:
        """The whole body. Raises `UnexpectedResponse("body")` when it is no JSON object."""
        body = response.json()
        if not isinstance(body, Mapping):
            raise UnexpectedResponse("body")
        return cls(cast("object", body))

    @classmethod
    def of_error(cls, response: EngineResponse) -> Row:
        """The body of an error, for `explain`: empty when it is no JSON object."""
        try:
            return cls.of(response)
        except UnexpectedResponse:
            return cls()

    def __bool__(self) -> bool:
        return bool(self._fields)

    def __contains__(self, key: str) -> bool:
        return key in self._fields

    def value(self, *path: str) -> Any:
        """Whatever is there; None when there is nothing."""
        inner: Any = self._fields
        for key in path:
            inner = cast("Mapping[str, Any]", inner).get(key) if isinstance(inner, Mapping) else None
        return inner

    def row(self, *path: str) -> Row:
        """The object there."""
        return Row(self.value(*path))

    def rows(self, *path: str) -> list[Row]:
        """The objects of the list there, of its first `MOST_ITEMS`; whatever else the list holds is left out."""
        return [Row(cast("object", item)) for item in self._items(*path) if isinstance(item, Mapping)]

    def required_rows(self, *path: str) -> list[Row]:
        """`rows`, of a list that must be there. Raises `UnexpectedResponse` that names it."""
        found = self.value(*path)
        rows = self.rows(*path)
        if not isinstance(found, list) or (found and not rows):
            raise UnexpectedResponse(".".join(path))
        return rows

    def text(self, *path: str) -> str:
        """Text on one line."""
        return " ".join(self.block(*path).split())

    def block(self, *path: str) -> str:
        """Text with its lines."""
        value = self.value(*path)
        return value.strip() if isinstance(value, str) else ""

    def plain(self, *path: str) -> str:
        """Text on one line, without the tags and entities that engines put into titles and snippets."""
        import html  # late: its table is long

        return " ".join(html.unescape(_MARKUP.sub("", self.block(*path))).split())

    def texts(self, *path: str) -> list[str]:
        """The texts of the list there, empty ones left out."""
        return [text for item in self._items(*path) if isinstance(item, str) and (text := item.strip())]

    def address(self, *path: str) -> str:
        """An absolute http or https address; `//host/…` is read as https."""
        return web_address(self.value(*path))

    def number(self, *path: str) -> float | None:
        """A finite number, also one that is written as text."""
        value = self.value(*path)
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            return None
        try:
            number = float(value)
        except (ValueError, OverflowError):
            return None
        return number if isfinite(number) else None

    def moment(self, *path: str) -> datetime | None:
        """A day or time, as engines write it; see `dates.moment`."""
        return moment(self.value(*path))

    def dated(self, *path: str) -> dict[str, Any]:
        """A hit's `published`, or its `age_text` where the text is no moment by itself (`3 days ago`); or neither."""
        if (published := self.moment(*path)) is not None:
            return {"published": published}
        age = self.text(*path)
        return {"age_text": age} if age else {}

    def _items(self, *path: str) -> Iterator[Any]:
        value = self.value(*path)
        return islice(cast("list[Any]", value) if isinstance(value, list) else (), MOST_ITEMS)


def hit_of(*, url: str, title: str = "", snippet: str = "", **fields: Any) -> Hit | None:
    """A hit of what an engine gave; None when there is no address, or one beyond all measure.

    A hit without any text gets its address as its title.
    """
    if not url:
        return None
    try:
        return Hit(url=url, title=title or ("" if snippet or fields.get("body") else url), snippet=snippet, **fields)
    except ValidationError:
        return None


def require_hits(found: Iterable[Hit | None], field: str) -> tuple[Hit, ...]:
    """The hits among what an engine's rows gave. Raises `UnexpectedResponse` that names `field` when rows gave no hit.

    An engine that renames a field has not found nothing. `field` is where a row's address is: `results.url`.
    """
    gave = tuple(found)
    hits = tuple(hit for hit in gave if hit is not None)
    if gave and not hits:
        raise UnexpectedResponse(field)
    return hits


def web_address(value: object) -> str:
    """The value, if it is an absolute http or https address, else empty; `//host/…` is read as https."""
    text = value.strip() if isinstance(value, str) else ""
    text = f"https:{text}" if text.startswith("//") else text
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return ""
    return text if known and not any(character.isspace() for character in text) else ""
