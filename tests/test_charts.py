"""The charts in docs/ are those that the tables in Markdown make, and show what these say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from evals.bench.report import Row, table
from evals.charts.drawings import CHARTS, MissingTableError, cost_against_load, injection_by_language
from evals.charts.svg import BLUE
from evals.charts.tables import number, tables_of

ROOT = Path(__file__).parents[1]
NUMBERS = (ROOT / "docs/numbers.md").read_text(encoding="utf-8")
SAFETY = (ROOT / "evals/safety.md").read_text(encoding="utf-8")
RECT = "{http://www.w3.org/2000/svg}rect"


def bars(picture: str, fill: str, height: str) -> list[float]:
    return [
        float(b.get("width", ""))
        for b in ET.fromstring(picture).iter(RECT)
        if (b.get("fill"), b.get("height")) == (fill, height)
    ]


@pytest.mark.parametrize("name", CHARTS)
def test_the_chart_is_the_one_that_its_tables_make(name: str) -> None:
    page, draw = CHARTS[name]
    drawn = (ROOT / "docs/charts" / name).read_text(encoding="utf-8")
    assert drawn == draw((ROOT / page).read_text(encoding="utf-8")), "run `python -m evals.charts`"


@pytest.mark.parametrize("name", CHARTS)
def test_the_page_of_numbers_shows_it(name: str) -> None:
    assert f"](charts/{name})" in NUMBERS


def test_a_bar_is_as_long_as_its_share() -> None:
    head, found, rest = SAFETY.partition("guard alone: found, by language\n")
    half, whole = (
        bars(
            injection_by_language(head + found + re.sub(r"\| de \| [\d.]+", f"| de | {share}", rest, count=1)),
            BLUE,
            "13.0",
        )
        for share in ("0.4000", "0.8000")
    )
    changed = [(old, new) for old, new in zip(half, whole, strict=True) if old != new]
    assert changed == [(pytest.approx(132, abs=0.1), pytest.approx(264, abs=0.1))]


def test_of_rates_more_is_less_cost() -> None:
    row = re.compile(r"(searches per second with 1,000 in flight, 2026-07-28 \| [^|]+ \| [^|]+ \|) [\d.]+")
    slow, fast = (bars(cost_against_load(row.sub(rf"\1 {ratio}", NUMBERS)), BLUE, "20.0")[-1] for ratio in (0.6, 1.2))
    assert slow == pytest.approx(2 * fast, abs=0.2)


def test_a_table_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingTableError, match="Injection planted in pages, guard alone: found"):
        injection_by_language("# Safety\n")
    (tmp_path / "safety.md").write_text("# Safety\n")
    command = [sys.executable, "-m", "evals.charts", "--safety", "safety.md", "--into", "."]
    run = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert "injection-by-source.svg: not drawn, since in safety.md no table stands under" in run.stdout


def test_numbers_are_read_with_their_units() -> None:
    assert [number(cell) for cell in ("507 ms", "≤ 1.3, missed", "1,379", "-")] == [507, 1.3, 1379, None]


def test_the_benchmark_writes_the_table_that_the_chart_reads() -> None:
    rows: list[Row] = []
    for era in ("2025-11-25", "2026-07-28"):
        rows += [
            Row(f"CPU per search, {era}", "ms", 3.0, 2.0, at_most=2.0),
            Row(f"p99 with 100 in flight against a 300 ms backend, {era}", "ms", 507.0, 472.0, at_most=1.3),
            Row(f"searches per second with 1,000 in flight, {era}", "", 445.0, 890.0, at_least=0.6),
        ]
    page = table(rows)
    assert "| CPU per search, 2025-11-25 | 3 ms | 2 ms | 1.50 | ≤ 2 |" in page
    assert tables_of(page)[""]["searches per second with 1,000 in flight, 2026-07-28"][-1] == "≥ 0.6, missed"
    assert len(bars(cost_against_load(page), BLUE, "20.0")) == 3
