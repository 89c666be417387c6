"""What a plugin's tool is called with, as the request filters see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from .fields import Part
from .models import Outgoing


class ToolRequest(Outgoing):
    """What a model gave to a plugin's tool: every text in it, and every number long enough to be one."""

    main_part: ClassVar[str] = ""

    tool: str
    strings: tuple[Part, ...] = ()
    """`field` is the place in the arguments, such as `filters.0.name`."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """The strings, in the order of the arguments."""
        return self.strings

    def _main_parts(self, text: str) -> Sequence[Part]:  # noqa: ARG002 - there is none
        raise ValueError("a tool's arguments have no main part: rewrite the parts")

    def _fields_from(self, parts: Sequence[Part]) -> dict[str, Any]:
        return {"strings": tuple(parts)}
