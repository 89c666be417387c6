"""What a part of a request carries out, hidden in an encoding."""

from __future__ import annotations

import re
from collections.abc import Iterator

from websearch_core import Finding, Outgoing
from websearch_core.kit import Part

from .query_payloads import in_query
from .url_payloads import in_address, in_host

_ADDRESS = re.compile(r"https?://[^\s\"'<>()]+")
_SITE = re.compile(r":(?:\*\.)?((?:[\w-]{1,63}\.){2,20}[a-z][\w-]{1,62})", re.IGNORECASE)


def carried(request: Outgoing, part: Part) -> Iterator[Finding]:
    """Each place that looks like data: of an address, of a query, of the addresses in it."""
    field, text = part
    if field.endswith("_domains") and request.main_part:
        start = 0
        for rule in text.split("\n"):
            host, _, path = rule.strip("*.=").partition("/")
            if (kind := in_host(host.lower())) or (path and in_address(f"//{host}/{path}", field)):
                yield Finding(kind or "encoded", field, start, start + len(rule))
            start += len(rule) + 1
    elif "://" in text[:12] and (field == "url" or not any(map(str.isspace, text))):
        yield from in_address(text, field)
    else:
        yield from in_query(text, field)
        for match in _SITE.finditer(text):
            if kind := in_host(match[1].lower()):
                yield Finding(kind, field, *match.span(1))
        for match in _ADDRESS.finditer(text) if "://" in text else ():
            # placeholders are what people ask about
            if any(finding.kind != "placeholder" for finding in in_address(match[0], field)):
                yield Finding("encoded", field, *match.span())
