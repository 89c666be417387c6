"""Failures in words that model or operator can act on: constant text, a code, a next step, whether a retry helps."""

from __future__ import annotations

from math import ceil, inf
from typing import NamedTuple

from .errors import LONGEST_WAIT_S, AllSourcesFailed, BackendError, BlockedByFilter, Code, Failure, Refused

INTERNAL = "internal error: nothing was done that you can rely on. Trying once more may help."
"""All that a model is told of a bug."""
_ANOTHER = "use another source"
"""After a document that was blocked: there is nothing that the reader could leave out of it."""
_IN_HOURS_S = 7200
"""From here on, waits are told in hours."""


class Explained(NamedTuple):
    """A failure, ready to be shown."""

    text: str
    code: Code
    withheld: bool = False
    """A filter stopped the request itself: what was in it is not said again."""

    def address(self, url: str) -> str:
        """How the address that failed is named; its place in the answer tells which one it was."""
        return "(withheld)" if self.withheld else url


def explained(error: BackendError | AllSourcesFailed) -> Explained:
    """What happened, what to do next, and whether a retry helps."""
    if isinstance(error, AllSourcesFailed):
        return _no_answer(error)
    advice = error.advice
    detail = error.detail
    if isinstance(error, BlockedByFilter) and error.by:
        detail = f"{detail} (filter {error.by})"
    elif isinstance(error, Refused) and advice.meaning not in detail:
        detail = f"{advice.meaning}: {detail}"
    withheld = isinstance(error, BlockedByFilter) and not error.left
    step = advice.next_step
    if isinstance(error, BlockedByFilter) and error.left and not error.unjudged:
        step = _ANOTHER
    text = f"{error.code}: {detail}. Next: {step}. {_retry(error.retry_helps, error.retry_after)}"
    return Explained(text, error.code, withheld)


def timed_out() -> Explained:
    """The call's deadline passed."""
    text = f"{Code.TIMEOUT}: no answer in time. Next: ask for less, or try again. {_retry(True, None)}"
    return Explained(text, Code.TIMEOUT)


def _no_answer(error: AllSourcesFailed) -> Explained:
    if not error.failures:
        return Explained(
            f"{Code.UNSUPPORTED}: no source is configured for this. Next: the operator must add one. "
            "A retry does not help.",
            Code.UNSUPPORTED,
        )
    lines = [
        f"- {failure.source}: {failure.code}: {_detail(failure)}. {_retry(failure.retry_helps, failure.retry_after)}"
        for failure in error.failures
    ]
    steps = dict.fromkeys(failure.next_step or failure.code.advice.next_step for failure in error.failures)
    steps = [step for step in steps if not any(step != other and step in other for other in steps)]
    text = "No source could answer:\n" + "\n".join(lines) + f"\nNext: {'; or '.join(steps)}."
    if len(error.failures) > 1:
        text += f" {_soonest(error)}"
    return Explained(text, error.code)


def _soonest(error: AllSourcesFailed) -> str:
    """When asking all of them again may help for the first time."""
    hopeful = [failure for failure in error.failures if failure.retry_helps or _wait(failure.retry_after)]
    if not hopeful:
        return "Asking again unchanged does not help."
    first = min(hopeful, key=lambda failure: failure.retry_after or 0.0)
    return f"Asking again may help{_wait(first.retry_after)} ({first.source})."


def _detail(failure: Failure) -> str:
    meaning, detail = failure.code.advice.meaning, failure.detail
    return detail if failure.next_step or not detail or meaning in detail else f"{meaning}: {detail}"


def _retry(helps: bool, after: float | None) -> str:
    """Who knows when to come back is told so, also of failures after which a retry at once does not help."""
    wait = _wait(after)
    return f"A retry may help{wait}." if helps or wait else "A retry does not help."


def _wait(after: float | None) -> str:
    """How long, rounded up, so that no retry comes too early."""
    if after is None or not after < inf:
        return ""
    return f" after {wait_in_words(after)}"


def wait_in_words(seconds: float) -> str:
    """A number of seconds for a reader, rounded up: "34 s", "3 h", "a month or more"."""
    if seconds >= LONGEST_WAIT_S:
        return "a month or more"
    whole = max(1, ceil(seconds))
    return f"{whole} s" if whole < _IN_HOURS_S else f"{ceil(whole / 3600)} h"
