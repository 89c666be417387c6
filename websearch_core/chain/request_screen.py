"""What may leave this machine: every query, address and domain rule passes here, redirects too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from ..contract.errors import BlockedByFilter, InvalidRequest
from ..contract.models import FetchRequest, Outgoing, SearchRequest
from ..contract.verdicts import Allow, Block, Decision, Rewrite, Verdict
from .filter_runner import FilterRunner, checked, outcome_of, rewritten, skipped

if TYPE_CHECKING:
    from ..contract.interfaces import RequestFilter
    from ..net.policy import AddressPolicy

O = TypeVar("O", bound=Outgoing)  # noqa: E741 - the type variable of Outgoing


class RequestScreen:
    """Request filters in turn; each sees the text as the last left it."""

    def __init__(self, filters: Sequence[RequestFilter], policy: AddressPolicy, judging: FilterRunner) -> None:
        """The filters, in their order."""
        self._filters = tuple(filters)
        self._policy = policy
        self._judging = judging

    async def hop(self, request: FetchRequest) -> FetchRequest:
        """Judge a redirect's target like a first address; `ctx.web` calls this on every hop."""
        return (await self.screen(request))[0]

    async def screen(self, request: O) -> tuple[O, tuple[Decision, ...]]:
        """The request as the filters leave it. Raises `BlockedByFilter`, `Refused`, `InvalidRequest`."""
        request = self._admitted(request)
        trail: list[Decision] = []
        for judge in self._filters:
            if self._judging.switched_off(judge.family, request.caller):
                trail.append(skipped("screen", judge))
                continue
            request = await self._screened_by(judge, request, trail)
        return request, tuple(trail)

    def _admitted(self, request: O) -> O:
        """Check what needs no filter: the address rules, and the syntax of domain lists.

        An address goes on in the spelling that was judged: another reader of the raw one might see another host.
        """
        if isinstance(request, FetchRequest):
            target = self._policy.check(request.url, request.allowed_domains)
            return request if target.url == request.url else request.model_copy(update={"url": target.url})
        if isinstance(request, SearchRequest) and (request.allowed_domains or request.excluded_domains):
            from ..net.domains import compiled

            try:
                compiled(request.allowed_domains)
                compiled(request.excluded_domains)
            except ValueError:
                raise InvalidRequest(
                    "a domain rule is malformed; write for example example.com, =example.com or *.example.com"
                ) from None
        return request

    async def _screened_by(self, judge: RequestFilter, request: O, trail: list[Decision]) -> O:
        async def verdict() -> tuple[Verdict, O]:
            given = checked(await judge.check(request))
            if isinstance(given, Rewrite):
                return given, rewritten(request, given)
            return given, request

        outcome, request = await self._judging.guarded(
            judge.name,
            verdict,
            lambda failed: (failed, request),
            request.caller,
            lambda result: {outcome_of(result[0]): 1},
        )
        trail.append(
            Decision(
                stage="screen",
                by=judge.name,
                family=judge.family,
                outcome=outcome.kind,
                reason=outcome.note if isinstance(outcome, Allow) else outcome.reason,
                findings=outcome.findings,
            )
        )
        if isinstance(outcome, Block):
            raise BlockedByFilter(outcome.reason, by=judge.name, left=False, unjudged=outcome.unjudged)
        return self._admitted(request) if isinstance(outcome, Rewrite) else request
