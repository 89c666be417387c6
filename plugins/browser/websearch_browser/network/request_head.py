"""The head of one request that a browser sends to its proxy (RFC 9112)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from urllib.parse import urlsplit

MAX_HEAD = 64 * 1024
_HEAD_S = 15.0
_OURS = frozenset(("connection", "keep-alive", "proxy-authorization", "proxy-connection", "te", "trailer", "upgrade"))
"""Headers of the connection to us, and not of the message."""


@dataclass(slots=True)
class RequestHead:
    """What is asked for."""

    method: str
    url: str
    """Absolute; of a tunnel only the host and the port mean something."""
    headers: list[tuple[str, str]]

    @property
    def tunnel(self) -> bool:
        """Whether the browser asks for a connection and no document: for TLS, and for websockets."""
        return self.method == "CONNECT"

    @property
    def place(self) -> str:
        """Host and port."""
        return place_of(self.url)

    @property
    def authorization(self) -> str:
        """Who the browser says it is."""
        return next((value for name, value in self.headers if name.lower() == "proxy-authorization"), "")

    @property
    def length(self) -> int:
        """Bytes of body."""
        return int(next((value for name, value in self.headers if name.lower() == "content-length"), "0"))

    def moved_to(self, url: str) -> bool:
        """Ask for this address, as it was judged; False where it is not of plain http."""
        self.url = url
        return url.startswith("http://")

    def forwarded(self) -> bytes:
        """The head as the site gets it: this one request, and then no more on the connection."""
        parts = urlsplit(self.url)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        kept = [(name, value) for name, value in self.headers if name.lower() not in _OURS | {"host"}]
        lines = [f"{self.method} {path} HTTP/1.1", f"Host: {parts.netloc}", "Connection: close"]
        return "\r\n".join([*lines, *(f"{name}: {value}" for name, value in kept), "", ""]).encode("latin-1")


async def read_head(reader: asyncio.StreamReader) -> RequestHead:
    """The next head. Raises ValueError, in an EOFError's guise, for what is none; the stream's errors; TimeoutError."""
    async with asyncio.timeout(_HEAD_S):
        raw = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = raw.split("\r\n")[:-2]
    try:
        method, target, _ = first.split(" ")
        headers = [(name, value.strip()) for name, value in (line.split(":", 1) for line in lines)]
        lengths = [value for name, value in headers if name.lower() == "content-length"]
        if len(lengths) > 1 or not all(value.isascii() and value.isdigit() and len(value) < 16 for value in lengths):
            raise ValueError("length")
        if any(name.lower() == "transfer-encoding" for name, _ in headers):
            raise ValueError("chunks")  # browsers send none over HTTP/1.1
    except ValueError:
        raise EOFError from None
    return RequestHead(method, f"https://{target}/" if method == "CONNECT" else target, headers)


def place_of(url: str) -> str:
    """Host and port of an address."""
    parts = urlsplit(url)
    try:
        port = parts.port or (80 if parts.scheme == "http" else 443)
    except ValueError:
        port = 0
    return f"{parts.hostname or ''}:{port}"
