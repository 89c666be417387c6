"""An engine's answer, and what a request's parameters may be."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .errors import UnexpectedResponse

Parameter = str | int | float | bool | None | Sequence[str | int | float]
"""A query parameter's or form field's value; None leaves it out, a sequence repeats it."""


_MOST_BRACKETS = 100_000
"""Opening ones of each kind, those in texts among them: pages in Markdown have many."""


@dataclass(frozen=True, slots=True)
class EngineResponse:
    """An engine's answer. Its repr shows the status only: bodies and headers may hold what must not be logged."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    """Names in lower case."""
    content: bytes = field(repr=False)
    retry_after: float | None = None
    """Seconds that the engine asks us to wait, from Retry-After."""

    @property
    def text(self) -> str:
        """The body as text, in the declared charset or UTF-8; what cannot be decoded is replaced."""
        charset = self.headers.get("content-type", "").lower().partition("charset=")[2].split(";")[0].strip(" \"'")
        try:
            return self.content.decode(charset or "utf-8", "replace")
        except (LookupError, UnicodeError):  # no such charset, or one for something else (idna)
            return self.content.decode("utf-8", "replace")

    def json(self) -> Any:
        """The body as JSON. Raises `UnexpectedResponse("body")` when it is something else or far too large.

        A few bytes, packed, can hold more objects than the event loop can make without a pause.
        """
        if max(self.content.count(b"["), self.content.count(b"{")) > _MOST_BRACKETS:
            raise UnexpectedResponse("body", "the answer has too many parts")
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError):
            raise self._no_json() from None

    def _no_json(self) -> UnexpectedResponse:
        if "html" not in self.headers.get("content-type", "") and not self.content.lstrip().startswith(b"<"):
            return UnexpectedResponse("body", "the answer is not JSON")
        error = UnexpectedResponse("body", "the answer is a page for people, not JSON")
        error.next_step = (
            "use another source; the operator must check the base address, and whether it asks for a login"
        )
        return error
