"""Which elements the page's own `<style>` elements hide."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from turbohtml import Document, Element

MAX_CHARS = 500_000
MAX_RULES = 200
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_PLAIN = r"(?:[a-z][a-z0-9]{0,10})?(?:[.#][A-Za-z_][\w-]{0,80}){0,3}(?:\[[a-z-]{1,40}(?:=[\"']?[\w-]{1,80}[\"']?)?\])?"
_SIMPLE = re.compile(rf"^{_PLAIN}(?: ?[ >] ?{_PLAIN}){{0,3}}$")
"""Names, ids, classes and attributes, below one another, with single blanks: more could be parted in many ways."""
_STATE = re.compile(r"\bjs\b|no-?js|loading|:")
"""What scripts take away, or a reader's doing brings."""
_SCREENS = re.compile(r"@(?:media\s+(?:screen|all)|layer\b[^;]*|supports\b.*)$")
"""At-rules whose content counts on an ordinary screen."""
COLOURED_CHARS = 30_000
"""Of style sheets in which colours are looked at: larger ones are a program's, and colour thousands of elements."""
_FAR = re.compile(r"-\d{3}|-\d\d(?:em|rem|vw|vh|%|ex|ch)")
_TINY = re.compile(r"font-size:\s*(?:0|\.|1(?:px|pt|\.))")


def may_hide(text: str) -> bool:
    """Whether declarations, in lower case, hold a word of those that hide; most hold none, and need no reading."""
    return (
        ("display" in text and "none" in text)
        or "visibility" in text
        or "opacity" in text
        or "clip" in text
        or ("overflow" in text and ("height" in text or "width" in text))
        or "transparent" in text
        or "scale" in text
        or "mso" in text
        or ("color:" in text and "background" in text)
        or _FAR.search(text) is not None
        or _TINY.search(text) is not None
    )


def sheets_of(document: Document) -> str:
    """The text of the page's `<style>` elements, without comments."""
    return _COMMENT.sub("", "\n".join(style.text for style in document.select("style"))[:MAX_CHARS])


def hidden_by_rules(document: Document, sheets: str, hides: Callable[[str], bool]) -> list[Element]:
    """Elements that a rule with a plain selector keeps unseen on an ordinary screen; `hides` judges the declarations.

    Selectors that depend on a state are not read, nor are linked style sheets.
    """
    found: list[Element] = []
    for number, (selector, _) in enumerate(_rules(sheets, lambda text: may_hide(text) and hides(text))):
        if number >= MAX_RULES:
            break
        found += document.select(selector)
    body = document.select_one("body")
    most = len(body.text) / 2 if body is not None else 0
    # A page that hides its main part waits for a script to show it.
    return [element for element in found if len(element.text) < most and not element.select_one("main, h1, article")]


def coloured_by_rules(document: Document, sheets: str) -> Iterator[tuple[Element, str]]:
    """Elements with the declarations of rules that give them a colour or a ground."""
    if len(sheets) > COLOURED_CHARS or "color" not in sheets:
        return
    for number, (selector, declarations) in enumerate(
        _rules(sheets, lambda text: "color" in text or "background" in text)
    ):
        if number >= MAX_RULES:
            return
        for element in document.select(selector):
            yield element, declarations


def _rules(sheets: str, wanted: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """Plain selectors, one by one, with their declarations in lower case, where these are wanted."""
    lower = sheets.lower()
    around: list[str] = []
    for chunk, lowered in zip(sheets.split("}"), lower.split("}"), strict=True):
        _, opened, declarations = lowered.rpartition("{")
        if not opened:
            if around:
                around.pop()
            continue
        *outer, prelude, _ = chunk.split("{")
        around += [text.rpartition(";")[2].strip() for text in outer]
        if wanted(declarations) and "@" not in prelude and all(_SCREENS.match(text) for text in around):
            for part in prelude.rpartition(";")[2].split(","):
                if (selector := " ".join(part.split())) and _SIMPLE.match(selector) and not _STATE.search(selector):
                    yield selector, declarations
