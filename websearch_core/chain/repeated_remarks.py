"""Remarks that are the same, told once, with how often."""

from __future__ import annotations

from collections.abc import Iterable


def told_once(remarks: Iterable[str]) -> tuple[str, ...]:
    """Each different remark, in the order in which they came first, those that came again with a count."""
    counts: dict[str, int] = {}
    for remark in remarks:
        counts[remark] = counts.get(remark, 0) + 1
    return tuple(f"{remark} ({count} times)" if count > 1 else remark for remark, count in counts.items())
