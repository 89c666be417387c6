"""safeguard-pii: a policy model judges what leaves this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from websearch_core import Allow, Block, Finding, Outgoing, PluginContext, RequestFilter, Verdict

from .endpoint import TOO_MUCH, NoVerdict
from .excerpts import of_request
from .judge import Judge, sorted_out
from .policies import Policy

if TYPE_CHECKING:
    from .settings import SafeguardSettings


class SafeguardPiiFilter(RequestFilter):
    """Every part of every request: queries, addresses, domain rules, arguments of tools."""

    name = "safeguard-pii"
    family = "pii"
    priority = 30

    def __init__(
        self, ctx: PluginContext, judge: Judge, policies: Sequence[Policy], settings: SafeguardSettings
    ) -> None:
        self._ctx = ctx
        self._judge = judge
        self._policies = policies
        self._settings = settings

    async def start(self) -> None:
        """The self-test."""
        if self._settings.self_test:
            await self._judge.test(self._policies, self.name)

    async def check(self, request: Outgoing) -> Verdict:
        """Block for a violation. Raises `NoVerdict`."""
        if not (self._settings.pii or request.caller.families.get(self.family)):
            return Allow()
        excerpts = of_request(request)
        if sum(len(excerpt.text) for excerpt in excerpts) > self._settings.budget_chars:
            raise NoVerdict(TOO_MUCH, retry_helps=False)
        caller = request.caller
        judgements = await self._judge.judged(self._policies, excerpts, caller, self._judge.ends(caller))
        bad, unjudged = sorted_out(judgements)
        if bad:
            return Block(
                reason=f"a policy model sees personal data in it: {bad[0].category}",
                findings=tuple(
                    dict.fromkeys(
                        Finding(one.category, span.field, span.start, span.end, one.confidence)
                        for one in bad
                        for span in one.spans
                    )
                ),
            )
        if unjudged:
            raise unjudged[0]
        return Allow()
