"""Reads Exa's results: hits, pages' texts, and what the call cost."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from math import isfinite
from typing import Any, cast
from urllib.parse import urlsplit

from pydantic import ValidationError

from websearch_core import Drift, Hit


def rows(answer: Mapping[str, Any], key: str = "results") -> list[Mapping[str, Any]]:
    """The objects in a list of the answer. Raises Drift when there is no list."""
    values = answer.get(key)
    if not isinstance(values, list):
        raise Drift(key)
    return [cast("Mapping[str, Any]", value) for value in cast("list[Any]", values) if isinstance(value, Mapping)]


def hit(row: Mapping[str, Any], *, whole_text: bool) -> Hit | None:
    """One result; None when it has no address. `whole_text`: its text was asked for, not its highlights."""
    url = address(row, "url")
    text = text_of(row, "text")
    snippet = "" if whole_text else highlights(row) or text or text_of(row, "summary")
    if not url:
        return None
    try:
        return Hit(
            url=url,
            title=" ".join(text_of(row, "title").split()) or ("" if snippet or text else url),
            author=text_of(row, "author"),
            published=published(row),
            snippet=snippet,
            body=text if whole_text else "",
            score=_number(row.get("score")),
            favicon=address(row, "favicon"),
        )
    except ValidationError:  # an address beyond all measure
        return None


def highlights(row: Mapping[str, Any]) -> str:
    """The highlights, a blank line between them. Seen: a list of strings, a list of objects with `text`, a string."""
    value = row.get("highlights")
    values = cast("list[Any]", value) if isinstance(value, list) else [value]
    texts = (cast("Mapping[str, Any]", one).get("text") if isinstance(one, Mapping) else one for one in values)
    return "\n\n".join(text.strip() for text in texts if isinstance(text, str) and text.strip())


def published(row: Mapping[str, Any]) -> datetime | None:
    """When the page was published, as Exa estimates: a day or a moment."""
    try:
        moment = datetime.fromisoformat(text_of(row, "publishedDate"))
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def address(row: Mapping[str, Any], key: str) -> str:
    """An http or https address; empty when the field holds none."""
    text = text_of(row, key)
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return ""
    return text if known and not any(character.isspace() for character in text) else ""


def text_of(row: Mapping[str, Any], key: str) -> str:
    """A text field; empty when it is missing, null or of another type."""
    value = row.get(key)
    return value.strip() if isinstance(value, str) else ""


def dollars(answer: Mapping[str, Any]) -> float | None:
    """What the call cost in US dollars; None when Exa did not say it in a form that we know."""
    cost: Any = answer.get("costDollars")
    if isinstance(cost, Mapping):
        cost = cast("Mapping[str, Any]", cost).get("total")
    amount = _number(cost)
    return amount if amount is not None and amount >= 0 else None


def _number(value: Any) -> float | None:
    try:
        number = float(value) if isinstance(value, int | float | str) else None
    except (ValueError, OverflowError):
        return None
    return number if number is not None and isfinite(number) else None
