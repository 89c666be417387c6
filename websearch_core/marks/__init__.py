"""Marks: warnings inside a text, before and after a passage that a filter suspects. No page can write one itself."""

from .marked_text import MarkedText, marked_slice
from .wording import ADDRESS_WARNING, BRACKET, CLOSING, OPENING, WARNING_TOKENS, unmarked

__all__ = [
    "ADDRESS_WARNING",
    "BRACKET",
    "CLOSING",
    "OPENING",
    "WARNING_TOKENS",
    "MarkedText",
    "marked_slice",
    "unmarked",
]
