"""Code blocks that no content can end."""

from __future__ import annotations

import re

_RUNS = re.compile(r"`{3,}")


def fenced(text: str, language: str = "") -> str:
    """A code block whose fence is longer than any in the text."""
    longest = max((len(run) for run in _RUNS.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
