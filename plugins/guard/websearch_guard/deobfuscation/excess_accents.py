"""Letters that nearly all wear an accent, as no language writes: read without."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from .text_view import View, blob

_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_MARKS = re.compile(_MARK)
_WORN = rf"(?:[^\W\d_]{_MARK}{{1,8}}|[\u00c0-\u024f\u1e00-\u1eff](?!{_MARK}))"
_BETWEEN = r"[^\w\n]{0,3}"
_RUN = re.compile(rf"{_WORN}(?:{_BETWEEN}(?:{_WORN}|[A-Za-z](?={_BETWEEN}{_WORN}))){{15,2000}}")
"""At least half of its letters; where every second word has none, the other words are still read."""
_DENSE = re.compile(rb"\?(?:[^?]{0,9}\?){7}")
"""So dense a run is at least, where `?` is whatever is not ASCII: of most languages no text is."""
_SHARE = 0.7
"""Of the letters of a run; Vietnamese, which writes the most, stays below."""


def unaccented(text: str) -> Iterator[View]:
    """The runs of letters that wear accents beyond what any language writes, without them."""
    if text.isascii() or not _DENSE.search(text.encode("ascii", "replace")):
        return
    for match in _RUN.finditer(text):
        letters = unicodedata.normalize("NFD", match[0])
        bare = _MARKS.sub("", letters)
        worn = sum(1 for _ in re.finditer(rf"[^\W\d_]{_MARK}", letters))
        if worn >= _SHARE * sum(map(str.isalpha, bare)):
            yield blob("accents", bare, *match.span())
