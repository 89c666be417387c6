"""What is printed: both raw numbers, their ratio, and the target that the design sets."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """One measurement. A target is for the ratio, or for our number where there is no baseline."""

    what: str
    unit: str
    ours: float
    bare: float | None = None
    at_most: float | None = None
    at_least: float | None = None
    because: str = ""
    """What lies behind a number, when that is worth a line."""

    @property
    def ratio(self) -> float | None:
        return self.ours / self.bare if self.bare else None

    @property
    def verdict(self) -> str:
        judged = self.ours if self.bare is None else self.ratio
        if judged is None or (self.at_most is None and self.at_least is None):
            return ""
        missed = (self.at_most is not None and judged > self.at_most) or (
            self.at_least is not None and judged < self.at_least
        )
        return "missed" if missed else "met"

    @property
    def target(self) -> str:
        if self.at_most is not None:
            return f"<= {self.at_most:g}"
        return "" if self.at_least is None else f">= {self.at_least:g}"


def heading(text: str) -> None:
    print(f"\n{text}\n{'':<60} {'ours':>9} {'bare':>9} {'':<4} {'ratio':>6}  target", flush=True)


def show(rows: Iterable[Row]) -> list[Row]:
    """Print each row as soon as it is there."""
    shown = []
    for row in rows:
        bare = "" if row.bare is None else f"{row.bare:.2f}"
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        line = f"{row.what:<60} {row.ours:>9.2f} {bare:>9} {row.unit:<4} {ratio:>6}  {row.target:<7} {row.verdict}"
        print(line.rstrip() + (f"\n    {row.because}" if row.because else ""), flush=True)
        shown.append(row)
    return shown


def table(rows: Iterable[Row]) -> str:
    """The same in Markdown, as docs/numbers.md has it."""
    lines = ["| | ours | bare SDK server | ratio | target |", "|---|---|---|---|---|"]
    for row in rows:
        ours, bare = ("" if of is None else f"{of:.4g} {row.unit}".strip() for of in (row.ours, row.bare))
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        target = row.target.replace("<=", "≤").replace(">=", "≥")
        if target and row.bare is None:  # it is for our number, and has its unit
            target = f"{target} {row.unit}".strip()
        target += ", missed" if row.verdict == "missed" else ""
        lines.append(f"| {row.what} | {ours} | {bare} | {ratio} | {target} |")
    return "\n".join(lines) + "\n"


def write(rows: Iterable[Row], file: Path) -> None:
    values = [asdict(row) | {"ratio": row.ratio, "verdict": row.verdict} for row in rows]
    file.write_text(json.dumps(values, indent=1) + "\n")
