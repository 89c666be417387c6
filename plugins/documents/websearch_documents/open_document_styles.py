"""The styles of an OpenDocument text that hide what is written in them."""

from __future__ import annotations

from collections.abc import Mapping
from xml.parsers import expat

_PARENTS_MOST = 20
_PARAGRAPHS = frozenset({"text:p", "text:h"})


class Styles:
    """Which styles hide their text, of themselves or by the style they come from."""

    def __init__(self, *parts: bytes) -> None:
        """`parts`: content.xml and styles.xml, checked; an empty one is none."""
        self._parents: dict[tuple[str, str], str] = {}
        self._shown: dict[tuple[str, str], bool] = {}
        self._style = ("", "")
        for part in filter(None, parts):
            parser = expat.ParserCreate()
            parser.StartElementHandler = self._start
            parser.Parse(part, True)

    def hide(self, element: str, attributes: Mapping[str, str]) -> bool:
        """Whether this element's style hides what it holds."""
        family = "paragraph" if element in _PARAGRAPHS else "text"
        name = attributes.get("text:style-name", "")
        for _ in range(_PARENTS_MOST):
            if not name or (family, name) in self._shown:
                break
            name = self._parents.get((family, name), "")
        return not self._shown.get((family, name), True)

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "style:style":
            self._style = (attributes.get("style:family", ""), attributes.get("style:name", ""))
            self._parents[self._style] = attributes.get("style:parent-style-name", "")
        elif name == "style:text-properties" and (display := attributes.get("text:display")):
            self._shown[self._style] = display != "none"
