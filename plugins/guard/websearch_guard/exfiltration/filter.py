"""Blocks requests that carry data out: hidden in an encoding, or in many small pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from websearch_core import Allow, Block, Clock, FetchRequest, Finding, Outgoing, Part, RequestFilter, Verdict

from .addresses import in_address, in_host
from .changing import varying
from .counting import Changing
from .queries import in_query

_ADDRESS = re.compile(r"https?://[^\s\"'<>()]+")
_SITE = re.compile(r":(?:\*\.)?((?:[\w-]{1,63}\.){2,20}[a-z][\w-]{1,62})", re.IGNORECASE)
HIDDEN = "the request seems to carry hidden or encoded data out"
CHANGING = "one site was asked for with too many different values in a short time"


class GuardExfiltration(RequestFilter):
    """Judges queries, addresses, domain rules and a tool's strings; counts what addresses differ in.

    The counts are this process's own: they are kept in memory, by tenant, and are gone after a restart.
    """

    name = "guard-exfiltration"
    family = "exfiltration"
    priority = 20

    def __init__(self, clock: Clock, *, different_values: int = 30, window_s: float = 600.0) -> None:
        """Block an address that gives a site's parameter more `different_values` than these within the window.

        Numbers of documents (`id=17`) may be ten times as many; pages of lists are not counted. 0: count nothing.
        """
        self._clock = clock
        self._limit = different_values
        self._changing = Changing(window_s)

    async def check(self, request: Outgoing) -> Verdict:
        """Allow or Block."""
        findings = tuple(finding for part in request.parts for finding in _carried(request, part))
        if findings:
            return Block(reason=HIDDEN, findings=findings)
        if isinstance(request, FetchRequest) and self._limit and (changed := self._changed(request)):
            return Block(reason=CHANGING, findings=changed)
        return Allow()

    def _changed(self, request: FetchRequest) -> tuple[Finding, ...]:
        now = self._clock.monotonic()
        for place, value, start, end, times in varying(request.url):
            if self._changing.exceeds(request.caller.tenant, place, hash(value), self._limit * times, now):
                return (Finding("changing", "url", start, end),)
        return ()


def _carried(request: Outgoing, part: Part) -> Iterator[Finding]:
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
