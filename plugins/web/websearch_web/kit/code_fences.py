"""Code blocks and code spans that no content can end."""

from __future__ import annotations

import re

_RUNS = re.compile(r"`{3,}")
_TICKS = re.compile("`+")


def fenced(text: str, language: str = "") -> str:
    """A code block whose fence is longer than any in the text."""
    longest = max((len(run) for run in _RUNS.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def code_span(text: str) -> str:
    """The text as code within a line; empty where there is none."""
    code = " ".join(text.split())
    if not code:
        return ""
    runs = {len(run) for run in _TICKS.findall(code)}
    ticks = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    pad = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{ticks}{pad}{code}{pad}{ticks}"
