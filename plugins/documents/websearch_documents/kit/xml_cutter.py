"""Parts of XML with pieces cut out at their places in the bytes, so that all the rest stays as it was written.

Expat reads each part, so no way to write the same XML (quotes, blanks, prefixes, encodings) makes a difference; names
count without their prefix, which the converter may not resolve.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.parsers import expat

OFF = frozenset({"0", "false", "off"})


class Span:
    """A piece of the bytes; it ends where the token after it begins."""

    __slots__ = ("begin", "end")

    def __init__(self, begin: int) -> None:
        self.begin = begin
        self.end = begin


class XmlCutter:
    """One pass of expat, with an event for every token: where one begins, the one before has ended."""

    def __init__(self, content: bytes) -> None:
        """`content`: checked XML. A subclass calls `read` when it is ready."""
        self.said: list[str] = []
        self._content = content
        self._cuts: list[Span] = []
        self._ended: list[Span] = []
        self._parser = parser = expat.ParserCreate()
        parser.StartElementHandler = self._begun
        parser.EndElementHandler = self._done
        parser.CharacterDataHandler = self._heard
        parser.DefaultHandler = self._settle

    def read(self) -> None:
        """The pass."""
        self._parser.Parse(self._content, True)
        self._settle()

    def cut(self, span: Span, said: str = "") -> None:
        """Leave it out; what it says goes to `said`."""
        self._cuts.append(span)
        self.said.append(said)

    def shown(self) -> bytes:
        """The part without what is cut."""
        kept: list[bytes] = []
        place = 0
        for span in sorted(self._cuts, key=lambda span: span.begin):
            if span.begin >= place:
                kept.append(self._content[place : span.begin])
            place = max(place, span.end)
        return b"".join((*kept, self._content[place:]))

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element begins at `here`; the names of element and attributes are without prefixes."""

    def end(self, name: str) -> None:
        """An element ends."""

    def text(self, text: str) -> None:
        """Text."""

    @property
    def here(self) -> Span:
        """A span that begins with the token that is read now."""
        return Span(self._parser.CurrentByteIndex)

    def finish(self, span: Span) -> None:
        """The span ends with the token that is read now."""
        self._ended.append(span)

    def _settle(self, *_: object) -> None:
        if self._ended:
            place = max(0, self._parser.CurrentByteIndex)
            for span in self._ended:
                span.end = place
            self._ended.clear()

    def _begun(self, name: str, attributes: Mapping[str, str]) -> None:
        self._settle()
        self.start(
            name.rpartition(":")[2], {key.rpartition(":")[2]: value.strip() for key, value in attributes.items()}
        )

    def _done(self, name: str) -> None:
        self._settle()
        self.end(name.rpartition(":")[2])

    def _heard(self, text: str) -> None:
        self._settle()
        self.text(text)
