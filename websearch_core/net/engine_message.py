"""What goes to an engine: headers and body of a request."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from pydantic import SecretStr

from ..contract.engine_response import Parameter
from .body import ACCEPT_ENCODING


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
