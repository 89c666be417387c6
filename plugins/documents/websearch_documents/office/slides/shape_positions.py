"""Where shapes are on a slide, in its own units; shapes of a group count from the group's own zero."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

_NUMBER = re.compile(r"-?\d{1,15}")


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether they have a place in common."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


class Move(NamedTuple):
    """What a shape's `xfrm` says, within that of its group."""

    x: float = 0.0
    y: float = 0.0
    across: float = 1.0
    down: float = 1.0
    """From the units of the innermost group to the slide's."""
    box: Box | None = None

    def told(self, name: str, given: Mapping[str, str]) -> Move:
        """With one more element of an `xfrm`; `off`, `ext`, `chOff`, `chExt` come in this order."""
        one, other = ("cx", "cy") if name in ("ext", "chExt") else ("x", "y")
        if not (_NUMBER.fullmatch(given.get(one, "")) and _NUMBER.fullmatch(given.get(other, ""))):
            return self
        first, second = int(given[one]), int(given[other])
        left, top, right, bottom = self.box or (0.0, 0.0, 0.0, 0.0)
        match name:
            case "off":
                left, top = self.x + first * self.across, self.y + second * self.down
                return self._replace(box=Box(left, top, left, top))
            case "ext":
                right, bottom = left + max(1, first) * abs(self.across), top + max(1, second) * abs(self.down)
                return self._replace(box=Box(left, top, right, bottom))
            case "chOff":  # kept in x and y until the scale is known
                return self._replace(x=float(first), y=float(second))
            case _:
                across, down = (right - left) / (first or 1), (bottom - top) / (second or 1)
                return Move(left - self.x * across, top - self.y * down, across, down, self.box)
