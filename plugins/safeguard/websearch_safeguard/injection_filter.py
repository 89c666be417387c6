"""safeguard-injection: a policy model judges what a model will read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from websearch_core import Allow, Block, Caller, Document, DocumentFilter, Finding, Hit, PluginContext, Rewrite, Verdict

from .endpoint import TOO_MUCH, NoVerdict
from .excerpts import Excerpt, of_document
from .judge import Judge, Judgement, sorted_out
from .paragraph_removal import excised
from .policies import Policy

if TYPE_CHECKING:
    from .settings import SafeguardSettings

_IN_PART = "a long page: a policy model has judged parts of it only"
_ROUNDS = 3


class SafeguardInjectionFilter(DocumentFilter):
    """Every part of hits and pages, and the text that a person would not see."""

    name = "safeguard-injection"
    family = "injection"
    priority = 40
    bypassable = True

    def __init__(
        self, ctx: PluginContext, judge: Judge, policies: Sequence[Policy], settings: SafeguardSettings
    ) -> None:
        self._ctx = ctx
        self._judge = judge
        self._policies = policies
        self._settings = settings

    async def start(self) -> None:
        """The self-test."""
        if self._settings.self_test:
            await self._judge.test(self._policies, self.name)

    async def check(self, documents: Sequence[Document], caller: Caller) -> Sequence[Verdict | NoVerdict]:
        """Block or Rewrite for a violation; `NoVerdict` for what could not be judged."""
        wanted = [index for index, document in enumerate(documents) if self._wants(document, caller)]
        verdicts: list[Verdict | NoVerdict] = [Allow()] * len(documents)
        ends = self._judge.ends(caller)
        judged = await self._judged([documents[index] for index in wanted], caller, ends)
        for index, verdict in zip(wanted, judged, strict=True):
            verdicts[index] = verdict
        if self._settings.action == "excise":
            return await self._excised(documents, verdicts, caller, ends)
        if self._settings.action == "annotate":
            return [_marked(verdict) for verdict in verdicts]
        return verdicts

    def _wants(self, document: Document, caller: Caller) -> bool:
        """A caller who asks for it has everything judged."""
        settings = self._settings
        if caller.families.get(self.family):
            return True
        if not (settings.search_injection if isinstance(document, Hit) else settings.fetch_injection):
            return False
        return settings.mode == "always" or any(
            settings.escalate_from <= lead.score <= settings.escalate_to for lead in document.leads
        )

    async def _judged(self, documents: Sequence[Document], caller: Caller, ends: float) -> list[Verdict | NoVerdict]:
        """All documents at once, until the budget is used up."""
        excerpts: list[Excerpt] = []
        shares: list[tuple[slice, bool] | None] = []
        left = self._settings.budget_chars
        for document in documents:
            own, whole = of_document(document, self._settings.windows_per_page)
            size = sum(len(excerpt.text) for excerpt in own)
            if size > left:
                shares.append(None)
                continue
            left -= size
            shares.append((slice(len(excerpts), len(excerpts) + len(own)), whole))
            excerpts += own
        judgements = await self._judge.judged(self._policies, excerpts, caller, ends)
        return [
            _verdict(judgements[share[0]], whole=share[1]) if share else NoVerdict(TOO_MUCH, retry_helps=False)
            for share in shares
        ]

    async def _excised(
        self, documents: Sequence[Document], verdicts: list[Verdict | NoVerdict], caller: Caller, ends: float
    ) -> list[Verdict | NoVerdict]:
        """Instead of a block, the document without what was found; only when the rest of it passes."""
        current = {i: documents[i] for i, verdict in enumerate(verdicts) if isinstance(verdict, Block)}
        blocks = {i: verdict for i, verdict in enumerate(verdicts) if isinstance(verdict, Block)}
        last = dict(blocks)
        for _ in range(_ROUNDS):
            cut = {i: after for i, d in current.items() if (after := excised(d, last[i].findings)) is not None}
            again = await self._judged([*cut.values()], caller, ends)
            current, last = {}, {}
            for (i, after), verdict in zip(cut.items(), again, strict=True):
                if isinstance(verdict, Block):
                    current[i], last[i] = after, verdict
                elif isinstance(verdict, Allow):
                    block = blocks[i]
                    reason = f"{block.reason}; {verdict.note}" if verdict.note else block.reason
                    verdicts[i] = Rewrite(reason=reason, parts=after.parts, findings=block.findings)
                else:
                    verdicts[i] = verdict
        return verdicts


def _marked(verdict: Verdict | NoVerdict) -> Verdict | NoVerdict:
    """A mark where something was found instead of a block; what nothing shows a place for is blocked all the same."""
    return Allow(findings=verdict.findings) if isinstance(verdict, Block) and verdict.findings else verdict


def _verdict(judgements: Sequence[Judgement | NoVerdict], *, whole: bool) -> Verdict | NoVerdict:
    bad, unjudged = sorted_out(judgements)
    if bad:
        findings = dict.fromkeys(
            Finding(one.category, span.field, span.start, span.end, one.confidence) for one in bad for span in one.spans
        )
        reason = f"a policy model sees instructions to an AI in it: {bad[0].category}"
        return Block(reason=reason, findings=tuple(findings))
    if unjudged:
        return unjudged[0]
    return Allow() if whole else Allow(note=_IN_PART)
