"""What a book's style sheets and `style` attributes keep from being seen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from turbohtml import Document, Element

MAX_CHARS = 300_000
"""Of one style sheet."""
_ASKED_MOST = 40_000_000
"""Of elements and their classes, each once for every rule whose names the document has."""
_DECLARED_MOST = 500_000
"""Of elements, each once for every rule that is about it."""
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_UNSEEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?%?\s*(?:[;!]|$)"
    r"|font-size\s*:\s*[01](?:\.\d+)?(?:px|pt)?\s*(?:[;!]|$)"
    r"|(?<!-)(?:left|right|top|bottom|text-indent)\s*:\s*-(?:\d{3}|\d{2}r?em)|margin-(?:left|top)\s*:\s*-\d{4}"
    r"|translate[XY]?\(\s*-\d{3}"
    r"|clip\s*:\s*rect\((?:\s*[01](?:px)?\s*,?){4}\)|clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)",
    re.IGNORECASE,
)
_FLAT = re.compile(
    r"(?<![\w-])(?:max-)?(?:height|width)\s*:\s*(?:0(?:\.0+)?[a-z%]{0,4}|1px)\s*(?:[;!]|$)", re.IGNORECASE
)
_CLIPPED = re.compile(r"overflow(?:-[xy])?\s*:\s*(?:hidden|clip)", re.IGNORECASE)
_WHITE = re.compile(r"(?<!-)color\s*:\s*(?:white|#fff(?:fff)?|transparent)\s*(?:[;!]|$)", re.IGNORECASE)
_COLOURED = re.compile(r"(?<!-)color\s*:", re.IGNORECASE)
_GROUND = re.compile(r"background(?:-color|-image)?\s*:\s*+(?!white|#fff|transparent|none|inherit)", re.IGNORECASE)
_PLAIN = r"(?:[a-z][a-z0-9]{0,10}|(?=[.#]))(?:[.#][A-Za-z_][\w-]{0,80}){0,3}"
_SIMPLE = re.compile(rf"{_PLAIN}(?: ?[ >] ?{_PLAIN}){{0,3}}")
"""Names, ids and classes, below one another."""
_NAMES = re.compile(r"[.#]([\w-]+)")
_SCREENS = re.compile(r"@(?:media\s+(?:screen|all)|supports\b.*)")
"""At-rules whose content counts in every reader; what is for one make of reader does not."""


class TooManyRules(Exception):  # noqa: N818 - a limit, not an error of the program
    """More than can be followed in time, so that nobody knows what is shown."""


class _Said(NamedTuple):
    """What declarations mean for the text of an element."""

    unseen: bool
    coloured: bool
    white: bool
    ground: bool


class _Rule(NamedTuple):
    selector: str
    said: _Said


def unseen(document: Document, sheets: list[str]) -> list[Element]:
    """Elements that are hidden, out of sight, or white where nothing below them has a ground.

    `sheets`: texts of style sheets; rules with plain selectors count. Raises `TooManyRules`.
    """
    found: list[Element] = []
    white: dict[Element, bool] = {}
    grounds: set[Element] = set()
    for element, said in _declared(document, sheets):
        if said.unseen:
            found.append(element)
        if said.coloured:
            white[element] = said.white
        if said.ground:
            grounds.add(element)
    found += [
        element
        for element, is_white in white.items()
        if is_white and element not in grounds and not any(around in grounds for around in element.ancestors)
    ]
    return found


def _declared(document: Document, sheets: list[str]) -> Iterator[tuple[Element, _Said]]:
    """What is said of which element: the sheets first, since an attribute is the last word."""
    if any(len(sheet) > MAX_CHARS for sheet in sheets):
        raise TooManyRules
    named = [_named(element) for element in document.select("[class], [id]")]
    names = {name for some in named for name in some}
    last = reversed(dict.fromkeys(reversed([rule for sheet in sheets for rule in _rules(sheet)])))
    rules = [rule for rule in last if names.issuperset(_NAMES.findall(rule.selector))]
    if rules and len(rules) * (len(document.select("*")) + sum(map(len, named))) > _ASKED_MOST:
        raise TooManyRules
    left = _DECLARED_MOST
    for rule in rules:
        elements = document.select(rule.selector)
        left -= len(elements)
        if left < 0:
            raise TooManyRules
        for element in elements:
            yield element, rule.said
    for element in document.select("[style]"):
        yield element, _said(_plain(element.attr("style") or ""))


def _named(element: Element) -> list[str]:
    return [*(element.attr("class") or "").split(), element.attr("id") or ""]


def _plain(style: str) -> str:
    """Without comments and with single blanks: the patterns here are quick on nothing else."""
    return " ".join(_COMMENT.sub("", style).split())


@lru_cache(maxsize=1000)
def _said(style: str) -> _Said:
    """Of plain declarations."""
    return _Said(
        unseen=bool(_UNSEEN_STYLE.search(style) or (_FLAT.search(style) and _CLIPPED.search(style))),
        coloured=bool(_COLOURED.search(style)),
        white=bool(_WHITE.search(style)),
        ground=bool(_GROUND.search(style)),
    )


@lru_cache(maxsize=16)
def _rules(sheet: str) -> tuple[_Rule, ...]:
    """Those with plain selectors that hide, whiten or give a ground."""
    found: list[_Rule] = []
    around: list[str] = []
    for chunk in _plain(sheet).split("}"):
        before, opened, declarations = chunk.rpartition("{")
        if not opened:
            around = around[:-1]
            continue
        *outer, prelude = before.split("{")
        around += [text.rpartition(";")[2].strip() for text in outer]
        selectors = prelude.rpartition(";")[2]
        said = _said(declarations)
        if any(said) and "@" not in selectors and all(map(_SCREENS.fullmatch, around)):
            plain = [text.strip() for text in selectors.split(",") if text.strip() and _SIMPLE.fullmatch(text.strip())]
            found += [_Rule(selector, said) for selector in plain]
    return tuple(found)
