r"""The mark that the guarded client puts at the end of text that was cut: `\n\n[truncated at N bytes]`."""

from __future__ import annotations

import re

_MARKER = re.compile(r"\n\n\[truncated at (\d{1,12}) bytes\]$")


def without_marker(text: str) -> str:
    """The text alone: the mark would be parsed as a part of the document."""
    return _MARKER.sub("", text[-64:]) if len(text) < 64 else text[:-64] + _MARKER.sub("", text[-64:])


def marked(text: str, size: int) -> str:
    """The text with the mark at its end."""
    return f"{text}\n\n[truncated at {size} bytes]"
