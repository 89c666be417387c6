"""Hostile files are read in workers: in time, in little memory, and what is wrong with them is said."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
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


@pytest.mark.parametrize("cases", [pdfs.cases, zips.cases, texts.cases], ids=["pdf", "archives", "texts"])
async def test_hostile_files_cost_little_and_their_fault_is_named(cases: Callable[[], Iterator[Case]]) -> None:
    workers = ProcessWorkers(processes=1)
    wrong: list[str] = []
    for case in cases():
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


def test_there_are_enough_of_them() -> None:
    names = [case.name for cases in (pdfs.cases, zips.cases, texts.cases) for case in cases()]
    assert len(set(names)) == len(names) >= 150
