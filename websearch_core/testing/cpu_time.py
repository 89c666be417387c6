"""That work is not slow, said so that a slow or busy machine does not make it untrue."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from reprlib import repr as shortened
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_TRIES = 3
_YARDSTICK = "Some words, a [link](to) and `code`; " * 8_000
_YARDSTICK_S = 0.025
"""For `_yardstick` where nothing else runs, on a machine of the kind the limits were set on."""


def within_cpu(seconds: float, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What `work` returns; it fails an assertion when it takes more CPU time than that.

    Where a fixed piece of work takes longer than on a quiet machine, so may this; and it is tried three times. Set
    the limit at five times what is usual, or more, and give the work so much to do that the fault which you look for
    (a quadratic time) would take longer still.
    """
    spent: list[float] = []
    for _ in range(_TRIES):
        began = time.process_time()
        made = work(*args, **kwargs)
        took = time.process_time() - began
        if took <= seconds:
            return made
        spent.append(took / slowness())
        if spent[-1] <= seconds:
            return made
    raise AssertionError(f"{min(spent):.2f} s of CPU time, and {seconds} s is the limit, for {shortened(args)}")


def slowness() -> float:
    """By how much work takes longer here and now than on a quiet machine; never below 1.

    `CPU_YARDSTICK_SCALE` makes the yardstick longer (4) or shorter (0.25): tests that pass with both depend on no
    machine's speed.
    """
    scale = float(os.environ.get("CPU_YARDSTICK_SCALE") or 1)
    return max(1.0, _yardstick_s() / (_YARDSTICK_S * scale))


def _yardstick_s() -> float:
    began = time.process_time()
    sum(len(word[0].lower()) for word in re.finditer(r"\w+", _YARDSTICK))
    return time.process_time() - began
