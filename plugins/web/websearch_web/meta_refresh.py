"""Pages that only send their reader on, by `<meta http-equiv=refresh>` or the header `Refresh`."""

from __future__ import annotations

import re
from html import escape
from urllib.parse import urljoin

from websearch_core import Download

MAX_BYTES = 16_384
"""Of a page that is hardly more than a redirect."""
MAX_CHARS = 200
"""Of what it says."""
MAX_DELAY_S = 5.0
"""Longer, and it is a page that renews itself."""
_MARKUP = frozenset({"text/html", "application/xhtml+xml"})
_SCHEME = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def refreshed(download: Download) -> str:
    """The address to which the page sends its reader at once, perhaps its own; empty: none, or there is more to it."""
    if download.media_type not in _MARKUP or download.truncated or len(download.body) > MAX_BYTES:
        return ""
    header = download.headers.get("refresh", "")
    if not header and b"http-equiv" not in download.body.lower():
        return ""
    from turbohtml import parse

    from .kit.charset import decode

    document = parse(decode(download.body, download.charset))
    document.remove("template")
    # one grammar for both (HTML, "shared declarative refresh steps")
    sender = parse(f'<meta http-equiv=refresh content="{escape(header)}">') if header else document
    base = None if header else document.select_one("base[href]")
    try:
        delay, target = sender.meta_refresh() or (0.0, "")
        if not target or delay > MAX_DELAY_S or _SCHEME.match(target):
            return ""
        here = urljoin(download.final_url or download.url, (base.attr("href") or "") if base else "")
        target = urljoin(here, target)
    except ValueError:  # brackets that hold no address
        return ""
    document.remove("head, title, script, style, noscript")
    return target if len(" ".join(document.text.split())) <= MAX_CHARS else ""
