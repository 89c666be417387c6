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
from .document_marks import is_plain, left_by, unmarked_document, with_marks_written
from .filter_runner import FilterRunner, outcome_of, rewritten, skipped
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
        if not documents:
            return Inspected(())
        trail: list[Decision] = []
        dropped: list[Dropped] = []
        notes: list[str] = []
        plain = [is_plain(document) for document in documents]
        clean = [doc if is_so else unmarked_document(doc) for doc, is_so in zip(documents, plain, strict=True)]
        current: list[D | None] = [*clean]
        trusted = await self._trusted(documents, caller, trail)
        for judge in self._filters:
            if self._judging.switched_off(judge.family, caller):
                trail.append(skipped("inspect", judge))
                continue
            spared = trusted if judge.bypassable else frozenset[int]()
            chosen = [(i, document) for i, document in enumerate(current) if document is not None and i not in spared]
            verdicts = await self._verdicts(judge, [document for _, document in chosen], caller) if chosen else ()
            for (index, document), verdict in zip(chosen, verdicts, strict=True):
                if isinstance(verdict, Allow) and not (verdict.findings or verdict.leads or verdict.note):
                    continue  # the most usual
                current[index] = None if isinstance(verdict, Block) else left_by(verdict, document)
                said = verdict.note if isinstance(verdict, Allow) else verdict.reason
                if isinstance(verdict, Allow) and not said and not verdict.findings:
                    continue
                host = host_of(document.reached)
                if isinstance(verdict, Block):
                    dropped.append(Dropped(host=host, by=judge.name, reason=said, unjudged=verdict.unjudged))
                elif said:
                    notes.append(": ".join(part for part in (host, judge.name, said) if part))
                step = Decision(stage="inspect", by=judge.name, family=judge.family, outcome="allow", about=host)
                if said or verdict.findings:
                    changes = {"outcome": verdict.kind, "reason": said, "findings": verdict.findings}
                    trail.append(step.model_copy(update=changes))
                if isinstance(verdict, Rewrite) and verdict.marks:
                    trail.append(step.model_copy(update={"findings": verdict.marks}))
        kept: list[D] = []
        for before, is_so, without_marks, after in zip(documents, plain, clean, current, strict=True):
            if is_so and after is before:  # the most usual
                kept.append(before)
            elif after is not None:
                document, marked = with_marks_written(after)
                kept.append(document)
                if marked or before is not without_marks:
                    notes += _remarks(before, document, marked)
        return Inspected(tuple(kept), tuple(dropped), tuple(trail), told_once(notes))

    async def _verdicts(self, judge: DocumentFilter, documents: Sequence[Document], caller: Caller) -> list[Verdict]:
        async def judged() -> list[Verdict]:
            given = [
                self._judging.of_one(judge.name, verdict) for verdict in await judge.check(tuple(documents), caller)
            ]
            for document, verdict in zip(documents, given, strict=True):
                if isinstance(verdict, Rewrite):
                    rewritten(document, verdict)  # invalid: fails here, where failing is closed
            return given

        return await self._judging.guarded(
            judge.name,
            judged,
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
                if index not in trusted and await self._trusts(policy, document, caller):
                    trusted.add(index)
                    about = host_of(document.reached)
                    trail.append(Decision(stage="inspect", by=policy.name, outcome="trust", about=about))
        return trusted

    async def _trusts(self, policy: TrustPolicy, document: Document, caller: Caller) -> bool:
        async def asked() -> bool:
            return await policy.trusts(document) is True

        return await self._judging.guarded(policy.name, asked, lambda _: False, caller, lambda _: {})


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
