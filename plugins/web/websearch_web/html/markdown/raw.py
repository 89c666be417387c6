"""Markdown that is already written, as an element of the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turbohtml import Element

RAW = "x-raw"
"""An element whose text goes into the Markdown as it stands."""


def raw(text: str) -> Element:
    """An element that stands for this very Markdown."""
    from turbohtml import Element, Text

    return Element(RAW, None, [Text(text)])
