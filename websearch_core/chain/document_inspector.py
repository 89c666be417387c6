"""What a model may read: every hit and every whole page passes here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from ..contract.models import Caller, Document
from ..contract.results import Inspected, Outcome
from ..contract.verdicts import Allow, Block, Decision, Dropped, Rewrite, Verdict
from ..marks import CLOSING, OPENING
from .document_marks import left_by, unmarked_document, with_marks_written
from .filter_runner import FilterRunner, outcome_of, rewritten
from .repeated_remarks import told_once

if TYPE_CHECKING:
    from ..contract.interfaces import DocumentFilter, TrustPolicy

D = TypeVar("D", bound=Document)

_LONGEST_LABEL, _MOST_HYPHENS = 30, 2
"""Of a host's label in a receipt: a stranger chose it, and receipts stand among our own words."""


class DocumentInspector:
    """Trust policies mark, then document filters judge in turn, all documents at once."""

    def __init__(
        self, filters: Sequence[DocumentFilter], trust_policies: Sequence[TrustPolicy], judging: FilterRunner
    ) -> None:
        """The filters, in their order; only the policies that the operator named."""
        self._filters = tuple(filters)
        self._trust_policies = tuple(trust_policies)
        self._judging = judging

    async def inspect(self, documents: Sequence[D], caller: Caller) -> Inspected[D]:
        """The documents as the filters leave them, in their order, with a warning at each passage that is marked."""
        trail: list[Decision] = []
        dropped: list[Dropped] = []
        notes: list[str] = []
        if not documents:
            return Inspected(())
        current: list[D | None] = [unmarked_document(document) for document in documents]
        trusted = await self._trusted(documents, caller, trail)
        for judge in self._filters:
            if self._judging.switched_off(judge.family, caller):
                reason = "switched off by the caller"
                trail.append(
                    Decision(stage="inspect", by=judge.name, family=judge.family, outcome="skip", reason=reason)
                )
                continue
            chosen = [i for i, d in enumerate(current) if d is not None and not (judge.bypassable and i in trusted)]
            if not chosen:
                continue
            outcomes = await self._judged(judge, [d for i in chosen if (d := current[i]) is not None], caller)
            for index, outcome in zip(chosen, outcomes, strict=True):
                document = current[index]
                if document is None:
                    continue
                current[index] = None if isinstance(outcome, Block) else left_by(outcome, document)
                said = outcome.note if isinstance(outcome, Allow) else outcome.reason
                if isinstance(outcome, Allow) and not said and not outcome.findings:  # the most usual
                    continue
                host = host_of(document.reached)
                if isinstance(outcome, Block):
                    dropped.append(Dropped(host=host, by=judge.name, reason=said, unjudged=outcome.unjudged))
                elif said:
                    notes.append(": ".join(part for part in (host, judge.name, said) if part))
                step = Decision(stage="inspect", by=judge.name, family=judge.family, outcome="allow", about=host)
                if said or outcome.findings:
                    changes = {"outcome": outcome.kind, "reason": said, "findings": outcome.findings}
                    trail.append(step.model_copy(update=changes))
                if isinstance(outcome, Rewrite) and outcome.marks:
                    trail.append(step.model_copy(update={"findings": outcome.marks}))
        kept: list[D] = []
        for before, after in zip(documents, current, strict=True):
            if after is not None:
                document, marked = with_marks_written(after)
                kept.append(document)
                notes += _remarks(before, document, marked)
        return Inspected(tuple(kept), tuple(dropped), tuple(trail), told_once(notes))

    async def _judged(self, judge: DocumentFilter, documents: Sequence[Document], caller: Caller) -> list[Verdict]:
        async def verdicts() -> list[Verdict]:
            given = [
                self._judging.of_one(judge.name, verdict) for verdict in await judge.check(tuple(documents), caller)
            ]
            for document, verdict in zip(documents, given, strict=True):
                if isinstance(verdict, Rewrite):
                    rewritten(document, verdict)  # invalid: fails here, where failing is closed
            return given

        return await self._judging.guarded(
            judge.name,
            verdicts,
            lambda failed: [failed] * len(documents),
            caller,
            lambda given: Counter[Outcome](map(outcome_of, given)),
        )

    async def _trusted(self, documents: Sequence[Document], caller: Caller, trail: list[Decision]) -> set[int]:
        """Indexes of the documents that a policy trusts; asking for `injection` switches trust off."""
        trusted: set[int] = set()
        if caller.families.get("injection") or not any(judge.bypassable for judge in self._filters):
            return trusted
        for policy in self._trust_policies:
            for index, document in enumerate(documents):
                if index in trusted:
                    continue

                async def asked(policy: TrustPolicy = policy, document: Document = document) -> bool:
                    return await policy.trusts(document) is True

                if await self._judging.guarded(policy.name, asked, lambda _: False, caller, lambda _: {}):
                    trusted.add(index)
                    trail.append(
                        Decision(stage="inspect", by=policy.name, outcome="trust", about=host_of(document.reached))
                    )
        return trusted


def _remarks(before: Document, after: Document, marked: int) -> Iterator[str]:
    """What the reader is told of a document's warnings."""
    host = f"{host}: " if (host := host_of(after.reached)) else ""
    if any(OPENING in text or CLOSING in text for _, text in before.parts):
        yield f"{host}imitations of this server's warnings were removed from this text"
    if marked:
        what = "passage is" if marked == 1 else "passages are"
        yield f"{host}{marked} {what} marked as suspected instructions to an AI"


def host_of(url: str) -> str:
    """The host of an address, for receipts: never the path or the query, and no label that could be a sentence."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    labels = (
        "…" if len(label) > _LONGEST_LABEL or label.count("-") > _MOST_HYPHENS else label for label in host.split(".")
    )
    return ".".join(labels)
