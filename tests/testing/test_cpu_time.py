"""What is too slow fails, and what a slow machine lengthens does not."""

from __future__ import annotations

import time

import pytest

from websearch_core.testing import cpu_time
from websearch_core.testing.cpu_time import slowness, within_cpu


@pytest.fixture(autouse=True)
def unscaled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CPU_YARDSTICK_SCALE", raising=False)


class Machine:
    """Its CPU time passes only in work: so many seconds for each unit."""

    def __init__(self, *unit_s: float) -> None:
        self.now = 0.0
        self.tries = 0
        self._unit_s = unit_s

    @property
    def unit_s(self) -> float:
        return self._unit_s[min(self.tries, len(self._unit_s)) - 1]

    def process_time(self) -> float:
        return self.now

    def work(self, units: float) -> str:
        self.tries += 1
        self.now += units * self.unit_s
        return "made"

    def yardstick_s(self) -> float:
        return cpu_time._YARDSTICK_S * self.unit_s


@pytest.mark.parametrize(
    ("unit_s", "tries"),
    [((1,), 1), ((3,), 1), ((0.1,), 1), ((9, 1), 1)],
    ids=["quiet", "slow", "fast", "busy for a while"],
)
def test_what_is_quick_passes_on_any_machine(
    unit_s: tuple[float, ...], tries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(*unit_s)
    monkeypatch.setattr(cpu_time, "time", machine)
    monkeypatch.setattr(cpu_time, "_yardstick_s", machine.yardstick_s)
    assert within_cpu(2, machine.work, 1) == "made"
    assert machine.tries == tries


@pytest.mark.parametrize("unit_s", [1, 3])
def test_what_is_slow_fails_on_any_machine_and_is_named(unit_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(unit_s)
    monkeypatch.setattr(cpu_time, "time", machine)
    monkeypatch.setattr(cpu_time, "_yardstick_s", machine.yardstick_s)
    with pytest.raises(AssertionError, match=r"^2\.10 s of CPU time, and 2 s is the limit, for \(2\.1,\)$"):
        within_cpu(2, machine.work, 2.1)
    assert machine.tries == 3


def test_one_slow_try_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(5, 1)
    monkeypatch.setattr(cpu_time, "time", machine)
    monkeypatch.setattr(cpu_time, "_yardstick_s", lambda: 0.0)
    assert within_cpu(2, machine.work, 1) == "made"
    assert machine.tries == 2


def test_the_machines_own_clock_is_read() -> None:
    def work() -> int:
        return sum(range(1_000_000))

    began = time.process_time()
    assert within_cpu(60, work) == 499_999_500_000
    took = time.process_time() - began
    with pytest.raises(AssertionError):
        within_cpu(took / (1000 * slowness()), work)


@pytest.mark.parametrize(("scale", "slower"), [("", 2), ("0.25", 8), ("4", 1)])
def test_the_yardstick_can_be_scaled(scale: str, slower: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CPU_YARDSTICK_SCALE", scale)
    monkeypatch.setattr(cpu_time, "_yardstick_s", lambda: 2 * cpu_time._YARDSTICK_S)
    assert slowness() == slower
