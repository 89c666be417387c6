"""The `json` extractor: small documents whole, large ones as their shape and a sample."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from websearch_core import Download, Extractor, Page

from ..kit.code_fences import fenced

if TYPE_CHECKING:
    from websearch_core.kit import Workers

WHOLE_BYTES = 200_000
"""Up to here a document is given whole."""
_LINES = frozenset({"application/x-ndjson", "application/ndjson", "application/jsonl", "application/json-seq"})
_DEEP = 12
_SHAPE_DEPTH = 4
_SHAPE_KEYS = 30
_SAMPLE_ITEMS = 3
_SAMPLE_CHARS = 300
_LINE_CHARS = 80
"""So long a list or object stays in its line."""
_READABLE_CHARS = 1000
"""Of the longest line of a document that is shown as it is laid out."""
_MOSTLY = 4
"""So many times what it says may a document be long that is shown as it is laid out."""
_HALF_A_PAIR = re.compile("[\ud800-\udfff]")
"""No text: it stays escaped."""


class JsonExtractor(Extractor):
    """JSON, JSON lines and the `+json` types, as a fenced block of Markdown."""

    name: str = "json"
    media_types: frozenset[str] = (
        frozenset(
            {"application/json", "text/json", "application/ld+json", "application/geo+json", "application/problem+json"}
            | {"application/vnd.api+json", "application/feed+json", "application/manifest+json", "application/hal+json"}
            | {"application/schema+json", "application/activity+json", "application/json5"}
        )
        | _LINES
    )

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def extract(self, download: Download) -> Page:
        """What does not parse (a cut document too) is given as text."""
        from ..kit.extraction import read_by

        return await read_by(read_json, download, self._workers)


def read_json(download: Download) -> Page:
    """A page that shows the document. Raises `Unsupported` when the bytes are no text."""
    from ..kit.extraction import page_of, text_of
    from ..kit.invisible_characters import visible

    text, spelt = visible(text_of(download))
    return page_of(download, visible(describe(text, download.media_type in _LINES))[0], hidden=spelt)


class _Literal(str):
    """A number as it is written (no digit is lost), or a line that is no JSON."""

    __slots__ = ()


def describe(text: str, lines: bool) -> str:
    """Markdown that shows the document: all of it, or its shape and a sample."""
    if not text.strip():
        return ""
    whole = len(text) <= WHOLE_BYTES
    try:
        value = _lines_of(text, whole=whole) if lines else _parsed(text, whole=whole)
        if whole:
            return fenced(text.strip() if _is_laid_out(text) else _pretty(value, text, lines=lines), "json")
        sample = _written(_sample(value), "\n")
    except (ValueError, RecursionError):
        return _as_text(text)
    shape = "\n".join(_shape(value, "", 0))
    size = f"JSON, {len(text):,} characters: too long to be shown whole."
    return f"{size}\n\n## Structure\n\n{shape}\n\n## Sample\n\n{fenced(sample, 'json')}"


def _parsed(text: str, *, whole: bool) -> Any:
    """The value; an object is a tuple of pairs, for a key may stand twice. Whole numbers cost memory as literals."""
    exact: Any = _Literal if whole else None
    return json.loads(text, object_pairs_hook=tuple, parse_float=_Literal, parse_constant=_Literal, parse_int=exact)


def _lines_of(text: str, *, whole: bool) -> list[Any]:
    """Every line's value; of a document that was cut, the last may be a piece."""
    values: list[Any] = []
    for line in text.strip().split("\n"):
        if line.strip():
            try:
                values.append(_parsed(line.strip("\x1e"), whole=whole))
            except ValueError:
                values.append(_Literal(line.strip()) if whole else line[:_SAMPLE_CHARS])
    return values


def _written(value: Any, margin: str) -> str:
    """The value as JSON. `margin` begins each line: a line break and the indentation; empty: all in one line."""
    if isinstance(value, _Literal):
        return value
    if isinstance(value, tuple):
        pairs = cast("tuple[tuple[str, Any], ...]", value)
        inner = margin and f"{margin}  "
        return _between("{}", [f"{_written(key, '')}: {_written(item, inner)}" for key, item in pairs], margin)
    if isinstance(value, list):
        inner = margin and f"{margin}  "
        return _between("[]", [_written(item, inner) for item in cast("list[Any]", value)], margin)
    written = json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if _HALF_A_PAIR.search(written) else written


