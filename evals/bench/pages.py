"""What a long page and an average one cost to read: the chain around the reader, the reader itself, the filters."""

from __future__ import annotations

import asyncio
import contextlib
import html
import itertools
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from evals.bench import servers
from evals.bench.client import ERAS, burst
from evals.bench.report import Row
from evals.bench.site import NUMBER, site

SIZE = 50_000
AVERAGE = 10_800
LINKS, PICTURES, HEADINGS, AROUND, HIDDEN = 31, 10, 15, 61, 1800
"""An average page: means of the 247 real pages that the reader was developed on, as the reader writes them (characters,
links and pictures in the text, headings), with what stands beside the text (links) or is hidden (characters)."""
ROUNDS = 5
AROUND_AT_MOST_MS = 3.0
FILTERS_AT_MOST_MS = 6.0
"""For an average page."""
EXPECTED = b"Page number"


def reading(calls: int) -> Iterator[Row]:
    """Medians of rounds taken in turns, each page a new one. The reader works in processes of its own."""
    with contextlib.ExitStack() as stack:
        folders = [Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in range(2)]
        headers = ["Content-Type: text/html; charset=utf-8"]
        prose, average = (
            stack.enter_context(site(folder, body, headers))
            for folder, body in zip(folders, (page(), average_page()), strict=True)
        )
        settings = {"WEBSEARCH_NET__PRIVATE": f"{prose},{average}", "WEBSEARCH_NET__PACE_S": "0"}
        folder, chain = folders[0], servers.CHAIN_ALONE
        plain = stack.enter_context(servers.ours(folder, settings=settings | chain, with_backend=False))
        guarded = stack.enter_context(servers.ours(folder, settings=settings, with_backend=False))
        numbers = itertools.count()

        def spent(process: servers.Process, origin: str) -> tuple[float, float]:
            """Milliseconds of CPU a page: the server's own, and with its worker processes."""

            def asking(number: int) -> dict[str, Any]:
                return {"name": "fetch", "arguments": {"urls": [f"http://{origin}/{number}"]}}

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

        pages = (
            ("a page of 50 KB", prose, AROUND_AT_MOST_MS, None),
            ("an average page", average, None, FILTERS_AT_MOST_MS),
        )
        for name, origin, around_at_most, filters_at_most in pages:
            measured = [(spent(plain, origin), spent(guarded, origin)) for _ in range(1 + ROUNDS)][1:]  # one warms up
            around = median(own for (own, _), _ in measured)
            reader = median(total - own for (own, total), _ in measured)
            filters = median(with_guard - without for (_, without), (_, with_guard) in measured)
            yield Row(f"{name} outside reader and filters, CPU", "ms", around, at_most=around_at_most)
            yield Row(f"the reader for {name}, CPU", "ms", reader)
            yield Row(f"all filters for {name}, CPU", "ms", filters, at_most=filters_at_most)


def page() -> str:
    """Prose of this project's own documentation, as a plain page; each has its number."""
    parts: list[str] = []
    for block in _blocks("operators", "security", "writing-a-plugin", "architecture"):
        tag = "h2" if block.startswith("#") else "p"
        parts.append(f"<{tag}>{html.escape(block.lstrip('# '))}</{tag}>")
    return _document("\n".join(parts)[:SIZE].rpartition("\n")[0])


def average_page() -> str:
    """The same in the shape of an average page of the web: paragraphs, headings, links, pictures, hidden text."""
    blocks = _blocks("security", "architecture", "operators", "writing-a-plugin", "kit", "plugins")
    prose = [re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", block) for block in blocks if block[0].isalpha()]
    words = " ".join(prose).split()
    text, hidden = " ".join(words)[:AVERAGE].split(), " ".join(words)[-HIDDEN:]

    def address(number: int) -> str:
        slug = "-".join(re.findall("[a-z]{3,}", " ".join(words[number * 9 : number * 9 + 9]).lower())[:6])
        return f"https://site{number}.example/{slug}/?page={number}"

    def link(number: int, said: Sequence[str]) -> str:
        return f'<a href="{address(number)}">{html.escape(" ".join(said))}</a>'

    pieces: list[str] = []
    for number in range(LINKS):
        first, last = (len(text) * at // LINKS for at in (number, number + 1))
        pieces.append(f"<p>{html.escape(' '.join(text[first : last - 3]))} {link(number, text[last - 3 : last])}.</p>")
    for number in range(HEADINGS):
        pieces[number * LINKS // HEADINGS] += f"<h2>{html.escape(' '.join(words[number * 50 :][:4]))}</h2>"
    for number in range(PICTURES):
        pieces[number * LINKS // PICTURES] += (
            f'<img src="{address(number)}.png" alt="{" ".join(text[number * 7 :][:5])}">'
        )
    beside = "".join(f"<li>{link(number, words[number * 5 :][:3])}</li>" for number in range(AROUND))
    return _document(
        "\n".join(pieces), f'<nav><ul>{beside}</ul></nav><div style="display:none">{html.escape(hidden)}</div>'
    )


def _blocks(*names: str) -> list[str]:
    texts = ((servers.ROOT / f"docs/{name}.md").read_text(encoding="utf-8") for name in names)
    return [block for text in texts for block in re.split(r"\n{2,}", text) if block.strip()]


def _document(body: str, beside: str = "") -> str:
    return (
        f"<!doctype html><html lang=en><head><title>Page number {NUMBER}</title></head>"
        f"<body>{beside}<main><h1>Page number {NUMBER}</h1>\n{body}</main></body></html>"
    )
