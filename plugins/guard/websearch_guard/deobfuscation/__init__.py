"""What a text says however it is written: its canonical reading, and what is encoded in it."""

from .canonical_text import canonical
from .decodings import decodings
from .text_view import View

__all__ = ["View", "canonical", "decodings"]
