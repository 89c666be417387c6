"""Reads real pages through the whole chain, many at once, next to trafilatura's own fetch and extract.

    bash scripts/doc-pages.sh build/doc-pages
    python -m evals.reading build/doc-pages

The pages come from this machine. Each reader is a process of its own, started anew; its first pages are not counted.
CPU is that of the process and its workers. What fails is counted by its code; exits 1 when a reading failed for another
reason than what the page is, or what a filter found in it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

from evals.bench.servers import cpu_of
from websearch_core.chain.filter_runner import LATE, UNJUDGED
from websearch_core.contract.errors import AllSourcesFailed, BackendError
from websearch_core.contract.models import FetchRequest
from websearch_core.testing.site import LoopbackSite, RecordedRequest, Response, answer

WARM = 50
EXPLAINED = frozenset(("blocked_by_filter", "needs_rendering", "not_found", "paywalled", "too_large", "unsupported"))
"""What a reading of a page that was delivered may end with; everything else is the reader's own trouble."""
READERS = {
    "websearch": "websearch, guard on",
    "bare": "websearch, no filter",
    "trafilatura": "trafilatura",
}
SETTINGS = {
    "WEBSEARCH_CHAIN__KEYLESS": "false",  # no public service is told of anything
    "WEBSEARCH_NET__PRIVATE": "127.0.0.1/32",
    "WEBSEARCH_PLUGINS__DISABLE": "guard-model",  # not in the default install
}


def files_of(folder: Path, most: int) -> list[Path]:
    """So many HTML files, from all over the folder; the same ones each time."""
    files = [file for file in sorted(folder.rglob("*.htm*")) if file.is_file() and not file.is_symlink()]
    step = max(1.0, len(files) / most)
    return [files[int(number * step)] for number in range(min(most, len(files)))]


async def measured(read: Callable[[int], Awaitable[tuple[str, int]]], pages: int, at_once: int) -> dict[str, Any]:
    """Pages by number, so many at once; `read` gives a failure's code, or nothing, and how much text there is."""
    outcomes: Counter[str] = Counter()
    chars = 0

    async def reader(numbers: Sequence[int], taken: count[int]) -> None:
        nonlocal chars
        while (at := next(taken)) < len(numbers):
            code, size = await read(numbers[at])
            outcomes[code] += 1
            chars += size

    async def all_of(numbers: Sequence[int]) -> None:
        taken = count()
        await asyncio.gather(*(reader(numbers, taken) for _ in range(at_once)))

    await all_of(range(WARM))
    outcomes.clear()
    chars = 0
    wall, cpu = time.perf_counter(), cpu_of(os.getpid())
    await all_of(range(WARM, pages))
    return {
        "seconds": time.perf_counter() - wall,
        "cpu": cpu_of(os.getpid()) - cpu,
        "outcomes": outcomes,
        "chars": chars,
    }


async def ours(options: argparse.Namespace, *, filters: bool) -> dict[str, Any]:
    """The chain as it is assembled from the installed plugins."""
    from websearch_core.settings.configuration import load
    from websearch_core.startup.assemble import assemble
    from websearch_core.startup.lifecycle import running

    with tempfile.TemporaryDirectory() as folder:
        environ = {**SETTINGS, "XDG_DATA_HOME": folder, "WEBSEARCH_NET__PER_HOST": str(options.at_once)}
        if not filters:
            environ["WEBSEARCH_PLUGINS__DISABLE"] += ",guard"
        async with running(assemble(load(environ=environ))) as chain:

            async def read(number: int) -> tuple[str, int]:
                try:
                    got = await chain.fetch(FetchRequest(url=f"{options.url}/{number}.html"))
                except (BackendError, AllSourcesFailed) as error:
                    failed = any(reason in str(error) for reason in (UNJUDGED, LATE))
                    return ("a filter failed" if failed else str(error.code)), 0
                return "", len(got.page.body)

            return await measured(read, options.pages, options.at_once)


async def trafilatura(options: argparse.Namespace) -> dict[str, Any]:
    """Its own download, and its Markdown with tables and links, in threads."""
    from trafilatura import extract, fetch_url
    from trafilatura.settings import use_config

    config = use_config()
    config.set("DEFAULT", "SSRF_PROTECTION", "off")  # or it reads nothing of this machine

    def work(number: int) -> tuple[str, int]:
        url = f"{options.url}/{number}.html"
        page = fetch_url(url, config=config)
        if page is None:
            return "not fetched", 0
        text = extract(page, url=url, output_format="markdown", include_links=True, include_tables=True)
        return ("", len(text)) if text else ("no text", 0)

    with ThreadPoolExecutor(options.at_once) as threads:

        async def read(number: int) -> tuple[str, int]:
            return await asyncio.get_running_loop().run_in_executor(threads, work, number)

        return await measured(read, options.pages, options.at_once)


async def run(reader: str, url: str, pages: int, at_once: int) -> dict[str, Any]:
    """One reader in a process of its own."""
    command = ["-m", "evals.reading", "--ask", reader, "--url", url, "--pages", str(pages), "--at-once", str(at_once)]
    process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=asyncio.subprocess.PIPE)
    out, _ = await process.communicate()
    if process.returncode:
        raise SystemExit(f"The reader {reader} ended with {process.returncode}.")
    return json.loads(out)


async def measure(options: argparse.Namespace) -> int:
    files = files_of(options.folder, options.pages + WARM)
    if len(files) <= WARM:
        raise SystemExit("There are too few HTML files.")

    def serve(request: RecordedRequest) -> Response:
        with contextlib.suppress(ValueError, IndexError):
            body = files[int(request.path.strip("/").removesuffix(".html"))].read_bytes()
            return answer(200, body, content_type="text/html")
        return answer(404)

    trouble = False
    size = sum(file.stat().st_size for file in files[WARM:])
    print(f"{len(files) - WARM} pages of {size / 1e6:.0f} MB, {options.at_once} at once")
    async with LoopbackSite() as site:
        site.route("/*", serve)
        for reader, name in READERS.items():
            if reader == "trafilatura" and find_spec("trafilatura") is None:
                print("trafilatura is not installed and is not measured.")
                continue
            rounds = [await run(reader, site.url, len(files), options.at_once) for _ in range(options.rounds)]
            best = min(rounds, key=lambda one: one["cpu"])
            failed = {code: number for code, number in best["outcomes"].items() if code}
            pages = sum(best["outcomes"].values())
            print(
                f"{name:<22} {pages / best['seconds']:6.1f} pages/s  {best['cpu'] * 1000 / pages:6.1f} ms CPU a page  "
                f"{best['chars'] / 1e6:5.1f} M characters  failed: "
                f"{', '.join(f'{number} {code}' for code, number in sorted(failed.items())) or 'none'}"
            )
            trouble |= reader != "trafilatura" and not EXPLAINED.issuperset(failed)
    return int(trouble)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("build/doc-pages"))
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--at-once", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=1, help="the one that took least CPU counts")
    for name in ("--ask", "--url"):  # how it starts its own processes
        parser.add_argument(name, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.ask:
        return asyncio.run(measure(options))
    asked = trafilatura(options) if options.ask == "trafilatura" else ours(options, filters=options.ask == "websearch")
    print(json.dumps(asyncio.run(asked)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
