"""How well and how fast pages become Markdown, next to other readers: `extraction.py FOLDER` of a WCXB-style data set.

The folder holds `truth.jsonl` (id, url, type, text, title, author, date: one page a line) and `html/ID.html.gz`.
Printed, for our extractor and for each library that is installed: word F1 of the main content per page type, their mean
and macro mean, and CPU time a page; all readers take turns at each page, so that a busy machine is busy for all. The
least of `--rounds` counts. For ours also how often the metadata are right.
Word F1 compares multisets of lower-cased words, after Markdown syntax and link targets are dropped.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from pathlib import Path
from statistics import mean
from typing import Any

from websearch_web.html.page_reader import HtmlContent, read_html

_IMAGE = re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)")
_TARGET = re.compile(r"\]\((?:<[^>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:[ \t]+\"[^\"\n]*\")?\)")


def plain(markdown: str) -> str:
    """Markdown without its syntax."""
    text = _TARGET.sub("]", _IMAGE.sub(" ", markdown))
    text = re.sub(r"^(```|~~~).*$|<https?://[^>\s]+>", "", text, flags=re.MULTILINE)
    text = re.sub(r"\\([\\`*_{}\[\]()#+\-.!|>~<])", r"\1", text)
    text = re.sub(r"\*\*|__|~~|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)", "", text)
    text = re.sub(r"^[ \t]*(?:\d+\.[ \t]|#+[ \t]|(?:>[ \t]?)+)", "", text, flags=re.MULTILINE)
    return text.replace("[", "").replace("]", "")


def f1(predicted: str, true: str) -> float:
    """Of the two texts' words as multisets."""
    ours, theirs = (Counter(re.findall(r"\w+", text.lower())) for text in (predicted, true))
    overlap = sum((ours & theirs).values())
    return 2 * overlap / (sum(ours.values()) + sum(theirs.values())) if ours or theirs else 1.0


def metadata_hits(reading: HtmlContent, page: dict[str, str], hits: dict[str, list[bool]]) -> None:
    """Title and author by similarity over 0.8, the date by day."""
    for field in ("title", "author"):
        if page.get(field):
            ratio = SequenceMatcher(None, page[field].lower(), getattr(reading, field).lower()).ratio()
            hits[field].append(ratio > 0.8)
    if page.get("date"):
        day = reading.when.published.date().isoformat() if reading.when.published else ""
        hits["date"].append(day == page["date"][:10])


Reader = Callable[[bytes, str], str]
TYPES = ("article", "documentation", "service", "forum", "listing", "collection", "product")


def ours(body: bytes, url: str) -> str:
    """Everything that the `html` extractor does, metadata and links included."""
    return read_html(body, url).body


def trafilatura(module: Any) -> Reader:
    """Its Markdown, with tables and links."""
    return lambda body, url: (
        module.extract(body, url=url, output_format="markdown", include_links=True, include_tables=True) or ""
    )


def rs_trafilatura(module: Any) -> Reader:
    """Its Markdown."""
    return lambda body, url: (
        module.extract(body.decode("utf-8", "replace"), url=url, output_markdown=True).content_markdown or ""
    )


def rs_trafilatura_text(module: Any) -> Reader:
    """Its text: no Markdown, but what it finds best."""
    return lambda body, url: module.extract(body.decode("utf-8", "replace"), url=url).main_content or ""


def resiliparse(module: Any) -> Reader:
    """Plain text: it writes no Markdown."""
    return lambda body, _: module.extract_plain_text(
        body.decode("utf-8", "replace"), main_content=True, alt_texts=False
    )


def readability_lxml(module: Any) -> Reader:
    """HTML of the main content; its tags are dropped."""
    return lambda body, _: re.sub(r"<[^>]+>", " ", module.Document(body.decode("utf-8", "replace")).summary())


def turbohtml(module: Any) -> Reader:
    """The parser's own main content, in Markdown."""

    def read(body: bytes, _: str) -> str:
        found = module.parse(body.decode("utf-8", "replace")).main_content()
        return found.to_markdown() if found is not None else ""

    return read


