"""The values that the conformance suite's fixtures answer with, in wire form."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Mapping
from typing import Any

Result = dict[str, Any]


def png() -> str:
    """One red pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(b"\x00\xff\x00\x00"))
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + header + pixels + chunk(b"IEND", b"")).decode()


def wav() -> str:
    """Eight samples of silence."""
    data = bytes(8)
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, 8000, 8000, 1, 8)
    body = b"WAVE" + form + struct.pack("<4sI", b"data", len(data)) + data
    return base64.b64encode(struct.pack("<4sI", b"RIFF", len(body)) + body).decode()


def text(value: str) -> Result:
    return {"type": "text", "text": value}


def image() -> Result:
    return {"type": "image", "data": png(), "mimeType": "image/png"}


def resource(uri: str, media_type: str, value: str) -> Result:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": media_type, "text": value}}


def complete(*content: Result, error: bool = False) -> Result:
    return {"resultType": "complete", "content": list(content), "isError": error}


def needed(requests: Mapping[str, Result], state: str | None = None) -> Result:
    result: Result = {"resultType": "input_required", "inputRequests": dict(requests)}
    if state is not None:
        result["requestState"] = state
    return result


def elicit(message: str, **properties: str) -> Result:
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema, "mode": "form"}}


def sample(prompt: str, most: int = 100) -> Result:
    message = {"role": "user", "content": text(prompt)}
    return {"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": most}}


ROOTS: Result = {"method": "roots/list", "params": {}}
