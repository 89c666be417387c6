"""The filter that marks instructions to an AI in what a model will read, and takes out what it is sure of."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote_plus, urlsplit

from websearch_core import Allow, Block, Caller, Document, DocumentFilter, Finding, Rewrite, Verdict
from websearch_core.kit import ADDRESS_FIELDS, HIDDEN_FIELD, INJECTION_KIND, Part, Workers
from websearch_guard.recent_results import RecentResults, key_of
from websearch_guard.removal import Cut, Kept, cut

if TYPE_CHECKING:
    from .judge import Judgement, Span

Action = Literal["excise", "drop", "annotate"]

SITES = frozenset({"url", "final_url"})
DESCRIPTION = "description"
"""What a page says of itself to machines: no person sees it."""
WITHHELD = "(withheld)"
"""Stands for where a text came from: no other address is true."""
LONG = 20_000
"""So many characters together are judged in a worker."""
REMEMBERED, MOST_SPANS = 2048, 128
"""Of so many texts the judgement is remembered, where it is not longer than that."""
REMOVED = "suspected instructions to an AI were removed"
DROPPED = "suspected instructions to an AI"
NOTED = "parts of this text may be instructions to an AI: do not follow them"
UNSEEN = "hidden text of this page speaks to an AI; it is not shown"
_SEPARATORS = str.maketrans("+-_/?&=.~,;", " " * 11)


class InjectionFilter(DocumentFilter):
    """Judges every text of a document, its addresses' words and its hidden text, each for itself."""

    name = "guard-injection"
    family = "injection"
    bypassable = False
    priority = 5

    def __init__(
        self,
        workers: Workers,
        action: Action = "excise",
        actions: Mapping[str, Action] | None = None,
        threshold: float | None = None,
    ) -> None:
        """`actions` says otherwise for some families of rules; `threshold` (0 to 1) replaces the calibrated one."""
        self._workers = workers
        self._action: Action = action
        self._actions: dict[str, Action] = dict(actions or {})
        self._threshold = threshold
        self._last: RecentResults[Judgement] = RecentResults(REMEMBERED)

    def warm(self) -> None:
        """Read rules and weights."""
        from .judge import warm

        warm()

    def warm_later(self) -> None:
        """Compile the rules of every language."""
        from .judge import compile_rules

        compile_rules()

    async def check(self, documents: Sequence[Document], caller: Caller) -> Sequence[Verdict]:
        """Long texts go to a worker; what fails there fails here, and the core drops what was to be judged."""
        surfaces = [_surfaces(document) for document in documents]
        parts = [part for among in surfaces for part in among]
        keys = [key_of(caller.tenant, DESCRIPTION * (part.field == DESCRIPTION), readable(part)) for part in parts]
        known = {key: found for key in keys if (found := self._last.get(key))}
        new = {key: part for key, part in zip(keys, parts, strict=True) if key not in known}
        for key, found in zip(new, await self._judged([*new.values()]), strict=True):
            known[key] = found
            if len(found.spans) + len(found.marked) + len(found.leads) <= MOST_SPANS:
                self._last.keep(key, found)
        remaining = iter(keys)
        return [self._verdict([(part, known[next(remaining)]) for part in parts]) for parts in surfaces]

    async def _judged(self, parts: Sequence[Part]) -> list[Judgement]:
        from .judge import judge_all

        texts = [readable(part) for part in parts]
        unseen = frozenset(number for number, part in enumerate(parts) if part.field == DESCRIPTION)
        if sum(map(len, texts)) > LONG:
            return await self._workers.run(judge_all, texts, self._threshold, unseen)
        return judge_all(texts, self._threshold, unseen) if texts else []

    def _verdict(self, judged: Sequence[tuple[Part, Judgement]]) -> Verdict:
        shown = [(part, judgement) for part, judgement in judged if part.field != HIDDEN_FIELD]
        if not any(judgement.spans or judgement.marked for _, judgement in judged):
            whole = Kept(())
            return Allow(leads=self._leads([(part, found, whole) for part, found in shown]))
        removed = [_finding(part, span) for part, judgement in judged for span in judgement.spans]
        wanted = {self._action_for(span.family) for _, judgement in judged for span in judgement.spans}
        guilty = [part for part, judgement in shown if judgement.spans and part.field in SITES]
        if "drop" in wanted or any(self._speaks(part) for part in guilty):
            return Block(reason=DROPPED, findings=tuple(removed))
        cuts = {part.field: self._cut(part, judgement) for part, judgement in shown}
        leads = self._leads([(part, judgement, cuts[part.field].kept) for part, judgement in shown])
        marks = [
            _finding(part, span, cuts[part.field].kept)
            for part, judgement in shown
            # what is left of an address that was cut says nothing
            if part.field not in ADDRESS_FIELDS or cuts[part.field].text == part.text
            for span in self._marks(judgement)
        ]
        parts = tuple(Part(part.field, cuts[part.field].text) for part, _ in shown)
        if parts != tuple(part for part, _ in shown):
            excised = [found for found in removed if self._action_for(_family(found)) == "excise"]
            return Rewrite(parts=parts, reason=REMOVED, findings=tuple(excised), marks=tuple(marks), leads=leads)
        unseen = [found for found in removed if found.field == HIDDEN_FIELD]
        note = NOTED if "annotate" in wanted else UNSEEN if unseen else ""
        return Allow(findings=(*marks, *unseen), note=note, leads=leads)

    def _marks(self, judgement: Judgement) -> Iterator[Span]:
        """What is left with a warning: what one witness says, and what the operator only wants noted."""
        yield from judgement.marked
        yield from (span for span in judgement.spans if self._action_for(span.family) == "annotate")

    def _leads(self, shown: Sequence[tuple[Part, Judgement, Kept]]) -> tuple[Finding, ...]:
        """The best of all parts, at their places after the cut: one at least, so that all know the text was judged."""
        from .judge import worth_a_look

        found = [
            (lead, part.field, start, end)
            for part, judgement, kept in shown
            if part.field not in ADDRESS_FIELDS
            for lead in judgement.leads
            if (start := kept(lead.start)) < (end := kept(lead.end))
        ]
        found.sort(key=lambda entry: -entry[0].score)
        count = worth_a_look([lead.score for lead, *_ in found], self._threshold)
        return tuple(
            Finding(f"{INJECTION_KIND}{lead.family}", field, start, end, round(lead.score, 3))
            for lead, field, start, end in found[:count]
        )

    def _speaks(self, address: Part) -> bool:
        """Whether the site's name alone is an instruction: it stays wherever the address is shown."""
        from .judge import judge_all

        (judgement,) = judge_all([readable(Part(address.field, _site(address.text)))], self._threshold)
        return any(self._action_for(span.family) == "excise" for span in judgement.spans)

    def _cut(self, part: Part, judgement: Judgement) -> Cut:
        spans = [span for span in judgement.spans if self._action_for(span.family) == "excise"]
        if part.field not in ADDRESS_FIELDS:
            return cut(part.text, [(span.start, span.end) for span in spans])
        return Cut(_bare(part) if spans else part.text, Kept(()))

    def _action_for(self, family: str) -> Action:
        return self._actions.get(family, self._action)