def _between(brackets: str, items: Sequence[str], margin: str) -> str:
    in_line = f"{brackets[0]}{', '.join(items)}{brackets[1]}"
    if not items or not margin or (len(in_line) <= _LINE_CHARS and "\n" not in in_line):
        return in_line
    return f"{brackets[0]}{margin}  {f',{margin}  '.join(items)}{margin}{brackets[1]}"


def _is_laid_out(text: str) -> bool:
    """Whether it can be read as it stands: in lines, mostly words, each character so that filters see it."""
    text = text.strip()
    if "\n" not in text or "\\u" in text or "\\/" in text or len(text) > _MOSTLY * sum(map(len, text.split())):
        return False
    return all(len(line) <= _READABLE_CHARS for line in text.split("\n"))


def _as_text(text: str) -> str:
    """What does not parse, as it stands; what is left out is counted."""
    more = len(text) - 2 * WHOLE_BYTES
    shown = fenced(text[: 2 * WHOLE_BYTES].strip(), "json")
    return f"{shown}\n\n… {more:,} more characters of JSON that cannot be read" if more > 0 else shown


def _pretty(value: Any, text: str, *, lines: bool) -> str:
    if lines:
        return "\n".join(_written(item, "") for item in value)
    # Indentation of a deep document would be longer than the document.
    return text.strip() if _depth(value) > _DEEP else _written(value, "\n")


def _depth(value: Any) -> int:
    level, depth = [value], 0
    while level and depth <= _DEEP:
        inner: list[Any] = []
        for item in level:
            inner.extend(_children(item))
        level, depth = inner, depth + 1
    return depth


def _children(value: Any) -> Sequence[Any]:
    if isinstance(value, tuple):
        return [item for _, item in cast("tuple[tuple[str, Any], ...]", value)]
    return cast("list[Any]", value) if isinstance(value, list) else ()


def _shape(value: Any, name: str, depth: int) -> list[str]:
    """One bullet for each key: its type, and how many items a list has."""
    indent = "  " * depth
    label = f"`{name}`: " if name else ""
    if isinstance(value, tuple):
        table = cast("tuple[tuple[str, Any], ...]", value)
        found = [f"{indent}- {label}object with {len(table)} keys"]
        if depth < _SHAPE_DEPTH:
            for key, item in table[:_SHAPE_KEYS]:
                found += _shape(item, key.replace("`", "'")[:80], depth + 1)
            if len(table) > _SHAPE_KEYS:
                found.append(f"{indent}  - … {len(table) - _SHAPE_KEYS} more")
        return found
    if isinstance(value, list):
        items = cast("list[Any]", value)
        found = [f"{indent}- {label}list of {len(items)}"]
        return found + (_shape(items[0], "", depth + 1) if items and depth < _SHAPE_DEPTH else [])
    return [f"{indent}- {label}{_kind(value)}"]


def _kind(value: object) -> str:
    if isinstance(value, str) and not isinstance(value, _Literal):
        return "text"
    if isinstance(value, bool):
        return "true or false"
    return "null" if value is None else "number"


def _sample(value: Any, depth: int = 0) -> Any:
    if isinstance(value, tuple):
        table = cast("tuple[tuple[str, Any], ...]", value)
        if depth >= _SHAPE_DEPTH:
            return (("…", f"{len(table)} keys"),)
        return tuple((key[:80], _sample(item, depth + 1)) for key, item in table[:_SHAPE_KEYS])
    if isinstance(value, list):
        items = cast("list[Any]", value)
        shown = [_sample(item, depth + 1) for item in items[:_SAMPLE_ITEMS]] if depth < _SHAPE_DEPTH else []
        return [*shown, f"… {len(items) - len(shown)} more"] if len(items) > len(shown) else shown
    return value[:_SAMPLE_CHARS] + "…" if isinstance(value, str) and len(value) > _SAMPLE_CHARS else value
