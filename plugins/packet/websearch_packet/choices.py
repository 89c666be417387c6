"""What callers of the tools choose from: words alone, so that publishing the tools needs nothing of what they do."""

from __future__ import annotations

from typing import Literal

Strategy = Literal["headings_first", "balanced"]
Mode = Literal["structural", "salience", "map_reduce", "question_focused"]
Preserved = Literal["numbers", "dates", "names", "definitions", "procedures"]
