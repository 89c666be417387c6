"""The rules of a book's style sheets that may keep text from being seen."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from .css_declarations import NOTHING, StyleEffect, plain, said

_PLAIN = r"(?:\*|[a-z][a-z0-9]{0,10}|(?=[.#]))(?:[.#]-?[A-Za-z_][\w-]{0,80}){0,4}"
_SIMPLE = re.compile(rf"{_PLAIN}(?: ?[ >] ?{_PLAIN}){{0,3}}")
"""Names, ids and classes, below one another."""
_NAMES = re.compile(r"[.#]([\w-]+)")
_TAGS = re.compile(r"(?<![\w.#-])[a-z]")
_SCREENS = re.compile(r"@(?:media\s+(?:only\s+)?(?:screen|all)|supports\b.*|layer\b.*)", re.IGNORECASE)
"""At-rules whose content counts in every reader; what is for one make of reader does not."""


class Rule(NamedTuple):
    """One selector and what it says."""

    selector: str
    weight: tuple[bool, int, int, int]
    """The stronger is the greater: important, ids, classes, names."""
    said: StyleEffect

    @property
    def names(self) -> list[str]:
        """The ids and classes that it asks for."""
        return _NAMES.findall(self.selector)


@lru_cache(maxsize=16)
def rules(sheet: str) -> tuple[Rule, ...]:
    """Those with plain selectors that say anything about what is seen, in their order."""
    found: list[Rule] = []
    around: list[str] = []
    for chunk in plain(sheet).split("}"):
        before, opened, declarations = chunk.rpartition("{")
        if not opened:
            around = around[:-1]
            continue
        *outer, prelude = before.split("{")
        around += [text.rpartition(";")[2].strip() for text in outer]
        selectors = prelude.rpartition(";")[2]
        if "@" in selectors or not all(map(_SCREENS.fullmatch, around)):
            continue
        simple = [text for one in selectors.split(",") if _SIMPLE.fullmatch(text := one.strip())]
        for important, block in enumerate(said(declarations)):
            if block != NOTHING:
                found += [Rule(selector, _weight(selector, important=bool(important)), block) for selector in simple]
    return tuple(found)


def _weight(selector: str, *, important: bool) -> tuple[bool, int, int, int]:
    return important, selector.count("#"), selector.count("."), len(_TAGS.findall(selector))
