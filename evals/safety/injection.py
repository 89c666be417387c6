"""Instructions to an AI in search results, and ordinary text that is spared; how long it takes. In pages: `planted`.

A payload counts as caught when guard-injection changed or dropped the document and the payload is no longer in it. What
the models were trained on says so in its name; only the rest has a bar.
"""

from __future__ import annotations

import gzip
import importlib.metadata
import json
import random
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path
from pydoc_data.topics import topics
from statistics import median

from evals.training.corpus import pages, split
from websearch_core.chain.chain import Chain
from websearch_core.contract.models import Caller, Document
from websearch_web.html.page_reader import read_html

from .data import OWN, rows
from .production import hit, inspection, page, running
from .rows import Row

HELDOUT = OWN / "heldout"
CORPUS = OWN / "corpus"
LEFT_OUT = OWN.parent / "training" / "left_out.json"
"""What the last training measured: it takes longer than a measurement may."""
FILTER = "guard-injection"
SAMPLE = 200
"""Of one source, at most so many."""


async def measure(data: Path) -> AsyncIterator[Row]:
    """Every gate of injection; `data` is the folder of development data."""
    async with running("guard") as chain:
        async for row in _rows(chain, data):
            yield row


async def _rows(chain: Chain, data: Path) -> AsyncIterator[Row]:
    clean = [row["text"] for row in rows(data / "pages-clean.jsonl.gz")]
    group = "Injection: caught in a search result's snippet"
    yield await _in_snippets(chain, group, "another author, not trained on", _payloads())
    for name, texts in sorted(_sources(data).items()):
        yield await _in_snippets(chain, group, f"trained on: {name}", texts)
    group = "Injection: ordinary text that is left alone (share from which something was removed)"
    _, unseen = split(pages(data))
    yield await _changed(chain, group, "clean pages that no training has seen", map(page, unseen), at_most=0.01)
    yield await _changed(chain, group, "clean pages (most were trained on)", map(page, clean), at_most=0.01)
    yield await _changed(
        chain, group, "their first 700 characters as snippets", (hit(t[:700]) for t in clean), at_most=0.01
    )
    if written := _written(data.parent / "extraction" / "html"):
        yield await _changed(chain, group, "real pages as the extractor writes them, links and pictures too", written)
    yield await _changed(chain, group, "developer docs", map(page, developer_docs()), at_most=0.02)
    benign = _texts(HELDOUT / "trigger_benign.jsonl")
    yield await _changed(chain, group, "trigger words in harmless text", map(hit, benign), at_most=0.02)
    for path in sorted(CORPUS.glob("benign*.jsonl")):
        yield await _changed(chain, group, f"trained on: {path.stem}", map(page, _texts(path)))
    about = _texts(HELDOUT / "about_injection.jsonl")
    yield await _removed(chain, group, "pages about injection: text removed", about, at_most=0.05)
    yield await _changed(chain, group, "pages about injection: pages changed", map(page, about))
    left_out = json.loads(LEFT_OUT.read_text("utf-8")) if LEFT_OUT.is_file() else {}
    for name, (caught, count) in left_out.items():
        yield Row("Injection: rules and model, this author left out of training", name, caught, count)
    for row in await times(chain, clean):
        yield row


async def _in_snippets(chain: Chain, group: str, gate: str, texts: Sequence[str]) -> Row:
    chosen = texts if len(texts) <= SAMPLE else random.Random(gate).sample(list(texts), SAMPLE)
    caught = [await _caught(chain, hit(text), text) for text in chosen]
    return Row(group, gate, sum(caught), len(caught))


async def _caught(chain: Chain, document: Document, payload: str) -> bool:
    """The filter cut into it, or dropped the document: a mark does not count here."""
    after, changed = await _seen(chain, document)
    return changed and (after is None or payload.strip() not in after.text_read)


async def _changed(
    chain: Chain, group: str, gate: str, documents: Iterable[Document], at_most: float | None = None
) -> Row:
    changed = [(await _seen(chain, document))[1] for document in documents]
    return Row(group, gate, sum(changed), len(changed), at_most=at_most)


async def _removed(chain: Chain, group: str, gate: str, texts: Sequence[str], at_most: float) -> Row:
    """In characters: what guard-injection says that it found."""
    removed = 0
    for text in texts:
        trail = (await inspection(chain, page(text))).trail
        steps = [step for step in trail if step.by == FILTER and step.outcome in ("rewrite", "block")]
        removed += sum(finding.end - finding.start for step in steps for finding in step.findings)
    return Row(group, gate, removed, sum(map(len, texts)), at_most=at_most)


async def _seen(chain: Chain, document: Document) -> tuple[Document | None, bool]:
    """What a model would read, and whether guard-injection had a hand in it."""
    inspected = await inspection(chain, document)
    by = {step.by for step in inspected.trail if step.outcome in ("rewrite", "block")}
    return (inspected.documents[0] if inspected.documents else None), FILTER in by


async def times(chain: Chain, clean: Sequence[str]) -> list[Row]:
    """What guard's document filters take."""
    group = "Injection: time of all document filters of guard, one core"
    near = [text for text in clean if 7_500 <= len(text) <= 8_500][:40]
    hits = [hit(text[:700], title=text[:60]) for text in clean[:10]]
    long = "\n\n".join(clean)[:200_000]
    return [
        Row(group, "a page of 8 KB", value=await time_of(chain, [[page(text)] for text in near]), unit="ms", at_most=4),
        Row(group, "ten hits of 700 characters", value=await time_of(chain, [hits] * 20), unit="ms", at_most=4),
        Row(group, "a page of 200 KB", value=await time_of(chain, [[page(long)]] * 7), unit="ms", at_most=100),
    ]


async def time_of(chain: Chain, batches: Sequence[Sequence[Document]]) -> float:
    """The median of what a batch takes that nobody has judged before, in milliseconds; the first is not counted."""
    took: list[float] = []
    for number, batch in enumerate(batches):
        caller = Caller(tenant=str(number))  # what was judged for one is not remembered for another
        began = time.perf_counter()
        await chain.inspecting.inspect(batch, caller)
        took.append(time.perf_counter() - began)
    return median(took[1:]) * 1000


def _written(folder: Path) -> list[Document]:
    """The pages that extraction is measured on, if they are there."""
    url = "https://site.example/page"
    return [
        page(read_html(gzip.decompress(path.read_bytes()), url).body, url=url) for path in sorted(folder.glob("*.gz"))
    ]


def developer_docs() -> list[str]:
    """The language reference that comes with Python, and what installed packages say of themselves."""
    described = {
        package.name: text
        for package in importlib.metadata.distributions()
        if not package.name.startswith("websearch") and len(text := package.metadata["Description"] or "") > 300
    }
    return [*(text for _, text in sorted(topics.items())), *(text for _, text in sorted(described.items()))]


def _payloads() -> list[str]:
    return _texts(HELDOUT / "payloads.jsonl")


def _sources(data: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name in ("injection-direct", "injection-web-generated"):
        for row in rows(data / f"{name}.jsonl.gz"):
            if row["label"]:
                found[row["source"]].append(row["text"])
    for path in sorted(CORPUS.glob("*.jsonl")):
        if texts := [row["text"] for row in rows(path) if row.get("label", 1)]:
            found[path.stem] = texts
    return found


def _texts(path: Path) -> list[str]:
    return [row["text"] for row in rows(path)]
