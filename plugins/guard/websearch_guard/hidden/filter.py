"""`guard-hidden`: nothing that a person would not see reaches a model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from websearch_core import Allow, Caller, Document, DocumentFilter, Finding, Rewrite, Verdict
from websearch_core.kit import HIDDEN_FIELD, Part

if TYPE_CHECKING:
    from websearch_core.kit import Workers

    from .cleaner import Cleaned

REASONS = {
    frozenset({"invisible"}): "invisible characters were taken out",
    frozenset({"hidden-markup"}): "some hidden markup was taken out",
    frozenset({"address"}): "addresses that could carry data out were taken out",
}
SEVERAL = "hidden text and addresses that could carry data out were taken out"
_LONG = 100_000
"""Longer documents are read by a worker, so that nobody else waits."""


class HiddenFilter(DocumentFilter):
    """Takes out what is unseen in every part and the addresses that could carry data out; never blocks."""

    name = "guard-hidden"
    family = "hidden"
    priority = 10

    def __init__(self, workers: Workers) -> None:
        """`workers` read what is long."""
        self._workers = workers

    @cached_property
    def _nothing_found(self) -> Allow:
        return Allow()

    def warm(self) -> None:
        """Load what reads."""
        from .cleaner import cleaned

        cleaned((Part("body", "<b>Owls</b> [hunt](https://example.com/) by ear."),), "example.com")

    async def check(self, documents: Sequence[Document], caller: Caller) -> Sequence[Verdict | None]:  # noqa: ARG002 - the interface's
        """Allow what has nothing to hide; else the parts rewritten."""
        return [await self._judged(document) for document in documents]

    async def _judged(self, document: Document) -> Verdict:
        from .cleaner import cleaned

        parts, site = document.parts, _host(document.reached)
        if sum(len(part.text) for part in parts) > _LONG:
            clean: Cleaned = await self._workers.run(cleaned, parts, site)
        else:
            clean = cleaned(parts, site)
        findings = clean.findings
        if document.hidden.strip():
            findings = (*findings, Finding("hidden-text", HIDDEN_FIELD, 0, len(document.hidden)))
        if clean.parts == parts:
            return Allow(findings=findings) if findings else self._nothing_found
        kinds = frozenset(finding.kind for finding in clean.findings)
        return Rewrite(reason=REASONS.get(kinds, SEVERAL), parts=clean.parts, findings=findings)


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
