"""How well and how fast pages become Markdown: `extraction.py FOLDER` of a WCXB-style data set.

The folder holds `truth.jsonl` (id, url, type, text, title, author, date: one page a line) and `html/ID.html.gz`.
Printed: word F1 of the main content per page type, their mean and macro mean, metadata hits, CPU time per page.
Word F1 compares multisets of lower-cased words, after Markdown syntax and link targets are dropped.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import time
from collections import Counter, defaultdict
from difflib import SequenceMatcher
from pathlib import Path
from statistics import mean

from websearch_web.html.read import HtmlReading, read_html

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


def metadata_hits(reading: HtmlReading, page: dict[str, str], hits: dict[str, list[bool]]) -> None:
    """Title and author by similarity over 0.8, the date by day."""
    for field in ("title", "author"):
        if page.get(field):
            ratio = SequenceMatcher(None, page[field].lower(), getattr(reading, field).lower()).ratio()
            hits[field].append(ratio > 0.8)
    if page.get("date"):
        day = reading.published.date().isoformat() if reading.published else ""
        hits["date"].append(day == page["date"][:10])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path, help="the folder of a WCXB-style data set")
    arguments.add_argument("--worst", type=int, default=0, help="list so many of the worst pages")
    arguments.add_argument("--write", type=Path, help="a folder for one ID.md per page")
    options = arguments.parse_args()
    scores: dict[str, list[tuple[float, str]]] = defaultdict(list)
    hits: dict[str, list[bool]] = defaultdict(list)
    times: list[float] = []
    for line in (options.folder / "truth.jsonl").open(encoding="utf-8"):
        page = json.loads(line)
        body = gzip.decompress((options.folder / "html" / f"{page['id']}.html.gz").read_bytes())
        began = time.process_time()
        reading = read_html(body, page["url"])
        times.append((time.process_time() - began) * 1000)
        scores[page["type"]].append((f1(plain(reading.body), page["text"]), page["id"]))
        metadata_hits(reading, page, hits)
        if options.write:
            options.write.mkdir(parents=True, exist_ok=True)
            (options.write / f"{page['id']}.md").write_text(reading.body, encoding="utf-8")
    for kind, found in sorted(scores.items()):
        print(f"{kind:15} n={len(found):4}  F1 {mean(score for score, _ in found):.3f}")
    every = [score for found in scores.values() for score in found]
    macro = mean(mean(score for score, _ in found) for found in scores.values())
    print(f"{'all':15} n={len(every):4}  F1 {mean(score for score, _ in every):.3f}  macro {macro:.3f}")
    for field, found in sorted(hits.items()):
        print(f"{field:15} n={len(found):4}  right {mean(found):.3f}")
    times.sort()
    print(f"CPU ms a page   mean {mean(times):.1f}  p50 {times[len(times) // 2]:.1f}  max {times[-1]:.1f}")
    for score, name in sorted(score for found in scores.values() for score in found)[: options.worst]:
        print(f"  {name} {score:.3f}")


if __name__ == "__main__":
    main()
