"""Hostile files are read in workers: in time, in little memory, and what is wrong with them is said."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

import pytest

import websearch_documents.plugin
import websearch_web.plugin
from websearch_core import BackendError, Extractor
from websearch_core.asking.read.extraction import ExtractorChain
from websearch_core.startup.worker_processes import ProcessWorkers
from websearch_core.testing.cpu_time import slowness
from websearch_core.testing.fakes import context, download
from websearch_web.pdf.extractor import PdfExtractor

from . import pdfs, texts, zips
from .case import Case

MOST_MEGABYTES = 300
GRACE_S = 8.0
"""For starting a worker, on a busy machine."""
MOST_CPU_S = 5.0
"""For one file."""
GROUP_CPU_S = 20.0
"""For all files of a group: a minute for all of them. CPU time, since other processes cannot lengthen it much."""


class Spent(NamedTuple):
    """By a worker, so far."""

    process: int
    cpu_s: float
    megabytes: int
    """The most that it ever held. Zero where the system does not say."""


def spent() -> Spent:
    """Runs in the worker."""
    try:
        status = Path("/proc/self/status").read_text("ascii")
    except OSError:
        status = "VmHWM: 0"
    return Spent(os.getpid(), time.process_time(), int(status.partition("VmHWM:")[2].split()[0]) // 1024)


def extraction(workers: ProcessWorkers, seconds: float) -> ExtractorChain:
    """Every extractor of ours; the one that may take longest is limited by the case."""
    ctx = context("web")
    ctx.workers = workers
    made: list[Extractor] = [
        *websearch_web.plugin.websearch_extractors(ctx),
        *websearch_documents.plugin.websearch_extractors(ctx),
    ]
    kept = [one for one in made if not isinstance(one, PdfExtractor)]
    return ExtractorChain([*kept, PdfExtractor(workers, seconds=seconds)])


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


GROUPS = {"pdf": (pdfs.cases, 65), "archives": (zips.cases, 100), "texts": (texts.cases, 150)}
"""And how many files there are at least."""


@pytest.mark.parametrize("group", GROUPS)
async def test_hostile_files_cost_little_and_their_fault_is_named(group: str) -> None:
    cases, least = GROUPS[group]
    workers = ProcessWorkers(processes=1)
    wrong: list[str] = []
    names: set[str] = set()
    all_cpu_s = 0.0
    before = await workers.run(spent)
    for case in cases():
        assert case.name not in names
        names.add(case.name)
        began, here = time.monotonic(), time.process_time()
        said, notes = await outcome(case, workers)
        took, here = time.monotonic() - began, time.process_time() - here
        after = await workers.run(spent)
        ended = after.process != before.process  # by the limit, and nobody knows what it had spent of it
        cpu_s = here + (
            case.seconds if ended and said.startswith("timeout") else after.cpu_s - before.cpu_s * (not ended)
        )
        all_cpu_s += cpu_s
        before = after
        if not is_as_expected(case, said, notes):
            wrong.append(f"{case.name}: {said} {notes}")
        over = max(took / (case.seconds + GRACE_S), cpu_s / MOST_CPU_S)
        if over > 1 and over > slowness():
            wrong.append(f"{case.name}: took {took:.1f} s, {cpu_s:.1f} s of CPU time")
        if after.megabytes > MOST_MEGABYTES:
            wrong.append(f"{case.name}: held {after.megabytes} MB")
    assert not wrong, "\n".join(wrong)
    assert len(names) >= least
    assert all_cpu_s < GROUP_CPU_S or all_cpu_s < GROUP_CPU_S * slowness()
