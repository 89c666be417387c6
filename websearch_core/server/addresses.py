"""Addresses as models write them: bare, in angle brackets, or as a Markdown link."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .argument_types import Note, TextList

_AUTOLINK = re.compile(r"<(https?://[^<>\s]+)>", re.IGNORECASE)
_LINK = re.compile(r"!?\[[^\[\]]*\]\(<?(https?://[^<>\s]+?)>?\)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Addresses(TextList):
    """A list of addresses, each taken out of the Markdown that it may stand in."""

    def read(self, value: object, note: Note) -> tuple[str, ...]:
        """The addresses that were meant. Raises RuleError."""
        if isinstance(value, str) and _bare(value) != value:
            value = [value]
        items = super(Addresses, self).read(value, note)
        bare = tuple(map(_bare, items))
        if bare != items:
            note("an address was taken out of its Markdown")
        return bare


def _bare(text: str) -> str:
    match = _AUTOLINK.fullmatch(text.strip()) or _LINK.fullmatch(text.strip())
    return match[1] if match else text
