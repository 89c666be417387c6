"""One search under way: what each backend said so far, and what all of it comes to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ...contract.error_texts import wait_in_words
from ...contract.errors import Failure
from ...contract.interfaces import SearchBackend
from ...contract.models import SearchRequest
from ...contract.verdicts import Decision
from ..source.answer_cache import CachedSearch
from .constraints import CheckedHits, RequestLimits
from .fusion import fuse


@dataclass(slots=True)
class SearchRun:
    """Filled while backends are asked, read once at the end."""

    request: SearchRequest
    limits: RequestLimits
    deadline: Callable[[], float | None]
    answers: dict[str, CheckedHits] = field(default_factory=dict[str, CheckedHits])
    failures: dict[str, Failure] = field(default_factory=dict[str, Failure])
    notes: list[str] = field(default_factory=list[str])
    trail: list[Decision] = field(default_factory=list[Decision])
    missed: bool = False
    """A source could not answer that may be able to soon."""

    def skipped(self, failure: Failure) -> None:
        """A source that cannot serve this request was not asked."""
        self.failures[failure.source] = failure
        self.trail.append(Decision(stage="ask", by=failure.source, outcome="skip", reason=failure.detail))

    def failed(self, failure: Failure) -> None:
        """A source that was asked could not answer, or rests: the answer's reader is told."""
        self.failures[failure.source] = failure
        self.missed = self.missed or failure.retry_helps
        what = "was not asked, it rests" if failure.resting else "could not answer"
        until = f", {wait_in_words(failure.retry_after)}" if failure.resting and failure.retry_after else ""
        self.notes.append(f"{failure.source} {what}: {failure.code}{until}")
        self.trail.append(Decision(stage="ask", by=failure.source, outcome="fail", reason=failure.code))

    def answered(self, name: str, answer: CheckedHits) -> None:
        """A source answered, if only with nothing."""
        self.answers[name] = answer
        self.trail.append(Decision(stage="ask", by=name, outcome="empty" if answer.empty else "answer"))

    def thinned(self, name: str, answer: CheckedHits | None) -> None:
        """What the source said to the query without small words: taken when it is more."""
        if answer is None:
            return
        first = self.answers[name]
        cost = None if first.cost is answer.cost is None else (first.cost or 0) + (answer.cost or 0)
        better = answer if len(answer.hits) > len(first.hits) else first
        self.answers[name] = replace(better, cost=cost)
        if better is answer:
            self.notes.append(f"{name} was asked again without small words, since it found hardly anything")

    def found(self) -> int:
        """How many hits there are so far, before merging."""
        return sum(len(answer.hits) for answer in self.answers.values())

    def has_hits(self, backends: Sequence[SearchBackend]) -> bool:
        """Whether one of these found something."""
        return any(not self.answers[backend.name].empty for backend in backends if backend.name in self.answers)

    def outcome(self, now: float, ordinary: Sequence[SearchBackend], joining: Sequence[SearchBackend]) -> CachedSearch:
        """The hits of all who had some, merged; empty only if an ordinary backend said so; else the failures.

        That a collection found nothing is no answer where another could not be asked.
        """
        names = [backend.name for backend in (*ordinary, *joining) if backend.name in self.answers]
        lists = [self.answers[name].hits for name in names if not self.answers[name].empty]
        answered = [backend for backend in ordinary if backend.name in self.answers]
        asked_in_vain = any(step.outcome == "fail" for step in self.trail)
        if not lists and (not answered or (asked_in_vain and all(backend.is_corpus for backend in answered))):
            failures = tuple(self.failures.values())
            return CachedSearch(written=now, failures=failures, trail=tuple(self.trail), cost=self._cost())
        empty = [backend.name for backend in answered if lists and self.answers[backend.name].empty]
        notes = [*self.notes, *(f"{name} found nothing" for name in empty)]
        notes += [note for name in names for note in self.answers[name].notes]
        return CachedSearch(
            written=now,
            hits=lists[0] if len(lists) == 1 else fuse(lists, self.request.max_results),
            notes=tuple(dict.fromkeys(notes)),
            backends=tuple(names),
            trail=tuple(self.trail),
            cost=self._cost(),
            brief=self.missed or not self.has_hits(ordinary),
        )

    def _cost(self) -> float | None:
        costs = [answer.cost for answer in self.answers.values() if answer.cost is not None]
        return sum(costs) if costs else None
