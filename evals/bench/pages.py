"""What a page of 50 KB costs to read: the chain around the reader, the reader itself, and the filters."""

from __future__ import annotations

import asyncio
import contextlib
import html
import itertools
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from evals.bench import servers
from evals.bench.client import ERAS, burst
from evals.bench.report import Row
from evals.bench.site import NUMBER, site

SIZE = 50_000
ROUNDS = 5
AROUND_AT_MOST_MS = 3.0
FILTERS_AT_MOST_MS = 6.0
EXPECTED = b"Page number"


def reading(calls: int) -> Iterator[Row]:
    """Medians of rounds taken in turns, each page a new one. The reader works in processes of its own."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        origin = stack.enter_context(site(folder, page(), ["Content-Type: text/html; charset=utf-8"]))
        settings = {"WEBSEARCH_NET__PRIVATE": origin, "WEBSEARCH_NET__PACE_S": "0"}
        plain = stack.enter_context(servers.ours(folder, settings=settings | servers.CHAIN_ALONE, with_backend=False))
        guarded = stack.enter_context(servers.ours(folder, settings=settings, with_backend=False))
        numbers = itertools.count()

        def asking(number: int) -> dict[str, Any]:
            return {"name": "fetch", "arguments": {"urls": [f"http://{origin}/{number}"]}}

        def spent(process: servers.Process) -> tuple[float, float]:
            """Milliseconds of CPU a page: the server's own, and with its worker processes."""
            own, all_of_it = process.own_cpu(), process.cpu()
            run = asyncio.run(
                burst(
                    process.port,
                    ERAS[0],
                    in_flight=4,
                    calls=calls,
                    numbers=numbers,
                    ask_for=asking,
                    expected=EXPECTED,
                )
            )
            if run.errors:
                raise SystemExit(f"Pages could not be read: {run.errors.most_common(1)[0][0]}")
            return 1e3 * (process.own_cpu() - own) / calls, 1e3 * (process.cpu() - all_of_it) / calls

        measured = [(spent(plain), spent(guarded)) for _ in range(1 + ROUNDS)][1:]  # the first warms up
    around = median(own for (own, _), _ in measured)
    reader = median(total - own for (own, total), _ in measured)
    filters = median(with_guard - without for (_, without), (_, with_guard) in measured)
    yield Row("a page of 50 KB outside reader and filters, CPU", "ms", around, at_most=AROUND_AT_MOST_MS)
    yield Row("the reader for it, CPU", "ms", reader)
    yield Row("all filters for it, CPU", "ms", filters, at_most=FILTERS_AT_MOST_MS)


def page() -> str:
    """Prose of this project's own documentation, as a plain page; each has its number."""
    parts: list[str] = []
    for name in ("operators", "security", "writing-a-plugin", "architecture"):
        text = (servers.ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
        for block in re.split(r"\n{2,}", text):
            tag = "h2" if block.startswith("#") else "p"
            parts.append(f"<{tag}>{html.escape(block.lstrip('# '))}</{tag}>")
    body = "\n".join(parts)[:SIZE].rpartition("\n")[0]
    return (
        f"<!doctype html><html lang=en><head><title>Page number {NUMBER}</title></head>"
        f"<body><main><h1>Page number {NUMBER}</h1>\n{body}</main></body></html>"
    )
