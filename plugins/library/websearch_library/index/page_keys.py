"""Addresses as the library keys them, and the addresses that it gives to local files."""

from __future__ import annotations

import hashlib
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

# Names that no resolver knows (RFC 6761, §6.4): these pages are nowhere but here.
DOCS_HOST = "docs.websearch.invalid"
"""Of websearch's own documentation."""
FILES_HOST = "files.websearch.invalid"
"""Of local files."""

_PORTS = {"http": 80, "https": 443}


def normal(url: str) -> str:
    """The address without its fragment, default port and capitals; the same text when it is no address."""
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return url
    if not host or parts.username is not None:
        return url
    host = f"[{host}]" if ":" in host else host
    if port is not None and port != _PORTS.get(parts.scheme):
        host = f"{host}:{port}"
    return urlunsplit((parts.scheme, host, parts.path or "/", parts.query, ""))


def origin(url: str) -> str:
    """Scheme, host and port of a normal address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def folder(url: str) -> str:
    """A normal address up to the last slash of its path: what a crawl stays within."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc, parts.path[: parts.path.rfind("/") + 1] or "/", "", ""))


def of_file(path: Path) -> str:
    """A local file's address: it names the file, never where it lies."""
    digest = hashlib.sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return f"https://{FILES_HOST}/{digest}/{quote(path.name, errors='replace')}"
