"""The chain as a server has it: assembled from the installed plugins, with no backend and no network."""

from __future__ import annotations

import contextlib
import tempfile
import unicodedata
from collections.abc import AsyncIterator, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Any

from websearch_core.answers import Inspected
from websearch_core.assemble import assemble
from websearch_core.chain import Chain
from websearch_core.errors import BlockedByFilter, Refused
from websearch_core.judging import LATE, UNJUDGED
from websearch_core.models import Caller, Document, Hit, Outgoing, Page
from websearch_core.settings import Configuration
from websearch_core.verdicts import Decision

_CALLER = Caller()
PATIENT = {"chain": {"filter_timeout_s": 300.0}}
"""What is found must not depend on what else the machine does."""


@contextlib.asynccontextmanager
async def running(
    *plugins: str, settings: Mapping[str, Any] | None = None, environ: Mapping[str, str] | None = None
) -> AsyncIterator[Chain]:
    """The chain of these plugins alone (`guard`, …), started."""
    installed = [entry for entry in entry_points(group="websearch") if entry.name in plugins]
    if missing := {*plugins} - {entry.name for entry in installed}:
        raise SystemExit(f"not installed: {', '.join(sorted(missing))}")
    with tempfile.TemporaryDirectory() as folder:
        tables = {"store": {"data_dir": folder}, **(settings or PATIENT)}
        assembly = assemble(Configuration(tables, dict(environ or {}), "evals"), installed=installed)
        async with assembly.running() as chain:
            yield chain


async def stopped(chain: Chain, request: Outgoing) -> tuple[bool, tuple[Decision, ...]]:
    """Whether the chain stopped or changed what was about to leave, and the trail (empty where it was stopped)."""
    try:
        after, trail = await chain.screening.screen(request)
    except (BlockedByFilter, Refused):
        return True, ()
    return after.parts != request.parts, trail


async def inspection(chain: Chain, document: Document) -> Inspected[Document]:
    """What the filters make of one document; an error if one of them failed: what is dropped then, nobody judged."""
    found = await chain.inspecting.inspect((document,), _CALLER)
    if failed := {step.by for step in found.trail if step.reason in (UNJUDGED, LATE)}:
        raise RuntimeError(f"{', '.join(sorted(failed))} failed: measure again, on a machine with less to do")
    return found


async def inspected(chain: Chain, documents: Sequence[Document]) -> list[Document | None]:
    """Each document as a model would read it; None: dropped."""
    out: list[Document | None] = []
    for document in documents:
        kept = (await chain.inspecting.inspect((document,), _CALLER)).documents
        out.append(kept[0] if kept else None)
    return out


def page(text: str, **about: Any) -> Page:
    """A page as an extractor makes it."""
    return Page.from_markdown(text, **{"url": "https://site.example/page", **about})


def hit(snippet: str, **about: Any) -> Hit:
    """A search result as a backend makes it."""
    return Hit(**{"url": "https://site.example/page", "title": "A page", "snippet": snippet, **about})


def half_left(document: Document | None, *forms: str) -> bool:
    """Whether half of one of these texts can still be read in what is left of the document."""
    if document is None:
        return False
    left = _plain(document.text_read)
    return any(half in left for form in map(_plain, forms) for half in _halves(form))


def _halves(text: str) -> tuple[str, ...]:
    middle = len(text) // 2
    return tuple(half for half in (text[:middle].strip(), text[middle:].strip()) if half)


def _plain(text: str) -> str:
    """As somebody reads it who cannot see what is invisible."""
    seen = "".join(c for c in text if unicodedata.category(c) not in ("Cf", "Mn"))
    return " ".join(seen.split())
