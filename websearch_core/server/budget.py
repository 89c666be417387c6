"""How many tokens a text costs, and how to share out what there is."""

from __future__ import annotations

from collections.abc import Sequence

from ..kit.tokens import CHEAPEST, estimate_tokens

_NEAR = 2.0
"""Tokens that a cut may leave unused: to look closer costs more than it gives."""


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
    """A cut in `start..end` of which the text before it, from `start`, costs at most `tokens`, and hardly less.

    What it costs less is under `_NEAR`, or what the next character costs.
    """
    low, high = start, min(end, start + longest(tokens))
    least, most = 0.0, estimate_tokens(text[start:high])
    if most <= tokens:
        return high
    turn = 0
    while high - low > 1 and tokens - least > _NEAR:
        turn += 1
        # where a text costs the same throughout, the first guess is right; every third halves, where it does not
        share = 0.5 if turn % 3 == 0 else (tokens - least) / (most - least)
        middle = min(max(low + int((high - low) * share), low + 1), high - 1)
        cost = estimate_tokens(text[start:middle])
        if cost <= tokens:
            low, least = middle, cost
        else:
            high, most = middle, cost
    return max(low, min(start + 1, end))
