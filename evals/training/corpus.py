"""What the models of websearch-guard learn from: examples with their author, and windows as a web page carries them.

`load` and `pages` read, `windows` mixes. Of data sets only MIT, Apache-2.0, ODC-BY, CC BY and our own (`README.md`
beside the data); ordinary text in other languages: `clean_text`. The blind author's texts
(`evals/safety/heldout`) are never read here.
"""

from __future__ import annotations

import contextlib
import gzip
import importlib.metadata
import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

OWN = Path(__file__).parents[1] / "safety" / "corpus"
"""Committed texts of several authors of ours."""
DIRECT = frozenset({"slabs", "neuralchemy", "yanis"})
"""Volumes of chat injections: as positives they teach trigger words and cost recall on pages; left out of them."""
AT_HOME = 0.75
"""So often a text stands in a page of its own language, else in an English one."""
UNSEEN = 0.4
"""Of the clean pages."""
NATIVE = frozenset({"languages_f"})
SAMPLED = 800
"""Of one source and label, at most so many: volume from one author helps little."""


class Example(NamedTuple):
    """One text; `source` is its author or style: what leave-one-out leaves out."""

    text: str
    label: int
    source: str
    language: str


class Window(NamedTuple):
    """A stretch of text as a detector sees it; `start` and `end` say where the instruction is (0, 0: none)."""

    text: str
    label: int
    source: str
    start: int = 0
    end: int = 0


def load(data: Path, own: Path = OWN, *, seed: int = 1) -> list[Example]:
    """Every example that may train, each text once, sources sampled to `SAMPLED`."""
    rng = random.Random(seed)
    found = [
        Example(row["text"], int(row["label"]), str(row["source"]), _language(row))
        for name in ("injection-direct", "injection-web-generated")
        for row in _rows(data / f"{name}.jsonl.gz")
    ]
    for path in sorted(own.glob("*.jsonl")):
        found += written(path)
    hosts = [urlsplit(row["url"]).hostname or "" for row in _rows(data / "pages-clean.jsonl.gz")]
    goals = [_goal(row["text"]) for row in _rows(data / "injection-goals.jsonl.gz")]
    found += list(wrapped(own, goals, rng))
    # what attackers want is what offices do all day: it is who asks for it that tells them apart
    found += [Example(goal, 0, "asb", "en") for goal in goals]
    by: dict[tuple[str, int], dict[str, Example]] = {}
    for example in found:
        text = natural(example.text, hosts, rng)
        if len(text.strip()) >= 3 and len(_LEET.findall(text)) < 3:
            by.setdefault((example.source, example.label), {}).setdefault(text, example._replace(text=text))
    return [example for group in by.values() for example in rng.sample(list(group.values()), min(SAMPLED, len(group)))]


def written(path: Path) -> list[Example]:
    """The texts of one author of ours."""
    return [
        Example(row["text"], int(row.get("label", 1)), _author(path.stem, row), _language(row)) for row in _rows(path)
    ]


def natural(text: str, hosts: Sequence[str], rng: random.Random) -> str:
    """Without the placeholders of authors who wanted to harm nobody: no attacker sends anything to example.com."""
    text = _PLACE.sub(lambda _: rng.choice(hosts), text)
    return _NUMBERED.sub("", text)


_PLACE = re.compile(r"[\w.-]*(?:\bexample[\w-]*\.[a-z]{2,}|\.(?:example|test|invalid)\b)")
_LEET = re.compile(r"[a-z][0-9][a-z]")
"""Disguises are read by the canon; the model learns plain words."""
_NUMBERED = re.compile(r"\s*\(?\b(?:ID|id)\b[:\s]*[A-Z]*[0-9][A-Z0-9-]*\)?")


def wrapped(own: Path, goals: Sequence[str], rng: random.Random, each: int = 5) -> Iterator[Example]:
    """Wrappers of ours (`wrappers*.json`) around other people's goals; a style is a source."""
    for path in sorted(own.glob("wrappers*.json")):
        for row in _wrappers(json.loads(path.read_text(encoding="utf-8"))):
            for _ in range(each):
                goal = rng.choice(goals).rstrip(".")
                text = row["text"].replace("{goal_lower}", goal[:1].lower() + goal[1:]).replace("{goal}", goal)
                yield Example(text, 1, f"{path.stem}:{row.get('style', '')}", _language(row))


def pages(data: Path) -> list[str]:
    """The main text of ordinary pages."""
    return [row["text"] for row in _rows(data / "pages-clean.jsonl.gz")]


def split(clean: Sequence[str]) -> tuple[list[str], list[str]]:
    """Pages to train on, and pages that no model sees: thresholds are set on those."""
    shuffled = list(clean)
    random.Random(5).shuffle(shuffled)
    at = int(len(shuffled) * (1 - UNSEEN))
    return shuffled[:at], shuffled[at:]