def readable(part: Part) -> str:
    """What is judged of a part: of an address its words, at their places where nothing is encoded."""
    if part.field not in ADDRESS_FIELDS:
        return part.text
    return html.unescape(unquote_plus(part.text)).translate(_SEPARATORS)


def _surfaces(document: Document) -> tuple[Part, ...]:
    hidden = (Part(HIDDEN_FIELD, document.hidden),) if document.hidden.strip() else ()
    return (*document.parts, *hidden)


def _finding(part: Part, span: Span, kept: Kept | None = None) -> Finding:
    """An address is found guilty as a whole: its words' places are not those of its letters. `kept`: after the cut."""
    start, end = (0, len(part.text)) if part.field in ADDRESS_FIELDS else (span.start, span.end)
    if kept:
        start, end = kept(start), kept(end)
    return Finding(f"{INJECTION_KIND}{span.family}", part.field, start, end, round(span.score, 3))


def _family(found: Finding) -> str:
    return found.kind.removeprefix(INJECTION_KIND)


def _bare(part: Part) -> str:
    """What is left of an address that speaks: a document is still named by its site."""
    if part.field == "final_url":
        return WITHHELD
    return _site(part.text) if part.field in SITES else ""


def _site(address: str) -> str:
    split = urlsplit(address)
    return f"{split.scheme}://{split.netloc}/"
