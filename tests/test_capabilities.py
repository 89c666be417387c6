"""The table in docs/plugins.md of what each engine takes is the one that the declarations make."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "capabilities.py"
MARKS = ("<!-- capabilities -->", "<!-- /capabilities -->")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *words], capture_output=True, text=True, check=False, timeout=60
    )


def test_the_page_shows_what_is_declared() -> None:
    table = (ROOT / "docs/plugins.md").read_text().partition(MARKS[0])[2].partition(MARKS[1])[0]
    assert table.strip() == run().stdout.strip(), "run: python scripts/capabilities.py --write docs/plugins.md"


def test_every_engine_of_the_repository_has_a_row() -> None:
    engines = {path.parts[-3] for path in ROOT.glob("plugins/*/websearch_*/backend.py")}
    rows = {line.split("|")[1].strip() for line in run().stdout.splitlines() if line.startswith("| ")}
    assert engines <= rows


def test_it_writes_between_its_marks_and_nowhere_else(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{MARKS[0]}\nold\n{MARKS[1]}\nafter\n")
    assert run("--write", str(page)).returncode == 0
    written = page.read_text()
    assert written.startswith(f"before\n{MARKS[0]}\n| engine |")
    assert written.endswith(f"{MARKS[1]}\nafter\n")
    page.write_text("no marks")
    assert "lacks" in run("--write", str(page)).stderr
    assert page.read_text() == "no marks"
