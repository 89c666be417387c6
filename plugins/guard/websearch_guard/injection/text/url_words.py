"""What the address of a link says in words: a model reads it, a person hardly ever."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

from websearch_guard.deobfuscation import View
from websearch_guard.deobfuscation.text_view import blob

LINKED = "link"
FEWEST_WORDS = 4
"""An address of fewer words gives no order."""
_ADDRESS = re.compile(r"//[^\s()<>\[\]\"'`|\\]{1,255}?([/?#][^\s()<>\[\]\"'`|\\]{12,4000})")
_RELATIVE = re.compile(r"\]\(([/?#.][^\s()<>\[\]]{12,4000})")
_INNER = re.compile(r"https?:/{1,2}[^\s/?#&]{1,255}")
"""The site of an address inside an address, as shared and redirected links have it: its name says nothing."""
_APART = re.compile(r"[-+_/?&=#.,;:!~*()\[\]{}|\"%@$^<>\s]+")
_WORD = re.compile(r"[^\W\d_]{1,24}(?:['’][^\W\d_]{1,6})?")  # noqa: RUF001 - it is meant
_CAMEL = re.compile(r"[A-Z]?[a-z]{1,20}(?:[A-Z][a-z]{0,20}){2,60}")
SHORTEST = 2.5
"""Letters of a word in `someWordsInOne`, on average; keys that were made by chance have more capitals."""
_HUMP = re.compile(r"(?<!^)(?=[A-Z])")
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]{8,400}")
"""Letters that make a sentence in scripts that put no blanks between words."""


def linked(view: View) -> Iterator[View]:
    """The words of each address's path, query and fragment, where they may be a sentence."""
    text = view.text
    if "/" not in text:
        return
    for pattern in (_ADDRESS, _RELATIVE):
        for match in pattern.finditer(text):
            said = _words(match[1])
            if len(said) >= FEWEST_WORDS or any(map(_UNSPACED.fullmatch, said)):
                yield blob(LINKED, " ".join(said), *match.span(1), view)


def _words(address: str) -> list[str]:
    read = html.unescape(unquote(address))
    if "%" in read:
        read = unquote(read)
    words: list[str] = []
    for run in _APART.split(_INNER.sub(" ", read)):
        if _CAMEL.fullmatch(run) and len(said := _HUMP.split(run)) * SHORTEST <= len(run):
            words += said
        elif _WORD.fullmatch(run) or _UNSPACED.fullmatch(run):
            words.append(run)
    return words
