"""How many tokens a text costs, and how to share out what there is."""

from __future__ import annotations

from collections.abc import Sequence

from ..tokens import CHEAPEST, estimate_tokens


def longest(tokens: float) -> int:
    """No text of more characters costs at most `tokens`."""
    return int(max(tokens, 0) / CHEAPEST) + 1


def shares(costs: Sequence[float], total: float) -> list[float]:
    """Divide `total` evenly: who needs less than a share leaves the rest to the others."""
    given = [0.0] * len(costs)
    left = total
    order = sorted(range(len(costs)), key=costs.__getitem__)
    for position, index in enumerate(order):
        given[index] = min(costs[index], left / (len(costs) - position))
        left -= given[index]
    return given


def fitting_end(text: str, start: int, end: int, tokens: float) -> int:
    """The largest cut in `start..end` of which the text before it, from `start`, costs at most `tokens`."""
    end = min(end, start + longest(tokens))
    if estimate_tokens(text[start:end]) <= tokens:
        return end
    low, high = start, end
    while high - low > 1:
        middle = (low + high) // 2
        if estimate_tokens(text[start:middle]) <= tokens:
            low = middle
        else:
            high = middle
    return max(low, min(start + 1, end))
