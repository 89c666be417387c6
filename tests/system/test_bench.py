"""The benchmark runs: a quick round, whose numbers mean nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from evals.charts.tables import tables_of

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_quick_round_measures_every_row_without_an_error(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    table = tmp_path / "table.md"
    command = [sys.executable, "-m", "evals.bench", "--quick", "--json", str(file), "--table", str(table)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = json.loads(file.read_text())
    assert {row["verdict"] for row in rows if row["what"].startswith("errors")} == {"met"}
    for era in ("2026-07-28", "2025-11-25"):
        assert any(row["what"] == f"CPU per search, {era}" and row["ratio"] for row in rows)
    for what in (
        "ready to answer",
        "CPU of `websearch plugins`",
        "idle memory",
        "p99 with 10 in flight",
        "most memory",
        "CPU per search with the guard",
        "a page of 50 KB outside reader and filters",
        "all filters for a page of 50 KB",
        "all filters for an average page",
    ):
        assert any(row["what"].startswith(what) for row in rows), what
    assert list(tables_of(table.read_text(encoding="utf-8"))[""]) == [row["what"] for row in rows]
