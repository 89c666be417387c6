"""The contracts of filters: request filters judge what leaves, document filters what a model will read."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar
from urllib.parse import quote

import pytest

from websearch_core.contract.context import PluginContext
from websearch_core.contract.errors import BackendError
from websearch_core.contract.interfaces import DocumentFilter, RequestFilter
from websearch_core.contract.models import Caller, Document, FetchRequest, Hit, Outgoing, Page, SearchRequest
from websearch_core.contract.verdicts import Allow, Block, Finding, Rewrite, Verdict

from .contract import SLUG, Contract
from .probes import ODD_TEXTS, findings_are_sound, longest_hold_ms, rewritten

CALLER = Caller(tenant="test")
_MARKED = 0.8
"""So much of an attack is marked, at least, where it is marked and not removed."""
READABLE = ("title", "snippet", "author", "site", "body", "alt")


class RequestFilterContract(Contract[RequestFilter]):
    """For a request filter: texts that it allows, blocks, rewrites."""

    allowed: ClassVar[Sequence[str]]
    blocked: ClassVar[Sequence[str]] = ()
    rewritten: ClassVar[Mapping[str, str]] = {}
    """Text → what must be left of it."""

    @abstractmethod
    def filter(self, ctx: PluginContext) -> RequestFilter:
        """The filter, as the plugin's hook makes it."""

    def make(self, ctx: PluginContext) -> RequestFilter:
        """The filter."""
        return self.filter(ctx)

    def outgoing(self, text: str) -> Outgoing:
        """A request whose main part is this text."""
        return SearchRequest(query=text)

    async def verdict(self, made: RequestFilter, text: str) -> Verdict:
        """The verdict on this text, checked to be one."""
        request = self.outgoing(text)
        verdict = await made.check(request)
        assert isinstance(verdict, (Allow, Rewrite, Block)), f"a verdict is Allow, Rewrite or Block, not {verdict!r}"
        findings_are_sound(request, verdict.findings)
        return verdict

    async def test_there_are_samples(self) -> None:
        """Of what passes, and of what does not."""
        assert self.allowed, "allowed needs a sample"
        assert self.blocked or self.rewritten, "blocked or rewritten needs a sample"

    async def test_harmless_text_is_allowed(self, made: RequestFilter) -> None:
        """Unchanged."""
        for text in self.allowed:
            assert isinstance(await self.verdict(made, text), Allow), f"not allowed: {text!r}"

    async def test_forbidden_text_is_blocked(self, made: RequestFilter) -> None:
        """And nothing leaves."""
        for text in self.blocked:
            assert isinstance(await self.verdict(made, text), Block), f"not blocked: {text!r}"

    async def test_forbidden_text_in_an_address_does_not_leave(self, made: RequestFilter) -> None:
        """A fetch can carry words out as well as a search can."""
        for text in self.blocked:
            request = FetchRequest(url=f"https://example.com/?q={quote(text)}")
            verdict = await made.check(request)
            assert not isinstance(verdict, Allow), f"leaves in an address: {text!r}"
            assert verdict.kind == "block" or rewritten(request, verdict).text != request.text

    async def test_forbidden_text_between_harmless_words_does_not_leave(self, made: RequestFilter) -> None:
        """Nor does it in capitals' company, or at the end of a long query."""
        for text in (*self.blocked, *self.rewritten):
            for around in ("please tell me: {} thank you", "word " * 200 + "{}", "{}\nword"):
                assert not isinstance(await self.verdict(made, around.format(text)), Allow), f"passes: {text!r}"

    async def test_a_rewrite_is_valid_as_expected_and_stable(self, made: RequestFilter) -> None:
        """What it left is left alone when it is checked again."""
        for text, expected in self.rewritten.items():
            verdict = await self.verdict(made, text)
            assert isinstance(verdict, Rewrite), f"not rewritten: {text!r}"
            after = rewritten(self.outgoing(text), verdict)
            assert after.parts[0].text == expected
            again = await made.check(after)
            assert isinstance(again, Allow) or rewritten(after, again) == after, "a rewrite must be stable"

    @pytest.mark.parametrize("name", ODD_TEXTS)
    async def test_odd_unicode_gets_a_verdict(self, made: RequestFilter, name: str) -> None:
        """And a rewrite of it is valid."""
        request = self.outgoing(ODD_TEXTS[name])
        rewritten(request, await self.verdict(made, ODD_TEXTS[name]))

    async def test_a_reason_is_constant_text(self, made: RequestFilter) -> None:
        """It is logged and shown: it must not repeat what it protects."""
        for text in (*self.blocked, *self.rewritten):
            reasons = {_reason(await self.verdict(made, f"{text} {mark}")) for mark in ("zebracanary", "yakcanary")}
            assert len(reasons) == 1, f"the reason depends on the text: {reasons}"
            _says_nothing_of(text, reasons.pop())

    async def test_the_family_is_a_slug(self, made: RequestFilter) -> None:
        """Or empty."""
        assert not made.family or SLUG.fullmatch(made.family)

    async def test_nothing_is_printed(self, made: RequestFilter, capfd: pytest.CaptureFixture[str]) -> None:
        """One line on stdout breaks the stdio transport."""
        for text in (*self.allowed, *self.blocked, *self.rewritten):
            await self.verdict(made, text)
        assert capfd.readouterr().out == ""

    async def test_many_checks_at_once_agree_with_one(self, made: RequestFilter) -> None:
        """No state between calls."""
        texts = [*self.allowed, *self.blocked, *self.rewritten] * 3
        alone = [await self.verdict(made, text) for text in texts]
        assert await asyncio.gather(*(self.verdict(made, text) for text in texts)) == alone

    async def test_the_event_loop_is_not_held(self, made: RequestFilter, ctx: PluginContext) -> None:
        """Not even by the longest query."""
        for text in (ODD_TEXTS["one long word"], ODD_TEXTS["many short words"], "a@" * 1000, "1 " * 1000, "((" * 1000):
            held = await longest_hold_ms(lambda text=text: made.check(SearchRequest(query=text)), ctx.workers)
            assert held < 50, f"the event loop was held for {held:.0f} ms"


