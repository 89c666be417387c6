"""Remarks that are the same, told once, with how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def told_once(remarks: Iterable[str]) -> tuple[str, ...]:
    """Each different remark, in the order in which they came first, those that came again with a count."""
    counts = Counter(remarks)
    return tuple(f"{remark} ({count} times)" if count > 1 else remark for remark, count in counts.items())
