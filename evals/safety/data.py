"""Where the data lies that is not part of this project: a folder that is named at the command line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

NEEDED = {
    "injection-direct.jsonl.gz": "chat-style injections and benign texts by several authors: text, label, source",
    "injection-web-generated.jsonl.gz": "injections as web pages carry them, and benign neighbours: text, label",
    "injection-goals.jsonl.gz": "what attackers want: text",
    "pages-clean.jsonl.gz": "main text of ordinary pages: url, title, text",
    "queries-ordinary.jsonl.gz": "real search queries: text",
    "queries-pii.jsonl.gz": "queries with fake personal data: text, entity, value",
    "queries-not-pii.jsonl.gz": "queries that look like it: text, why",
}
OWN = Path(__file__).parent
"""Texts of our own: `corpus` was trained on, `heldout` was written by others and never looked at."""


def folder_of(data: Path) -> Path:
    """The folder with the safety data: the one named, or its sub-folder `safety`. Exits with what is missing."""
    for folder in (data, data / "safety"):
        if all((folder / name).is_file() for name in NEEDED):
            return folder
    lines = "\n".join(f"  {name}: {NEEDED[name]}" for name in NEEDED if not (data / name).is_file())
    raise SystemExit(f"{data} lacks (JSON Lines, gzip):\n{lines}")


def rows(path: Path) -> list[dict[str, Any]]:
    """One table a line."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        return [json.loads(line) for line in lines if line.strip()]