class DocumentFilterContract(Contract[DocumentFilter]):
    """For a document filter: attacks that must not pass in any part, clean texts that must."""

    attacks: ClassVar[Sequence[str]]
    clean: ClassVar[Sequence[str]]
    parts: ClassVar[Sequence[str]] = READABLE
    """The parts in which the attacks are tried: all, unless the filter is about some only."""

    @abstractmethod
    def filter(self, ctx: PluginContext) -> DocumentFilter:
        """The filter, as the plugin's hook makes it."""

    def make(self, ctx: PluginContext) -> DocumentFilter:
        """The filter."""
        return self.filter(ctx)

    async def judged(self, made: DocumentFilter, documents: Sequence[Document]) -> Sequence[Verdict | None]:
        """A verdict for each document, checked to be one; None where the filter says that it could not judge."""
        given = await made.check(documents, CALLER)
        assert len(given) == len(documents), f"{len(documents)} documents got {len(given)} verdicts"
        verdicts = [None if isinstance(verdict, BackendError) else verdict for verdict in given]
        for document, verdict in zip(documents, verdicts, strict=True):
            assert verdict is None or isinstance(verdict, (Allow, Rewrite, Block)), f"not a verdict: {verdict!r}"
            findings_are_sound(document, () if verdict is None else verdict.findings)
            if isinstance(verdict, Rewrite):
                findings_are_sound(rewritten(document, verdict), verdict.marks)
        return verdicts

    async def verdicts(self, made: DocumentFilter, documents: Sequence[Document]) -> Sequence[Verdict]:
        """A verdict for each document: samples must not be too much for the filter."""
        verdicts = [verdict for verdict in await self.judged(made, documents) if verdict is not None]
        assert len(verdicts) == len(documents), "a sample could not be judged"
        return verdicts

    async def test_there_are_samples(self) -> None:
        """Of attacks and of clean text."""
        assert self.attacks, "attacks needs a sample"
        assert self.clean, "clean needs a sample"

    async def test_clean_documents_are_allowed(self, made: DocumentFilter) -> None:
        """Hits and pages, unchanged."""
        for text in self.clean:
            for document in (*(_hit(part, text) for part in self.parts), _page(text)):
                [verdict] = await self.verdicts(made, [document])
                assert isinstance(verdict, Allow), f"not allowed: {text!r}"
                assert not verdict.findings, f"marked: {text!r}"

    @pytest.mark.parametrize("part", READABLE)
    async def test_attacks_do_not_pass_in_any_part(self, made: DocumentFilter, part: str) -> None:
        """Titles are read by models, too. What is marked as suspect does not pass."""
        if part not in self.parts:
            pytest.skip(f"this filter is not about {part}")
        for text in self.attacks:
            document = _hit(part, text)
            self._does_not_pass(document, (await self.verdicts(made, [document]))[0], text, part)

    async def test_attacks_do_not_pass_in_pages(self, made: DocumentFilter) -> None:
        """At the start, in the middle and at the end of a long one."""
        if "body" not in self.parts:
            pytest.skip("this filter is not about body")
        filling = "A plain sentence about nothing in particular.\n\n" * 400
        for text in self.attacks:
            for body in (text, f"{text}\n\n{filling}", f"{filling}{text}\n\n{filling}", f"{filling}{text}"):
                document = _page(body)
                self._does_not_pass(document, (await self.verdicts(made, [document]))[0], text, "body")

    async def test_verdicts_come_in_the_order_of_the_documents(self, made: DocumentFilter) -> None:
        """A mixed list, and the same list backwards."""
        part = self.parts[0]
        good, bad = _hit(part, self.clean[0]), _hit(part, self.attacks[0])
        for documents in ([good, bad, good, good, bad], [bad, good, good, bad, good], [bad] * 3, [good] * 50):
            verdicts = await self.verdicts(made, documents)
            harmless = [isinstance(verdict, Allow) and not verdict.findings for verdict in verdicts]
            assert harmless == [document is good for document in documents]

    async def test_no_documents_get_no_verdicts(self, made: DocumentFilter) -> None:
        """An empty list is a list."""
        assert list(await made.check([], CALLER)) == []

    @pytest.mark.parametrize("name", ODD_TEXTS)
    async def test_odd_unicode_gets_a_verdict(self, made: DocumentFilter, name: str) -> None:
        """Or None, which drops it; and a rewrite of it is valid."""
        for document in (*(_hit(part, ODD_TEXTS[name]) for part in READABLE), _page(ODD_TEXTS[name])):
            rewritten(document, (await self.judged(made, [document]))[0])

    async def test_a_rewrite_is_stable(self, made: DocumentFilter) -> None:
        """What it left is left alone when it is checked again."""
        for text in self.attacks:
            for part in self.parts:
                document = _hit(part, text)
                after = rewritten(document, (await self.verdicts(made, [document]))[0])
                if after is not document:
                    assert rewritten(after, (await self.verdicts(made, [after]))[0]) == after

    async def test_a_reason_is_constant_text(self, made: DocumentFilter) -> None:
        """It is logged and shown: it must not repeat what it keeps out."""
        for text in self.attacks:
            documents = [_hit(self.parts[0], f"{text} {mark}") for mark in ("zebracanary", "yakcanary")]
            reasons = {_reason(verdict) for verdict in await self.verdicts(made, documents)}
            assert len(reasons) == 1, f"the reason depends on the text: {reasons}"
            _says_nothing_of(text, reasons.pop())

    async def test_nothing_is_printed(self, made: DocumentFilter, capfd: pytest.CaptureFixture[str]) -> None:
        """One line on stdout breaks the stdio transport."""
        await self.verdicts(made, [_hit(part, text) for part in READABLE for text in (*self.clean, *self.attacks)])
        assert capfd.readouterr().out == ""

    async def test_the_event_loop_is_not_held(self, made: DocumentFilter, ctx: PluginContext) -> None:
        """Ten hits of 700 characters leave room for everybody else."""
        documents = [_hit("snippet", (text * 700)[:700]) for text in (*self.clean, *self.attacks)][:10]
        held = await longest_hold_ms(lambda: made.check(documents, CALLER), ctx.workers)
        assert held < 50, f"the event loop was held for {held:.0f} ms"

    def _does_not_pass(self, document: Document, verdict: Verdict, text: str, part: str) -> None:
        after = rewritten(document, verdict)
        marks = (
            () if isinstance(verdict, Block) else verdict.marks if isinstance(verdict, Rewrite) else verdict.findings
        )
        passes = not isinstance(verdict, Block) and any(
            text in own and not _is_marked(own, field, text, marks) for field, own in after.parts
        )
        assert not passes, f"passes in {part}: {text!r}"


def _hit(part: str, text: str) -> Hit:
    fields = {"url": "https://example.com/", "title": "A title", "snippet": "A text.", part: text}
    return Hit.model_validate(fields)


def _page(body: str) -> Page:
    return Page.from_markdown(body, url="https://example.com/", title="A title")


def _is_marked(own: str, field: str, text: str, marks: Sequence[Finding]) -> bool:
    """Whether most of this text is marked where it stands."""
    start = own.index(text)
    held = {place for mark in marks if mark.field == field for place in range(mark.start, mark.end)}
    return len(held.intersection(range(start, start + len(text)))) >= _MARKED * len(text)


def _reason(verdict: Verdict) -> str:
    return "" if isinstance(verdict, Allow) else verdict.reason


def _says_nothing_of(text: str, reason: str) -> None:
    assert text.strip().lower() not in reason.lower(), "the reason repeats the text"
