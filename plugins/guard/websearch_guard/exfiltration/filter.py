"""Blocks requests that carry data out: hidden in an encoding, or in many small pieces."""

from __future__ import annotations

from websearch_core import Allow, Block, Clock, FetchRequest, Finding, Outgoing, RequestFilter, Verdict

from .value_counter import Changing

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

        Numbers and titles of documents (`id=17`, `title=Owls`) may be ten times as many; pages of lists are not
        counted. 0: count nothing.
        """
        self._clock = clock
        self._limit = different_values
        self._changing = Changing(window_s)

    def warm(self) -> None:
        """Load what judges."""
        from .request_payloads import carried
        from .varying_parts import varying

        request = FetchRequest(url="https://example.com/owls?page=2")
        _ = [[*carried(request, part)] for part in request.parts], [*varying(request.url)]

    async def check(self, request: Outgoing) -> Verdict:
        """Allow or Block."""
        from .request_payloads import carried

        findings = tuple(finding for part in request.parts for finding in carried(request, part))
        if findings:
            return Block(reason=HIDDEN, findings=findings)
        if isinstance(request, FetchRequest) and self._limit and (changed := self._changed(request)):
            return Block(reason=CHANGING, findings=changed)
        return Allow()

    def _changed(self, request: FetchRequest) -> tuple[Finding, ...]:
        from .varying_parts import varying

        now = self._clock.monotonic()
        for place, value, start, end, times in varying(request.url):
            if self._changing.exceeds(request.caller.tenant, place, hash(value), self._limit * times, now):
                return (Finding("changing", "url", start, end),)
        return ()
