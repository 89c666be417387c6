"""Failures in words that model or operator can act on: constant text, a code, a next step, whether a retry helps."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from .errors import ADVICE, BackendError, BlockedByFilter, Code, NoAnswer, Refused

INTERNAL = "internal error: nothing was done that you can rely on. Trying once more may help."
"""All that a model is told of a bug."""


class Explained(NamedTuple):
    """A failure, ready to be shown."""

    text: str
    code: Code


def explained(error: BackendError | NoAnswer) -> Explained:
    """What happened, what to do next, and whether a retry helps."""
    if isinstance(error, NoAnswer):
        return _no_answer(error)
    advice = ADVICE[error.code]
    detail = error.detail
    if isinstance(error, BlockedByFilter) and error.by:
        detail = f"{detail} (filter {error.by})"
    elif isinstance(error, Refused) and advice.meaning not in detail:
        detail = f"{advice.meaning}: {detail}"
    return Explained(
        f"{error.code}: {detail}. Next: {advice.next_step}. {_retry(error.retry_helps, error.retry_after)}", error.code
    )


def timed_out() -> Explained:
    """The call's deadline passed."""
    text = f"{Code.TIMEOUT}: no answer in time. Next: ask for less, or try again. {_retry(True, None)}"
    return Explained(text, Code.TIMEOUT)


def _no_answer(error: NoAnswer) -> Explained:
    if not error.failures:
        return Explained(
            f"{Code.UNSUPPORTED}: no source is configured for this. Next: the operator must add one. "
            "A retry does not help.",
            Code.UNSUPPORTED,
        )
    lines = [
        f"- {failure.source}: {failure.code}: {_detail(failure.code, failure.detail)}. "
        f"{_retry(failure.retry_helps, failure.retry_after)}"
        for failure in error.failures
    ]
    steps = dict.fromkeys(ADVICE[failure.code].next_step for failure in error.failures)
    text = "No source could answer:\n" + "\n".join(lines) + f"\nNext: {'; or '.join(steps)}."
    if len(error.failures) > 1:
        text += f" {_soonest(error)}"
    return Explained(text, error.code)


def _soonest(error: NoAnswer) -> str:
    """When asking all of them again may help for the first time."""
    hopeful = [failure for failure in error.failures if failure.retry_helps]
    if not hopeful:
        return "Asking again unchanged does not help."
    first = min(hopeful, key=lambda failure: failure.retry_after or 0.0)
    wait = f" after {max(1, ceil(first.retry_after))} s" if first.retry_after is not None else ""
    return f"Asking again may help{wait} ({first.source})."


def _detail(code: Code, detail: str) -> str:
    meaning = ADVICE[code].meaning
    return detail if not detail or meaning in detail else f"{meaning}: {detail}" if detail != meaning else meaning


def _retry(helps: bool, after: float | None) -> str:
    if not helps:
        return "A retry does not help."
    return "A retry may help." if after is None else f"A retry may help after {max(1, ceil(after))} s."
