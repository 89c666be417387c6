"""What guard does to clean text, by language: how much of it is removed, how many pages are marked.

Three sources. Packages of Debian that no training and no threshold has seen, as `scripts/clean-text.sh` takes them
apart; of these a manual on security, in eight languages, also by itself; and prose out of treebanks (news, fiction,
law): the folder `languages` beside the safety data. A bar is met only on 600 pages and two million characters; what is
less says so, and has its bound only.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from evals.training.clean_text import texts_of
from websearch_core.chain.chain import Chain
from websearch_core.marks import OPENING

from .production import inspection, page, running
from .rows import Row

CLEAN = Path("build/clean-text/text/test")
GROUP = "Clean text, {}: {}"
PAGES, CHARACTERS = 600, 2_000_000
"""So much has to be measured for a bar to be met."""
MOST = 700
"""Pages of one language."""
SECURITY = "harden-doc"
LOST = 50
"""Of 10,000 characters about security so many may be removed."""
_MARKER = re.compile(r"\[removed: [^\]\n]{1,80}, (\d{1,9}) characters\]")
CODES = {"chinese": "zh", "croatian": "hr", "czech": "cs", "danish": "da", "dutch": "nl", "english": "en"}
CODES |= {"finnish": "fi", "french": "fr", "german": "de", "greek": "el", "hebrew": "he", "indonesian": "id"}
CODES |= {"japanese": "ja", "korean": "ko", "lithuanian": "lt", "norwegian": "no", "persian": "fa", "portuguese": "pt"}
CODES |= {"romanian": "ro", "russian": "ru", "slovenian": "sl", "spanish": "es", "swedish": "sv", "turkish": "tr"}
CODES |= {"vietnamese": "vi"}


class Effect(NamedTuple):
    """What became of one page."""

    characters: int
    removed: int
    marked: bool


async def measure(data: Path) -> AsyncIterator[Row]:
    """A row for each language, source and question, with guard alone."""
    async with running("guard") as chain:
        for source, texts in sources(data).items():
            async for row in _rows(chain, f"{source}, guard alone", texts):
                yield row


def sources(data: Path) -> dict[str, dict[str, list[str]]]:
    """The texts of each source and language, as far as they are to be had."""
    found: dict[str, dict[str, list[str]]] = {}
    if CLEAN.is_dir():
        found["packages kept apart"] = texts_of(CLEAN, MOST)
        manuals = sorted(CLEAN.glob(f"*/{SECURITY}.jsonl.gz"))
        found["a manual on security"] = {path.parent.name: _texts(path) for path in manuals}
    if (folder := data.parent / "languages").is_dir():
        paths = {CODES[path.name.partition(".")[0]]: path for path in sorted(folder.glob("*.gz"))}
        found["prose of treebanks"] = {code: _texts(path) for code, path in sorted(paths.items())}
    return found


def _texts(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines][:MOST]


async def _rows(chain: Chain, source: str, texts: Mapping[str, Sequence[str]]) -> AsyncIterator[Row]:
    found = {language: [await effect(chain, text) for text in of] for language, of in texts.items()}
    whole = [one for of in found.values() for one in of]
    for gate, of in {**found, "all languages": whole}.items():
        total = sum(one.characters for one in of)
        enough = len(of) >= PAGES and total >= CHARACTERS
        note = "" if enough else f" (too little: {total / 1e6:.1f} M characters)"
        name, bar = gate + note, enough and gate != "all languages"
        lost = 10_000 * sum(one.removed for one in of) / max(total, 1)
        group = GROUP.format(source, "characters removed")
        most = LOST if "security" in source else 2 if bar else None
        yield Row(group, name, value=lost, unit="of 10,000", at_most=most)
        cut, marked = sum(one.removed > 0 for one in of), sum(one.marked for one in of)
        group = GROUP.format(source, "pages with anything removed")
        yield Row(group, name, cut, len(of), at_most=0.005 if bar else None)
        group = GROUP.format(source, "pages with anything marked")
        yield Row(group, name, marked, len(of), at_most=0.02 if bar else None)


async def effect(chain: Chain, text: str) -> Effect:
    """What stands in for what the chain took out says how much; what is dropped is removed as a whole."""
    before = page(text)
    kept = (await inspection(chain, before)).documents
    if not kept:
        return Effect(len(before.body), len(before.body), marked=False)
    removed = sum(int(found[1]) for found in _MARKER.finditer(kept[0].body))
    return Effect(len(before.body), removed, OPENING in kept[0].body)
