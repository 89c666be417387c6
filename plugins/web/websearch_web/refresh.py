"""Pages that only send their reader on, by `<meta http-equiv=refresh>` or the header `Refresh`."""

from __future__ import annotations

import re
from urllib.parse import urljoin

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
    """The address to which the page sends its reader at once; empty: none, itself, or there is more to it."""
    if download.media_type not in _MARKUP or download.truncated or len(download.body) > MAX_BYTES:
        return ""
    header = _HEADER.match(download.headers.get("refresh", ""))
    if header is None and b"http-equiv" not in download.body.lower():
        return ""
    from turbohtml import parse

    from .charset import decode

    document = parse(decode(download.body, download.charset))
    document.remove("template")
    delay, target = (_seconds(header[1]), header[2].strip()) if header else document.meta_refresh() or (0.0, "")
    if not target or delay > MAX_DELAY_S or _SCHEME.match(target):
        return ""
    base = document.select_one("base[href]")
    here = download.final_url or download.url
    target = _joined(_joined(here, (base.attr("href") or "") if base and not header else ""), target)
    if not target or target.partition("#")[0] == here.partition("#")[0]:  # it renews itself
        return ""
    document.remove("head, title, script, style, noscript")
    return target if len(" ".join(document.text.split())) <= MAX_CHARS else ""


def _joined(base: str, reference: str) -> str:
    try:
        return urljoin(base, reference)
    except ValueError:
        return ""


def _seconds(text: str) -> float:
    return float(text) if text not in {"", "."} else 0.0
