"""Hostile files are read in workers: in time, in little memory, and what is wrong with them is said."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import websearch_documents.plugin
import websearch_web.plugin
from websearch_core import BackendError, Extractor
from websearch_core.ask.extraction import Extraction
from websearch_core.testing.fakes import context, download
from websearch_core.workers import ProcessWorkers
from websearch_web.pdf.extractor import PdfExtractor

from . import pdfs, texts, zips
from .case import Case

MOST_MEGABYTES = 300
GRACE_S = 8.0
"""For starting a worker, on a busy machine."""


def peak_megabytes() -> int:
    """The most that this process ever held; runs in the worker. Zero where the system does not say."""
    try:
        status = Path("/proc/self/status").read_text("ascii")
    except OSError:
        return 0
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


def extraction(workers: ProcessWorkers, seconds: float) -> Extraction:
    """Every extractor of ours; the one that may take longest is limited by the case."""
    ctx = context("web")
    ctx.workers = workers
    made: list[Extractor] = [
        *websearch_web.plugin.websearch_extractors(ctx),
        *websearch_documents.plugin.websearch_extractors(ctx),
    ]
    kept = [one for one in made if not isinstance(one, PdfExtractor)]
    return Extraction([*kept, PdfExtractor(workers, seconds=seconds)])


async def outcome(case: Case, workers: ProcessWorkers) -> tuple[str, str]:
    """`code: detail` or `page`, and the page's notes."""
    given = download(
        "https://site.example/file",
        case.body,
        media_type=case.media_type,
        charset=case.charset,
        truncated=case.truncated,
    )
    try:
        page = await extraction(workers, case.seconds).page(given, [])
    except BackendError as error:
        return str(error), ""
    assert page.body.strip()
    assert "SECRET" not in page.body
    assert "root:x:" not in page.body
    assert "](javascript:" not in page.body
    return "page", "\n".join(page.notes)


def is_as_expected(case: Case, said: str, notes: str) -> bool:
    """Where nothing certain is expected, anything but a crash or the end of the patience."""
    code, _, words = case.expected.partition(": ")
    if not case.expected:
        return case.notes in notes and not said.startswith(("server", "timeout"))
    return said.startswith(code) and words in said


GROUPS = {"pdf": (pdfs.cases, 65), "archives": (zips.cases, 90), "texts": (texts.cases, 145)}
"""And how many files there are at least."""


@pytest.mark.parametrize("group", GROUPS)
async def test_hostile_files_cost_little_and_their_fault_is_named(group: str) -> None:
    cases, least = GROUPS[group]
    workers = ProcessWorkers(processes=1)
    wrong: list[str] = []
    names: set[str] = set()
    for case in cases():
        assert case.name not in names
        names.add(case.name)
        began = time.monotonic()
        said, notes = await outcome(case, workers)
        took = time.monotonic() - began
        held = await workers.run(peak_megabytes)
        if not is_as_expected(case, said, notes):
            wrong.append(f"{case.name}: {said} {notes}")
        if took > case.seconds + GRACE_S:
            wrong.append(f"{case.name}: took {took:.1f} s")
        if held > MOST_MEGABYTES:
            wrong.append(f"{case.name}: held {held} MB")
    assert not wrong, "\n".join(wrong)
    assert len(names) >= least
