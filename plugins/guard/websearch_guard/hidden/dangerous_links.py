"""Images and links whose addresses could carry data out: their words stay, the addresses go."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..deobfuscation.text_view import Piece
from .dangerous_urls import carries_words, has_placeholder, is_active
from .markdown_code import Code

IMAGE = "[image removed: its address could carry data out]"
LINK = "[link removed: its address could carry data out]"
_TARGET = re.compile(
    r"""\]\([ \t]{0,4}(?P<address><[^<>\n]{0,4000}>|(?:[^()\s]++|\([^()\s]*+\)|(?<=[\w}{\]])[ ](?=[\w{}$\[]))++)"""
    r"""(?P<title>[ \t\n]{1,4}(?:"[^"\n]{0,1000}"|'[^'\n]{0,1000}'|\([^()\n]{0,1000}\)))?[ \t]{0,4}\)"""
)
_DEFINED = re.compile(
    r"""^(?P<before>[ ]{0,3}\[[^\]\n]{1,200}\]:[ \t]{0,8})(?P<address><[^<>\n]{1,4000}>|[^\s<]\S{0,4000})"""
    r"""(?P<title>[ \t]{1,8}(?:"[^"\n]{0,1000}"|'[^'\n]{0,1000}'|\([^()\n]{0,1000}\)))?""",
    re.MULTILINE,
)
_BARE = re.compile(r"""[hH][tT][tT][pP][sS]?://[^\s"'`()?]{1,2000}\?[^\s"'`()]{1,4000}""")
_LONG_TITLE = 4
"""Words of a link's title that are no longer a name."""


def bad_links(text: str, site: str) -> list[Piece]:
    """What to write otherwise, in order: nothing that stands in code."""
    bracket, bare = "]" in text, "/" in text and "://" in text  # one character is found much sooner than several
    inline, defined = bracket and "](" in text, bracket and "]:" in text
    if not inline and not bare and not defined:
        return []
    pieces = list(_inline(text, site)) if inline else []
    if defined:
        pieces += _defined(text, site)
    if bare:
        pieces += _bare(text)
    if not pieces:
        return []
    code = Code(text)
    apart: list[Piece] = []
    for piece in sorted(pieces):
        if not code.holds(piece.start) and (not apart or piece.start >= apart[-1].end):
            apart.append(piece)
    return apart


def _inline(text: str, site: str) -> Iterator[Piece]:
    for match in _TARGET.finditer(text):
        address, title = match["address"].strip("<>"), match["title"]
        # an image's rule is the stricter one
        if is_active(address) or _carries(address, site, image=True):
            opening = _opening(text, match.start())
            image = opening > 0 and text[opening - 1] == "!"
            if opening >= 0 and (image or is_active(address) or _carries(address, site, image=False)):
                words = text[opening + 1 : match.start()]
                yield Piece(opening - image, match.end(), f"{words} {IMAGE if image else LINK}".lstrip())
                continue
        if title and len(title.split()) >= _LONG_TITLE:
            yield Piece(*match.span("title"), "")


def _opening(text: str, closing: int) -> int:
    """Where the bracket that `text[closing]` closes opens; -1: nowhere near."""
    depth = 0
    for place in range(closing, max(-1, closing - _LONGEST), -1):
        if text[place] == "]":
            depth += 1
        elif text[place] == "[":
            depth -= 1
            if not depth:
                return place
    return -1


_LONGEST = 1500


def _defined(text: str, site: str) -> Iterator[Piece]:
    for match in _DEFINED.finditer(text):
        if match["before"].lstrip().startswith("[^"):
            continue
        address = match["address"].strip("<>")
        if is_active(address) or _carries(address, site, image=True):
            yield Piece(match.start("address"), match.end(), "#")
        elif match["title"] and len(match["title"].split()) >= _LONG_TITLE:
            yield Piece(*match.span("title"), "")


def _bare(text: str) -> Iterator[Piece]:
    for match in _BARE.finditer(text):
        if not text.endswith(("(", "(<"), 0, match.start()) and has_placeholder(match[0], image=False):
            yield Piece(*match.span(), LINK)


def _carries(address: str, site: str, *, image: bool) -> bool:
    return has_placeholder(address, image=image) or (image and "?" in address and carries_words(address, site))
