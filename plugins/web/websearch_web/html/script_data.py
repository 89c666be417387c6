"""The text that an application's page carries as data for its scripts, where the page itself shows none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from turbohtml import Document

MAX_CHARS = 4_000_000
"""Of data that is looked through."""
MAX_TEXTS = 2_000
_DATA = (
    "script[type='application/json'], script[type='application/ld+json'], [data-preloaded], [data-page], [data-state]"
)
_ATTRIBUTES = ("data-preloaded", "data-page", "data-state")
_LEAST_WORDS = 12
_TAG = re.compile(r"<(?:p|h[1-6]|ul|ol|div|br|blockquote|pre|table)\b", re.IGNORECASE)
_CODE = re.compile(
    r"[{};]\s{0,40}$|function\s{0,9}\(|=>|^\s{0,40}[.#@][\w-]{1,80}\s{0,9}\{|^https?://\S+$", re.MULTILINE
)


def embedded_html(document: Document) -> str:
    """What reads as prose in the page's data, as HTML in the order of the data; empty when there is none."""
    found: dict[str, None] = {}
    left = MAX_CHARS
    for element in document.select(_DATA):
        source = element.text if element.tag == "script" else next(filter(None, map(element.attr, _ATTRIBUTES)), "")
        left -= len(source)
        if left < 0 or len(found) >= MAX_TEXTS:
            break
        for text in _prose(_loaded(source), 0):
            found[text if _TAG.search(text) else f"<p>{escape(text)}</p>"] = None
    return "\n".join(f"<section>{text}</section>" for text in list(found)[:MAX_TEXTS])


def _loaded(source: str) -> Any:
    try:
        return json.loads(source)
    except (ValueError, RecursionError):
        return None


def _prose(value: Any, depth: int) -> Iterator[str]:
    if depth > 40:
        return
    if isinstance(value, dict):
        for inner in cast("dict[str, Any]", value).values():
            yield from _prose(inner, depth + 1)
    elif isinstance(value, list):
        for inner in cast("list[Any]", value):
            yield from _prose(inner, depth + 1)
    elif isinstance(value, str):
        if value[:1] in {"{", "["} and (inner := _loaded(value)) is not None:
            yield from _prose(inner, depth + 10)
        elif _reads_as_prose(value):
            yield value


def _reads_as_prose(text: str) -> bool:
    if text.count(" ") < _LEAST_WORDS - 1 or (_CODE.search(text) and not _TAG.search(text)):
        return False
    letters = sum(map(str.isalpha, text[:400]))
    return letters > 0.55 * len(text[:400])
