"""Articles of other hands, by language, next to other readers: `python -m evals.articles FOLDER`.

The folder holds pages, `html/NAME.html`, and the text of their articles, `txt/NAME.txt`; where there is a
`metadata/NAME.json`, it says the page's `url` and `language`. The tests of newspaper4k come so (`tests/data` of its
source distribution, MIT): nothing of them is part of this project.
Printed per language and in sum: word F1 of ours and of each library that is installed. In scripts without spaces, each
character counts as a word.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from .extraction import LIBRARIES, plain, readers

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
_LANGUAGE = re.compile(rb"<html[^>]{0,300}\slang=[\"']?([a-zA-Z]{2})")


class Article(NamedTuple):
    """A page and what its article says."""

    name: str
    body: bytes
    url: str
    language: str
    text: str


def articles_of(folder: Path) -> Iterator[Article]:
    """Those that have both, by name."""
    for page in sorted((folder / "html").glob("*.html")):
        truth, about = folder / "txt" / f"{page.stem}.txt", folder / "metadata" / f"{page.stem}.json"
        if not truth.is_file():
            continue
        facts: dict[str, str] = json.loads(about.read_text(encoding="utf-8")) if about.is_file() else {}
        body = page.read_bytes()
        told = _LANGUAGE.search(body)
        language = facts.get("language") or (told[1].decode().lower() if told else "")
        url = facts.get("url") or f"https://news.example/{page.stem}"
        yield Article(page.stem, body, url, language or "?", truth.read_text(encoding="utf-8"))


def f1(predicted: str, true: str) -> float:
    """Of the two texts' words as multisets."""
    ours, theirs = (Counter(_WORD.findall(text.lower())) for text in (predicted, true))
    overlap = sum((ours & theirs).values())
    return 2 * overlap / (sum(ours.values()) + sum(theirs.values())) if ours or theirs else 1.0


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--pages", action="store_true", help="show each page, too")
    options = arguments.parse_args()
    taking_part = dict(readers(list(LIBRARIES)))
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for article in articles_of(options.folder):
        for name, reader in taking_part.items():
            try:
                text = reader(article.body, article.url)
            except Exception:  # noqa: BLE001 - a page that a library cannot read counts as nothing read
                text = ""
            score = f1(plain(text), article.text)
            found[article.language][name].append(score)
            found["all"][name].append(score)
            if options.pages:
                print(f"{article.name:24} {name:24} {score:.3f}")
    print(f"| language | pages | {' | '.join(taking_part)} |")
    print("|---|---|" + "---|" * len(taking_part))
    for language, scores in sorted(found.items(), key=lambda item: (item[0] == "all", item[0])):
        cells = " | ".join(f"{mean(scores[name]):.3f}" for name in taking_part)
        print(f"| {language} | {len(next(iter(scores.values())))} | {cells} |")


if __name__ == "__main__":
    main()