LIBRARIES: dict[str, tuple[str, Callable[[Any], Reader]]] = {
    "rs-trafilatura": ("rs_trafilatura", rs_trafilatura),
    "rs-trafilatura, text": ("rs_trafilatura", rs_trafilatura_text),
    "trafilatura": ("trafilatura", trafilatura),
    "resiliparse, text": ("resiliparse.extract.html2text", resiliparse),
    "readability-lxml, text": ("readability", readability_lxml),
    "turbohtml": ("turbohtml", turbohtml),
}


def readers(names: list[str]) -> Iterator[tuple[str, Reader]]:
    """Ours, then each library that is there; a missing one is named."""
    yield "websearch-web", ours
    for name in names:
        module, reader = LIBRARIES[name]
        try:
            yield name, reader(importlib.import_module(module))
        except ImportError:
            print(f"{name} is not installed and is not measured.")


def pages_of(folder: Path) -> Iterator[tuple[dict[str, str], bytes]]:
    """Each page's truth and bytes."""
    for line in (folder / "truth.jsonl").open(encoding="utf-8"):
        page = json.loads(line)
        yield page, gzip.decompress((folder / "html" / f"{page['id']}.html.gz").read_bytes())


def timed(reader: Reader, body: bytes, url: str, rounds: int) -> tuple[str, float]:
    """What it read, empty when it failed; the least CPU milliseconds of so many rounds."""
    least, found = float("inf"), ""
    for _ in range(rounds):
        began = time.process_time()
        try:
            found = reader(body, url)
        except Exception:  # noqa: BLE001 - a page that a library cannot read counts as nothing read
            found = ""
        least = min(least, (time.process_time() - began) * 1000)
    return found, least


def row(name: str, scores: dict[str, list[tuple[float, str]]], times: list[float]) -> str:
    """One line of the table."""
    means = {kind: mean(score for score, _ in found) for kind, found in scores.items()}
    every = [score for found in scores.values() for score, _ in found]
    cpu = sorted(times)
    cells = "".join(f" {means[kind]:6.3f}" if kind in means else "      -" for kind in TYPES)
    ends = f"{mean(cpu):7.1f} {cpu[len(cpu) // 2]:6.1f} {cpu[int(len(cpu) * 0.99)]:6.1f}"
    return f"{name:23} {mean(every):6.3f} {mean(means.values()):6.3f} {cells} {ends}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path, help="the folder of a WCXB-style data set")
    arguments.add_argument("--rounds", type=int, default=2, help="how often each page is read; the least time counts")
    arguments.add_argument("--only-ours", action="store_true", help="measure no library")
    arguments.add_argument("--worst", type=int, default=0, help="list so many of our worst pages")
    arguments.add_argument("--write", type=Path, help="a folder for one ID.md per page of ours")
    options = arguments.parse_args()
    taking_part = dict(readers([] if options.only_ours else list(LIBRARIES)))
    scores: dict[str, dict[str, list[tuple[float, str]]]] = {name: defaultdict(list) for name in taking_part}
    times: dict[str, list[float]] = defaultdict(list)
    hits: dict[str, list[bool]] = defaultdict(list)
    for page, body in pages_of(options.folder):
        for name, reader in taking_part.items():
            found, least = timed(reader, body, page["url"], options.rounds)
            times[name].append(least)
            scores[name][page["type"]].append((f1(plain(found), page["text"]), page["id"]))
        reading = read_html(body, page["url"])
        metadata_hits(reading, page, hits)
        if options.write:
            options.write.mkdir(parents=True, exist_ok=True)
            (options.write / f"{page['id']}.md").write_text(reading.body, encoding="utf-8")
    print(f"{'':23}   word  macro " + "".join(f" {kind[:6]:>6}" for kind in TYPES) + "     CPU ms a page")
    print(f"{'':23}     F1     F1 " + " " * 7 * len(TYPES) + "    mean    p50    p99")
    for name in taking_part:
        print(row(name, scores[name], times[name]))
    print("Metadata right: " + ", ".join(f"{field} {mean(found):.3f} of {len(found)}" for field, found in hits.items()))
    for score, name in sorted(pair for found in scores["websearch-web"].values() for pair in found)[: options.worst]:
        print(f"  {name} {score:.3f}")


if __name__ == "__main__":
    main()
