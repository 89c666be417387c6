"""Measures the embedded library on folders of HTML: pages indexed per second, query times, known items found.

    apt-get download sqlite3-doc postgresql-doc-15 python3.11-doc python-django-doc git-doc
    for deb in *.deb; do dpkg -x "$deb" docs; done
    python evals/library.py docs

Known items: a page is looked for by its title, and by seven words in a row that stand in it.

Joining: what the library adds to the answers of engines. Questions that its pages answer must still find one; queries
about other things must find nothing. `--apart` is a folder of other packages, so a smaller library (the floor,
`websearch_library.index.index.FLOOR`, was chosen while looking at both); `--elsewhere` names more queries about other
things: a text file, or the `truth.jsonl` of the extraction data, for its titles.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import resource
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from websearch_core import SearchRequest
from websearch_core.contract.clock import SystemClock
from websearch_library.adding import html_text
from websearch_library.backend import LibraryBackend
from websearch_library.index import schema
from websearch_library.index.index import Index
from websearch_library.index.library import Library
from websearch_library.index.page_copy import PageCopy

COMMON = (
    "index", "create table", "python list", "error message", "how to install", "configure server", "json",
    "string functions", "commit", "network settings", "memory limit", "date format", "thread lock", "async",
    "regular expression", "replication", "backup", "what is a transaction", "environment variables", "sort order",
)  # fmt: skip
BATCH = 100
QUESTIONS = Path(__file__).with_name("library_questions")


def read(folders: Sequence[Path], most: int) -> list[PageCopy]:
    """The pages of the folders, as they are before they are indexed."""
    copies: list[PageCopy] = []
    for folder in folders:
        for file in sorted(folder.rglob("*.htm*")):
            if len(copies) >= most:
                return copies
            if file.is_symlink() or not file.is_file():
                continue
            title, language, body = html_text.read(file.read_text("utf-8", "replace"))
            if len(body) > 200:
                url = f"https://docs.example/{file.relative_to(folder)}"
                copies.append(PageCopy(url=url, title=title or file.stem, language=language[:2], body=body))
    return copies


def fill(file: Path, copies: Sequence[PageCopy]) -> tuple[float, float]:
    """Wall-clock and processor seconds of indexing."""
    index = Index(schema.open_writer(file))
    wall, cpu = time.perf_counter(), time.process_time()
    for start in range(0, len(copies), BATCH):
        with index.transaction():
            index.put(copies[start : start + BATCH])
    spent = time.perf_counter() - wall, time.process_time() - cpu
    index.connection.close()
    return spent


def questions(copies: Sequence[PageCopy], count: int) -> dict[str, list[tuple[str, set[str]]]]:
    """Per kind: queries and the pages that they are after."""
    chance = random.Random(3)
    titled: dict[str, set[str]] = {}
    for copy in copies:
        titled.setdefault(copy.title, set()).add(copy.url)
    some = chance.sample(copies, min(2 * count, len(copies)))
    half = len(some) // 2
    phrases: list[tuple[str, set[str]]] = []
    for copy in some[half:]:
        words = copy.body.split()
        at = chance.randrange(max(1, len(words) - 7))
        phrases.append((" ".join(words[at : at + 7])[:2000], {copy.url}))
    return {
        "title": [(copy.title[:2000], titled[copy.title]) for copy in some[:half]],
        "phrase": phrases,
        "common": [(query, set[str]()) for query in COMMON],
    }


async def ask(file: Path, kinds: dict[str, list[tuple[str, set[str]]]]) -> None:
    """Put each question to the backend, as the chain would, and print what came of it."""
    clock = SystemClock()
    backend = LibraryBackend(Library(file, clock), clock)
    began = time.perf_counter()
    await backend.start()
    print(f"open              {(time.perf_counter() - began) * 1000:7.1f} ms")
    walls: list[float] = []
    cpus: list[float] = []
    for kind, asked in kinds.items():
        times: list[float] = []
        first = ten = 0
        for query, wanted in asked:
            request = SearchRequest(query=query, max_results=10)
            wall, cpu = time.perf_counter(), time.process_time()
            answer = await backend.search(request)
            times.append((time.perf_counter() - wall) * 1000)
            cpus.append((time.process_time() - cpu) * 1000)
            urls = [hit.url for hit in answer.hits]
            first += bool(wanted & set(urls[:1]))
            ten += bool(wanted & set(urls))
        walls += times
        hits = f"   found first {first / len(asked):.2f}, in ten {ten / len(asked):.2f}" if asked[0][1] else ""
        print(
            f"{kind:<9} n={len(asked):<4} p50 {quantile(times, 0.5):6.1f} ms  p95 {quantile(times, 0.95):6.1f} ms{hits}"
        )
    for name, times in (("all, wall", walls), ("all, cpu", cpus)):
        print(
            f"{name:<16} p50 {quantile(times, 0.5):6.1f} ms  p95 {quantile(times, 0.95):6.1f} ms  "
            f"p99 {quantile(times, 0.99):6.1f} ms"
        )
    await backend.aclose()


def held(file: str) -> list[tuple[str, str]]:
    """Queries, and what the address of a right page matches."""
    lines = (QUESTIONS / file).read_text("utf-8").splitlines()
    return [(query, right) for line in lines if line[:1] != "#" for _, query, right in [line.split("\t")]]


def elsewhere(file: Path) -> list[str]:
    """Queries about other things than the library's pages."""
    lines = [line for line in file.read_text("utf-8").split("\n") if line]
    if file.suffix == ".jsonl":
        return [title for line in lines if (title := json.loads(line).get("title"))]
    return [line for line in lines if line[0] != "#"]


