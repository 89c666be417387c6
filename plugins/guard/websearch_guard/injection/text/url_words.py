"""What the address of a link says in words: a model reads it, a person hardly ever."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

from websearch_guard.deobfuscation import View
from websearch_guard.deobfuscation.text_view import blob

LINKED = "link"
FEWEST_WORDS = 5
"""An address of fewer words gives no order."""
_ADDRESS = re.compile(r"//[^\s()<>\[\]\"'`|\\]{1,255}?([/?#][^\s()<>\[\]\"'`|\\]{20,4000})")
_RELATIVE = re.compile(r"\]\(([/?#.][^\s()<>\[\]]{20,4000})")
_APART = re.compile(r"[-+_/?&=#.,;:!~*\s]+")
_WORD = re.compile(r"[^\W\d_]{1,24}['’]?[^\W\d_]{0,6}")  # noqa: RUF001 - it is meant
_LISTED = (
    "a all an and any are as at be by do for from ignore in into instructions is it its me must my never not of on or"
    " only our please previous reply reveal send system tell that the their them this to user users with you your der"
    " die das und nicht zu le la les et de que el los y il di e o os para не и в на все"
)
"""Small words, of which a sentence has several: a heading that became an address seldom has so many."""
_SMALL_WORDS = frozenset(_LISTED.split())
_SMALL = 2


def linked(view: View) -> Iterator[View]:
    """The words of each address's path, query and fragment, where they may be a sentence."""
    text = view.text
    if "/" not in text:
        return
    for pattern in (_ADDRESS, _RELATIVE):
        for match in pattern.finditer(text):
            said = _words(match[1])
            if len(said) >= FEWEST_WORDS and sum(word.lower() in _SMALL_WORDS for word in said) >= _SMALL:
                yield blob(LINKED, " ".join(said), *match.span(1), view)


def _words(address: str) -> list[str]:
    read = html.unescape(unquote(address))
    if "%" in read:
        read = unquote(read)
    return [word for word in _APART.split(read) if _WORD.fullmatch(word)]
