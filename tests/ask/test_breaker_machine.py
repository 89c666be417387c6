"""Whatever calls come to, in any order: one probe at a time, and a way back."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import settings, strategies
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from websearch_core.asking.source.breaker import OF_THE_SERVICE, Breaker, Permit
from websearch_core.contract.errors import BackendError, Code, of_code
from websearch_core.testing import FakeClock

KINDS = ("web", "news")
LONGEST_S = 86400.0


class Call(NamedTuple):
    number: int
    permit: Permit


class BreakerMachine(RuleBasedStateMachine):
    calls = Bundle("calls")

    def __init__(self) -> None:
        super().__init__()
        self.clock = FakeClock()
        self.breaker = Breaker(self.clock, OF_THE_SERVICE | {Code.BLOCKED_BY_SITE})
        self.out: dict[int, Permit] = {}
        self.probes: dict[str, set[int]] = {"": set(), **{kind: set() for kind in KINDS}}
        self.numbers = 0

    @rule(target=calls, kind=strategies.sampled_from(KINDS))
    def ask(self, kind: str):
        refusal = self.breaker.resting(kind)
        trials = [rest.kind for rest in self.breaker.rests() if rest.seconds == 0 and rest.kind in ("", kind)]
        try:
            permit = self.breaker.admit(kind)
        except BackendError as error:
            raised = error
        else:
            assert refusal is None
            assert self.breaker.state != "open"
            self.numbers += 1
            self.out[self.numbers] = permit
            for scope in trials:
                assert not self.probes[scope], "two probes at once"
                self.probes[scope].add(self.numbers)
            return Call(self.numbers, permit)
        assert refusal is not None
        assert raised.code is refusal.code
        return multiple()

    @rule(call=consumes(calls))
    def answer(self, call: Call) -> None:
        probe = call.number in self.probes[""]
        self.breaker.succeeded(call.permit)
        assert not probe or self.breaker.state == "closed"
        self._back(call)

    @rule(call=consumes(calls), code=strategies.sampled_from(Code), after=strategies.none() | strategies.integers(0, 9))
    def fail(self, call: Call, code: Code, after: int | None) -> None:
        self.breaker.failed(call.permit, of_code(code, "it failed", after))
        self._back(call)

    @rule(call=consumes(calls))
    def cancel(self, call: Call) -> None:
        self.breaker.released(call.permit)
        self._back(call)

    @rule(seconds=strategies.sampled_from((1.0, 30.0, 600.0, 3600.0, LONGEST_S)))
    def wait(self, seconds: float) -> None:
        self.clock.advance(seconds)

    @rule()
    def mend(self) -> None:
        self.breaker.close()
        assert not self.breaker.rests()
        for probes in self.probes.values():
            probes.clear()

    @invariant()
    def every_rest_ends_unless_the_key_was_refused(self) -> None:
        for rest in self.breaker.rests():
            assert (rest.seconds is None) == (rest.code is Code.AUTH)
            assert rest.seconds is None or rest.seconds <= LONGEST_S

    def teardown(self) -> None:
        for permit in self.out.values():
            self.breaker.released(permit)
        if any(rest.code is Code.AUTH for rest in self.breaker.rests()):
            self.breaker.close()
        self.clock.advance(LONGEST_S)
        for kind in KINDS:
            self.breaker.succeeded(self.breaker.admit(kind))
        assert not self.breaker.rests()

    def _back(self, call: Call) -> None:
        del self.out[call.number]
        for probes in self.probes.values():
            probes.discard(call.number)


TestBreakerMachine = BreakerMachine.TestCase
TestBreakerMachine.settings = settings(max_examples=200, stateful_step_count=40)