async def join(file: Path, asked: Sequence[tuple[str, str]], foreign: Mapping[str, Sequence[str]]) -> None:
    """Print how often a right page is found beside engines, and how often a wrong one is."""
    clock = SystemClock()
    backend = LibraryBackend(Library(file, clock), clock)
    await backend.start()

    async def found(query: str, *, joining: bool) -> list[str]:
        request = SearchRequest(query=query[:2000], max_results=8, joining=joining)
        return [hit.url for hit in (await backend.search(request)).hits]

    for joining in (False, True):
        name = "beside others" if joining else "alone"
        answers = [(await found(query, joining=joining), right) for query, right in asked]
        right = sum(any(re.search(wanted, url) for url in urls) for urls, wanted in answers)
        print(f"{name:<14} held n={len(asked)}: a right page found {right / len(asked):.2f}")
        for source, queries in foreign.items():
            wrong = [await found(query, joining=joining) for query in queries]
            share, hits = sum(map(bool, wrong)) / len(wrong), sum(map(len, wrong)) / len(wrong)
            print(f"{name:<14} {source} n={len(queries)}: something found {share:.2f}, {hits:.1f} hits a query")
    await backend.aclose()


def quantile(times: Sequence[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--apart", type=Path, help="folder of the packages that are kept apart")
    parser.add_argument("--elsewhere", nargs="*", type=Path, default=[], help="more queries about other things")
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--queries", type=int, default=300, help="of each kind")
    options = parser.parse_args()
    copies = read(options.folders, options.pages)
    if not copies:
        parser.error("no HTML files there")
    chars = sum(len(copy.body) for copy in copies)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    foreign = {
        f"{file.parent.name}/{file.name}": elsewhere(file) for file in (QUESTIONS / "elsewhere.txt", *options.elsewhere)
    }
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "library.db")
        wall, cpu = fill(file, copies)
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        print(f"pages     {len(copies)}, {chars / 1e6:.1f} M characters; file {file.stat().st_size / 1e6:.0f} MB")
        print(
            f"indexing  {len(copies) / wall:.0f} pages/s ({len(copies) / cpu:.0f} a CPU second), memory +{grown:.0f} MB"
        )
        asyncio.run(ask(file, questions(copies, options.queries)))
        asyncio.run(join(file, held("held.tsv"), foreign))
        if options.apart:
            apart = read([options.apart], options.pages)
            fill(file.with_name("apart.db"), apart)
            print(f"kept apart: {len(apart)} pages")
            asyncio.run(join(file.with_name("apart.db"), held("held_apart.tsv"), foreign))


if __name__ == "__main__":
    main()
