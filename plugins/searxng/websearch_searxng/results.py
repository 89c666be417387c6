"""Reads SearXNG's JSON: its results as hits, and which engines kept silent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from math import isfinite
from typing import Any, cast
from urllib.parse import urlsplit

from pydantic import ValidationError

from websearch_core import Drift, Hit

_MAX_NAMES = 8


def hits(answer: Any, *, images: bool = False) -> list[Hit]:
    """The results that have an address, in SearXNG's order. Raises Drift when the answer has no list of results."""
    return [hit for result in _list(answer, "results") if (hit := _hit(result, images=images)) is not None]


def silent_engines(answer: Any) -> list[str]:
    """The names of the engines that did not answer; their reasons, other people's words, are left out."""
    if not isinstance(answer, Mapping):
        return []
    told = cast("Mapping[str, Any]", answer).get("unresponsive_engines")
    return list(dict.fromkeys(map(_name, cast("list[Any]", told)))) if isinstance(told, list) else []


def silence(engines: Iterable[str]) -> str:
    """The note about engines that did not answer."""
    names = list(dict.fromkeys(engines))
    shown = ", ".join((*names[:_MAX_NAMES], *(("…",) if len(names) > _MAX_NAMES else ())))
    return f"SearXNG: {len(names)} engine{'s' if len(names) > 1 else ''} did not answer ({shown})"


def _list(answer: Any, key: str) -> list[Mapping[str, Any]]:
    if not isinstance(answer, Mapping):
        raise Drift("body")
    values = cast("Mapping[str, Any]", answer).get(key)
    if not isinstance(values, list):
        raise Drift(key)
    return [cast("Mapping[str, Any]", value) for value in cast("list[Any]", values) if isinstance(value, Mapping)]


def _hit(result: Mapping[str, Any], *, images: bool) -> Hit | None:
    url = _address(result.get("url"))
    image = _address(result.get("img_src")) if images else ""
    if not url or (images and not image):
        return None
    snippet = _text(result.get("content"))
    try:
        return Hit(
            url=url,
            title=_text(result.get("title")) or ("" if snippet else url),
            snippet=snippet,
            author=_text(result.get("author")),
            published=_moment(result.get("publishedDate")) or _moment(result.get("pubdate")),
            score=_score(result.get("score")),
            image=image,
        )
    except ValidationError:  # an address beyond all measure
        return None


def _address(value: Any) -> str:
    """An http(s) address, else empty: SearXNG knows magnet links, data: pictures and results without an address."""
    text = value.strip() if isinstance(value, str) else ""
    text = f"https:{text}" if text.startswith("//") else text
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return ""
    return text if known and not any(character.isspace() for character in text) else ""


def _score(value: Any) -> float | None:
    return value if isinstance(value, float) and isfinite(value) else None


def _moment(value: Any) -> datetime | None:
    try:
        moment = datetime.fromisoformat(_text(value))
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def _name(entry: Any) -> str:
    """An engine's name: `[name, reason]` today, a bare name once. What does not look like a name is not repeated."""
    name: Any = next(iter(cast("list[Any]", entry)), None) if isinstance(entry, list) else entry
    return name if isinstance(name, str) and re.fullmatch(r"[\w .+-]{1,40}", name) else "unnamed"


def _text(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
