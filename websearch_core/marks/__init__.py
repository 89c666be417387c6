"""Marks: warnings inside a text, before and after a passage that a filter suspects. No page can write one itself."""

from .carrying import carried
from .forgeries import without_forgeries
from .marked_text import MarkedText, marked_slice
from .wording import ADDRESS_WARNING, BRACKET, CLOSING, OPENING, WARNING_TOKENS, unmarked
from .writing import Span, with_warnings

__all__ = [
    "ADDRESS_WARNING",
    "BRACKET",
    "CLOSING",
    "OPENING",
    "WARNING_TOKENS",
    "MarkedText",
    "Span",
    "carried",
    "marked_slice",
    "unmarked",
    "with_warnings",
    "without_forgeries",
]
