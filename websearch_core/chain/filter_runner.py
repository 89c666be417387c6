"""How every filter is run: within its time, its nonsense refused, its failure closed, its verdict told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, TypeVar

from ..contract.errors import BackendError, Unjudged
from ..contract.fields import Parted
from ..contract.models import SWITCHABLE, Caller
from ..contract.results import Event, Outcome
from ..contract.verdicts import Allow, Block, Decision, Rewrite, Verdict
from ..contract.work_timeout import TIMEOUT

if TYPE_CHECKING:
    from ..contract.interfaces import Clock, DocumentFilter, RequestFilter
    from ..settings.configuration import ChainSettings

log = logging.getLogger(__name__)

UNJUDGED = "the filter could not judge this"
LATE = "the filter took longer to judge this than [chain] filter_timeout_s allows"
PAST_DEADLINE = "the call's time was over before the filter had judged this"
_LESS = Unjudged(next_step="try again, or ask for fewer pages or results at once")
_ELSE = Unjudged(
    next_step="ask for something else, or try again: pages are judged whole, so a part of one takes as long; "
    "the operator can raise filter_timeout_s"
)

P = TypeVar("P", bound=Parted)
T = TypeVar("T")


class FilterRunner:
    """Shared by screening and inspecting: one way to run a filter, one answer when it fails."""

    def __init__(
        self, settings: ChainSettings, floor: frozenset[str], clock: Clock, notify: Callable[[Event], None] | None
    ) -> None:
        """`floor` are the filter families that no caller switches off. `notify` is None where nobody listens."""
        self._settings = settings
        self._floor = floor
        self._clock = clock
        self._notify = notify
        self.loading: asyncio.Event | None = None
        """None once the filters have loaded; until then each call waits for it in its own time. Set: they cannot."""

    async def guarded(
        self,
        name: str,
        work: Callable[[], Awaitable[T]],
        on_failure: Callable[[Verdict], T],
        caller: Caller,
        told: Callable[[T], Mapping[Outcome, int]],
    ) -> T:
        """Fail closed: an error, a timeout or nonsense is the safe answer, never a pass. Cancellation stays that.

        `on_failure` makes the safe answer of the verdict that stands for a failure, `Block` or what the operator chose.
        `told` says what observers hear of a result: how many ended how.
        """
        began = self._clock.monotonic()
        seconds = self._settings.filter_timeout_s
        late = LATE, _ELSE
        if caller.deadline is not None and caller.deadline - began < seconds:
            seconds, late = caller.deadline - began, (PAST_DEADLINE, _LESS)
        outcomes: Mapping[Outcome, int] = {"cancelled": 1}
        timeout = asyncio.timeout(max(seconds, 0.0))
        try:
            async with timeout:
                token = TIMEOUT.set(timeout)
                try:
                    if self.loading:
                        await self.loading.wait()
                        if self.loading:
                            raise RuntimeError("the filters do not load")
                    result = await work()
                finally:
                    TIMEOUT.reset(token)
            if self._notify:
                outcomes = told(result)
        except (Exception, SystemExit, KeyboardInterrupt) as error:  # noqa: BLE001 - whatever a filter raises, its answer is the safe one
            outcomes = {"fail": 1}
            log.error("filter %s failed (%s); its safe answer is used", name, type(error).__name__)  # noqa: TRY400 - a traceback could quote what was judged
            return on_failure(self.failed(name, *(late if timeout.expired() else _of(error))))
        else:
            return result
        finally:
            if self._notify:
                took, at = self._clock.monotonic() - began, datetime.fromtimestamp(self._clock.now(), UTC)
                event = Event(kind="filter", component=name, outcome="fail", tenant=caller.tenant, took=took, at=at)
                for outcome, count in outcomes.items():
                    self._notify(event.model_copy(update={"outcome": outcome, "count": count}))

    def failed(self, name: str, reason: str = UNJUDGED, unjudged: Unjudged = Unjudged()) -> Verdict:  # noqa: B008 - a value
        """What a filter's failure means: Block, unless the operator chose otherwise for this one, and it had loaded."""
        if self.loading:
            return Block(reason="the server had not loaded its filters yet", unjudged=Unjudged(next_step="try again"))
        if self._settings.on_failure.get(name) == "allow":
            return Allow(note="unchecked: the filter failed, and the operator lets that pass")
        return Block(reason=reason, unjudged=unjudged)

    def of_one(self, name: str, given: object) -> Verdict:
        """What a filter returned for one document of several."""
        if given is None:
            return self.failed(name)
        return self.failed(name, *_of(given)) if isinstance(given, BackendError) else checked(given)

    def switched_off(self, family: str, caller: Caller) -> bool:
        """Whether this caller may do, and does, without this family."""
        return family in SWITCHABLE and family not in self._floor and caller.families.get(family) is False


def skipped(stage: Literal["screen", "inspect"], judge: RequestFilter | DocumentFilter) -> Decision:
    """The step of a filter that the caller does without."""
    reason = "switched off by the caller"
    return Decision(stage=stage, by=judge.name, family=judge.family, outcome="skip", reason=reason)


def checked(given: object) -> Verdict:
    """What a filter returned, if it is a verdict: an untyped filter's None or True must not pass."""
    if isinstance(given, Rewrite) and given.text is None and given.parts is None:
        raise TypeError("a rewrite without text")
    if isinstance(given, Allow | Rewrite | Block):
        return given
    raise TypeError("not a verdict")


def outcome_of(verdict: Verdict) -> Outcome:
    """What observers hear of it: a block for want of a verdict is a failure."""
    return "fail" if isinstance(verdict, Block) and verdict.unjudged else verdict.kind


def _of(error: BaseException) -> tuple[str, Unjudged]:
    """Why there is no verdict; the `BackendError` of a service that the filter asked says whether a retry helps."""
    if isinstance(error, BackendError):
        return f"{UNJUDGED}: {error.detail}", Unjudged(error.retry_helps, error.retry_after, error.next_step)
    return UNJUDGED, Unjudged()


def rewritten(value: P, verdict: Rewrite) -> P:
    """The value as the verdict wants it. Raises ValueError when the rewrite does not fit."""
    if verdict.parts is not None:
        return value.with_parts(verdict.parts)
    return value.with_text(verdict.text or "")
