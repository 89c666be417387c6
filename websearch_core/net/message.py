"""What goes to an engine and what comes back: headers and body of a request, and an answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from pydantic import SecretStr

from ..errors import Drift
from .body import ACCEPT_ENCODING

Parameter = str | int | float | bool | None | Sequence[str | int | float]
"""A query parameter's or form field's value; None leaves it out, a sequence repeats it."""


_MOST_OBJECTS = 20_000
_MOST_BRACKETS = 100_000
"""Also those in texts: pages in Markdown have many."""


@dataclass(frozen=True, slots=True)
class ApiResponse:
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
        """The body as JSON. Raises `Drift("body")` when it is something else, or has more parts than any answer has.

        A few bytes, packed, can become so many objects that making them would hold the event loop for seconds.
        """
        objects = 0

        def counted(value: dict[str, Any]) -> dict[str, Any]:
            nonlocal objects
            objects += 1
            if objects > _MOST_OBJECTS:
                raise _TooMany
            return value

        try:
            if self.content.count(b"[") > _MOST_BRACKETS:
                raise _TooMany
            return json.loads(self.content, object_hook=counted)
        except _TooMany:
            raise Drift("body", "the answer has too many parts") from None
        except (ValueError, RecursionError):
            raise self._no_json() from None

    def _no_json(self) -> Drift:
        if "html" not in self.headers.get("content-type", "") and not self.content.lstrip().startswith(b"<"):
            return Drift("body", "the answer is not JSON")
        error = Drift("body", "the answer is a page for people, not JSON")
        error.next_step = (
            "use another source; the operator must check the base address, and whether it asks for a login"
        )
        return error


class _TooMany(Exception):  # noqa: N818 - never leaves this module
    """More objects or lists than are read."""


def form(values: Mapping[str, Parameter]) -> str:
    """Parameters or form fields, encoded."""
    pairs: list[tuple[str, str]] = []
    for name, value in values.items():
        if value is None:
            continue
        several = value if isinstance(value, Sequence) and not isinstance(value, str) else (value,)
        pairs += [(name, str(one).lower() if isinstance(one, bool) else str(one)) for one in several]
    return urlencode(pairs)


def packed(json_value: Any, data: Mapping[str, Parameter] | bytes | None) -> tuple[dict[str, str], bytes]:
    """The body, as JSON, as it is, or as a form, and the headers that describe it."""
    if json_value is not None:
        content = json.dumps(json_value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        kind = "application/json"
    elif isinstance(data, bytes):
        content, kind = data, ""
    elif data is not None:
        content, kind = form(data).encode("ascii"), "application/x-www-form-urlencoded"
    else:
        return {"accept-encoding": ACCEPT_ENCODING}, b""
    described = {"accept-encoding": ACCEPT_ENCODING, "content-length": str(len(content))}
    return described | ({"content-type": kind} if kind else {}), content


def plain(headers: Mapping[str, str | SecretStr]) -> dict[str, str]:
    """With names in lower case and secrets told: for the wire only."""
    return {
        name.lower(): value.get_secret_value() if isinstance(value, SecretStr) else value
        for name, value in headers.items()
    }
