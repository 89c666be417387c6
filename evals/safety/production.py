"""The chain as a server has it: assembled from the installed plugins, with no backend and no network."""

from __future__ import annotations

import contextlib
import tempfile
import unicodedata
from collections.abc import AsyncIterator, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Any

from websearch_core.chain.chain import Chain
from websearch_core.chain.filter_runner import LATE, UNJUDGED
from websearch_core.contract.errors import BlockedByFilter, Refused
from websearch_core.contract.models import Caller, Document, Hit, Outgoing, Page
from websearch_core.contract.results import Inspected
from websearch_core.contract.verdicts import Decision
from websearch_core.marks import CLOSING, OPENING
from websearch_core.settings.configuration import Configuration
from websearch_core.startup.assemble import assemble
from websearch_core.startup.lifecycle import running as started

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
        async with started(assembly) as chain:
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
    if failed := {step.by for step in found.trail if step.reason.startswith((UNJUDGED, LATE))}:
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


def half_left(left: str, *forms: str) -> bool:
    """Whether half of one of these texts can still be read in what is left."""
    left = _plain(left)
    return any(half in left for form in map(_plain, forms) for half in _halves(form))


def without_warnings(text: str) -> str:
    """What stands outside of warnings; one that nobody closed ends with the text."""
    first, *rest = text.split(OPENING)
    return " \ufffd ".join((first, *(part.partition(CLOSING)[2] for part in rest)))


def _halves(text: str) -> tuple[str, ...]:
    middle = len(text) // 2
    return tuple(half for half in (text[:middle].strip(), text[middle:].strip()) if half)


def _plain(text: str) -> str:
    """As somebody reads it who cannot see what is invisible."""
    seen = "".join(c for c in text if unicodedata.category(c) not in ("Cf", "Mn"))
    return " ".join(seen.split())
