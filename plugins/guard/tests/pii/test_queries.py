"""Queries as many kinds of people and agents type them: what is in them, by class, and what only looks like it."""

import json
from collections import defaultdict
from pathlib import Path

import pytest

from websearch_guard.pii.find import find

ROWS = [json.loads(line) for line in (Path(__file__).parent / "queries_dev.jsonl").read_text("utf-8").splitlines()]
BY_CLASS: dict[str, list[str]] = defaultdict(list)
for row in ROWS:
    BY_CLASS[row["entity"] or ""].append(row["text"])
ORDINARY = BY_CLASS.pop("")


@pytest.mark.parametrize("kind", BY_CLASS)
def test_a_class_is_found_as_people_type_it(kind: str) -> None:
    missed = [text for text in BY_CLASS[kind] if not find(text)]
    assert len(missed) <= 0.08 * len(BY_CLASS[kind]), missed


def test_what_only_looks_like_it_is_let_be() -> None:
    stopped = [text for text in ORDINARY if find(text)]
    assert len(stopped) <= 0.01 * len(ORDINARY), stopped