def developer_docs(limit: int = 500, *, seed: int = 1) -> list[str]:
    """Code and documentation of installed packages under MIT or Apache-2.0: negatives full of prompts and commands."""
    rng = random.Random(seed)
    found: list[str] = []
    for package in sorted(importlib.metadata.distributions(), key=lambda package: str(package.metadata["Name"])):
        about = package.metadata
        terms = " ".join(
            [str(about.get(key, "")) for key in ("License-Expression", "License")] + about.get_all("Classifier", [])
        )[:3000]
        if not re.search(r"\bMIT\b|Apache", terms) or str(about["Name"]).startswith("websearch"):
            continue
        sources = [path for path in package.files or () if path.suffix in {".py", ".md", ".rst"}]
        for path in rng.sample(sources, min(12, len(sources))):
            with contextlib.suppress(OSError, UnicodeError):
                text = Path(str(path.locate())).read_text(encoding="utf-8")
                at = rng.randrange(max(1, len(text) - 8000))
                found.append(text[at : at + 8000])
    found = [text for text in found if len(text) > 500]
    return rng.sample(found, min(limit, len(found)))


def windows(
    examples: Iterable[Example], clean: Mapping[str, Sequence[str]], *, chars: int = 400, each: int = 2, seed: int = 1
) -> Iterator[Window]:
    """Windows of about `chars`: each text alone, then inside a stretch of a clean page, then what carriers make of it.

    The page is mostly of the text's own language. A text of label 0 stays 0 wherever it stands. Windows of clean pages
    alone are the caller's to draw: which pages may be seen is a matter of folds.
    """
    rng = random.Random(seed)
    for example in examples:
        own = clean.get(example.language) or clean["en"]
        for piece in pieces(example.text, chars, rng):
            yield Window(piece, example.label, example.source, 0, len(piece))
            for _ in range(each):
                yield embedded(piece, example, rng.choice(own if rng.random() < AT_HOME else clean["en"]), chars, rng)


def pieces(text: str, chars: int, rng: random.Random) -> list[str]:
    """A long text is several windows: its beginning and one other stretch."""
    text = text.strip()
    if len(text) <= chars * 3 // 2:
        return [text]
    at = rng.randrange(len(text) - chars)
    at = text.find(" ", at) + 1 or at
    return [text[:chars], text[at : at + chars]]


def embedded(text: str, example: Example, page: str, chars: int, rng: random.Random) -> Window:
    """The text at a random place of a window of the page, between paragraphs or in the middle of a sentence."""
    carried = carrier(rng).replace("{}", text)
    room = max(60, int(chars * rng.uniform(0.15, 1.0)) - len(carried))
    at = rng.randrange(max(1, len(page) - room))
    around = page[at : at + room]
    cut = rng.randrange(len(around) + 1)
    cut = around.rfind(" ", 0, cut) + 1
    gap = rng.choice(("\n\n", "\n", " ", " "))
    before = around[:cut] + gap
    start = len(before) + carried.find(text)
    return Window(before + carried + gap + around[cut:], example.label, example.source, start, start + len(text))


def carrier(rng: random.Random) -> str:
    """Where in a page it stands; half of the time it stands there as it is."""
    return rng.choice(_CARRIERS) if rng.random() < 0.5 else "{}"


_CARRIERS = (
    "<!-- {} -->",
    "![{}](https://example.com/photo.jpg)",
    '{"note": "{}"}',
    "- {}",
    "1. {}",
    "> {}",
    "# {}",
    "// {}",
    "/* {} */",
    "**{}**",
    "({})",
    '"{}"',
    "| {} |",
    "Comment by user41, 3 days ago: {}",
    "★★☆☆☆ {}",
    "[{}](https://example.com/)",
    "description: {}",
    "Q: {}",
    "Note: {}",
)


def _rows(path: Path) -> list[dict[str, Any]]:
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in raw.decode().split("\n") if line.strip()]


def _goal(text: str) -> str:
    text = text.removeprefix("Please ")
    return text[:1].upper() + text[1:]


def _wrappers(found: Any) -> list[dict[str, Any]]:
    """A list of texts or rows, or styles with their texts."""
    if isinstance(found, dict):
        found = found.get("wrappers", found)
    if isinstance(found, dict):
        found = [{"text": text, "style": style} for style, texts in found.items() for text in texts]
    return [row if isinstance(row, dict) else {"text": row} for row in found]


def _author(name: str, row: dict[str, Any]) -> str:
    """Author and style; of those who wrote in their own language, the language."""
    return f"{name}:{_language(row) if name in NATIVE else row.get('style', '')}"


def _language(row: dict[str, Any]) -> str:
    return str(row.get("language") or row.get("lang") or "")
