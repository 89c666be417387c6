"""Pages that only send their reader on, by `<meta http-equiv=refresh>` or the header `Refresh`."""

from __future__ import annotations

import re

from websearch_core import Download

MAX_BYTES = 16_384
"""Of a page that is hardly more than a redirect."""
MAX_CHARS = 200
"""Of what it says."""
MAX_DELAY_S = 5.0
"""Longer, and it is a page that renews itself."""
_MARKUP = frozenset({"text/html", "application/xhtml+xml"})
_HEADER = re.compile(r"\s*(\d{0,4}(?:\.\d{0,4})?)\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"']{1,2000})", re.IGNORECASE)


_SCHEME = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def refreshed(download: Download) -> str:
    """Where the page sends its reader at once, as it is written there; empty: nowhere, or there is more to it."""
    if download.media_type not in _MARKUP or download.truncated or len(download.body) > MAX_BYTES:
        return ""
    header = _HEADER.match(download.headers.get("refresh", ""))
    if header is None and b"http-equiv" not in download.body.lower():
        return ""
    from turbohtml import parse

    from .charset import decode

    document = parse(decode(download.body, download.charset))
    delay, target = (_seconds(header[1]), header[2].strip()) if header else document.meta_refresh() or (0.0, "")
    if not target or delay > MAX_DELAY_S or _SCHEME.match(target):
        return ""
    document.remove("head, title, script, style, template, noscript")
    return target if len(" ".join(document.text.split())) <= MAX_CHARS else ""


def _seconds(text: str) -> float:
    return float(text) if text not in {"", "."} else 0.0
