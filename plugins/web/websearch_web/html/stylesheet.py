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
_BLOCK = re.compile(r"([^{}]*)([{}])")
_SIMPLE = re.compile(
    r"^(?:[a-z][a-z0-9]{0,10})?(?:[.#][A-Za-z_][\w-]{0,80}){1,3}$|^\[[a-z-]{1,40}(?:=[\"']?[\w-]{1,80}[\"']?)?\]$"
)

_FAR = re.compile(r"-\d\d")


def may_hide(text: str) -> bool:
    """Whether declarations, in lower case, hold a word of those that hide; most hold none, and need no reading."""
    return (
        "none" in text
        or "hidden" in text
        or "opacity" in text
        or "font-size" in text
        or "clip" in text
        or "transparent" in text
        or "collapse" in text
        or "scale" in text
        or "indent" in text
        or "mso" in text
        or ("color:" in text and "background" in text)
        or _FAR.search(text) is not None
    )


def hidden_by_rules(document: Document, hides: Callable[[str], bool]) -> list[Element]:
    """Elements that a rule with a plain class, id or attribute selector, outside of any at-rule, keeps unseen.

    `hides` judges the declarations. Selectors that depend on a place, a state or the screen are not read, nor are
    linked style sheets.
    """
    sheets = "\n".join(style.text for style in document.select("style"))[:MAX_CHARS]
    found: list[Element] = []
    for number, selector in enumerate(_selectors(_COMMENT.sub("", sheets), hides)):
        if number >= MAX_RULES:
            break
        found += document.select(selector)
    body = document.select_one("body")
    most = len(body.text) / 2 if body is not None else 0
    # A page that hides its main part waits for a script to show it.
    return [element for element in found if len(element.text) < most and not element.select_one("main, h1, article")]


def _selectors(sheet: str, hides: Callable[[str], bool]) -> Iterator[str]:
    prelude, depth, skipping = "", 0, False
    for match in _BLOCK.finditer(sheet):
        text, brace = match[1], match[2]
        if brace == "{":
            if depth == 0:
                prelude = text.rpartition(";")[2].strip()
                skipping = prelude.startswith("@")
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0 and not skipping and may_hide(text.lower()) and hides(text):
                yield from (part for part in map(str.strip, prelude.split(",")) if _SIMPLE.match(part))
