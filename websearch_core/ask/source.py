"""One source as the chain asks it: breaker, limit of calls in flight, deadline, and what observers are told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol, TypeVar

from ..answers import Event, Outcome
from ..errors import BackendError, Code, TimedOut
from ..interfaces import Clock
from ..models import Caller
from .breaker import Breaker, State
from .failures import plugin_bug

if TYPE_CHECKING:
    from anyio import Semaphore

T = TypeVar("T")

FAIR_CHANCE_S = 5.0
"""A timeout counts for the breaker only if the source had this long: hurried callers prove nothing about it."""
SPARE_S = 0.05
"""Of the time to a caller's deadline, at least this and a twentieth stay for making an answer of what there is."""


class Told(Protocol):
    """What an answer tells observers."""

    @property
    def cost(self) -> float | None:
        """In the unit that the source documents."""
        ...

    @property
    def empty(self) -> bool:
        """Whether there was nothing."""
        ...


A = TypeVar("A", bound=Told)


class Source:
    """Guards the calls to one backend or fetcher. Each call ends in an answer or in a `BackendError`, nothing else."""

    def __init__(
        self,
        name: str,
        clock: Clock,
        notify: Callable[[Event], None],
        *,
        timeout_s: float,
        concurrency: int,
        breaker: Breaker | None,
    ) -> None:
        self.name = name
        self._clock = clock
        self._notify = notify
        self._timeout_s = timeout_s
        self._concurrency = concurrency
        self._breaker = breaker
        self._slots: Semaphore | None = None

    @property
    def state(self) -> State:
        """Of the breaker; a source without one is always closed."""
        return self._breaker.state if self._breaker else "closed"

    def resting(self) -> BackendError | None:
        """Why it would not be asked now, or None."""
        return self._breaker.resting() if self._breaker else None

    async def call(self, ask: Callable[[Caller], Awaitable[A]], caller: Caller, deadline: float | None) -> A:
        """Ask, and be back before `deadline`. `ask` gets the caller with the deadline of this very call.

        Raises `BackendError`. An exception of another kind is the plugin's bug: logged, and a `ServerFailed`.
        """
        now = self._clock.monotonic()
        seconds = self._timeout_s
        if deadline is not None:
            seconds = min(seconds, deadline - now - max(SPARE_S, (deadline - now) / 20))
        if seconds <= 0:
            raise TimedOut("no time was left to ask it")
        permit = self._breaker.admit() if self._breaker else 0
        caller = caller.model_copy(update={"deadline": now + seconds, "session": ""})
        outcome: Outcome = "cancelled"
        code, cost = "", None
        try:
            answer = await self._asked(ask, caller, seconds)
        except BackendError as error:
            outcome, code = "fail", error.code
            self._judge(permit, error, seconds)
            raise
        except BaseException:
            if self._breaker:
                self._breaker.released(permit)
            raise
        else:
            outcome, cost = ("empty" if answer.empty else "answer"), answer.cost
            if self._breaker:
                self._breaker.succeeded(permit)
            return answer
        finally:
            self._tell(outcome, code, cost, caller.tenant, now)

    async def _asked(self, ask: Callable[[Caller], Awaitable[A]], caller: Caller, seconds: float) -> A:
        import anyio

        if self._slots is None:
            self._slots = anyio.Semaphore(self._concurrency, fast_acquire=True)
        answer: A | None = None
        entered = False
        with anyio.move_on_after(seconds) as scope:
            async with self._slots:
                entered = True
                try:
                    answer = await ask(caller)
                except BackendError:
                    raise
                except Exception as error:  # noqa: BLE001 - a plugin may raise anything
                    raise plugin_bug(self.name, error) from None
        if scope.cancelled_caught or answer is None:
            raise TimedOut if entered else Busy("too many calls to it are in flight")
        return answer

    def _judge(self, permit: int, error: BackendError, seconds: float) -> None:
        if self._breaker is None:
            return
        hurried = error.code is Code.TIMEOUT and seconds < min(FAIR_CHANCE_S, self._timeout_s)
        if hurried or isinstance(error, Busy):
            self._breaker.released(permit)
        else:
            self._breaker.failed(permit, error)

    def _tell(self, outcome: Outcome, code: str, cost: float | None, tenant: str, since: float) -> None:
        self._notify(
            Event(
                kind="ask",
                component=self.name,
                outcome=outcome,
                code=code,
                tenant=tenant,
                took=max(0.0, self._clock.monotonic() - since),
                cost=cost,
                at=datetime.fromtimestamp(self._clock.now(), UTC),
            )
        )


class Busy(TimedOut):
    """All slots were taken until the deadline: our own limit, which says nothing about the source."""
