"""A measurement as it is printed and written: how many of how many, the interval, the bar, and the verdict."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path

_Z = 1.959964
"""Of the normal distribution: 95 %."""


@dataclass(frozen=True)
class Row:
    """A share (`hits` of `count`), or a number of its own (`value`, in `unit`)."""

    group: str
    gate: str
    hits: int = 0
    count: int = 0
    value: float | None = None
    unit: str = ""
    at_least: float | None = None
    at_most: float | None = None
    because: str = ""

    @property
    def measured(self) -> float:
        return self.value if self.value is not None else self.hits / self.count if self.count else 0.0

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's, for shares."""
        if self.value is not None or not self.count:
            return None
        share, n = self.hits / self.count, self.count
        middle = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        half = _Z * sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
        return max(middle - half, 0.0), min(middle + half, 1.0)

    @property
    def bar(self) -> str:
        if self.at_least is not None:
            return f">= {self.at_least:g}"
        return "" if self.at_most is None else f"<= {self.at_most:g}"

    @property
    def missed(self) -> bool:
        if self.value is None and not self.count:
            return True
        return (self.at_least is not None and self.measured < self.at_least) or (
            self.at_most is not None and self.measured > self.at_most
        )

    @property
    def verdict(self) -> str:
        return "" if not self.bar else "MISSED" if self.missed else "met"


def _cells(row: Row) -> tuple[str, str, str, str, str]:
    number = f"{row.measured:.2f} {row.unit}" if row.value is not None else f"{row.measured:.4f}"
    interval = "{:.3f}-{:.3f}".format(*row.interval) if row.interval else ""
    return number.strip(), interval, str(row.count or ""), row.bar, row.verdict


def show(rows: Iterable[Row]) -> list[Row]:
    """Print each row as soon as it is there, with a heading for each group."""
    shown: list[Row] = []
    for row in rows:
        if not shown or shown[-1].group != row.group:
            print(f"\n{row.group}\n{'':<62} {'measured':>12} {'95 %':>13} {'n':>6}  bar", flush=True)
        number, interval, count, bar, verdict = _cells(row)
        print(f"{row.gate:<62} {number:>12} {interval:>13} {count:>6}  {bar:<8} {verdict}".rstrip(), flush=True)
        if row.because:
            print(f"    {row.because}", flush=True)
        shown.append(row)
    return shown


def write(rows: Sequence[Row], folder: Path) -> None:
    """The same as `safety.md` and `safety.json`, each group's rows together."""
    folder.mkdir(parents=True, exist_ok=True)
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    lines: list[str] = []
    for group, its in groups.items():
        lines += ["", f"## {group}", "", "| | measured | 95 % | n | bar | |", "|---|---|---|---|---|---|"]
        lines += [f"| {' | '.join((row.gate, *_cells(row)))} |" for row in its]
    (folder / "safety.md").write_text("# Safety, measured\n" + "\n".join(lines) + "\n")
    (folder / "safety.json").write_text(
        json.dumps([{**asdict(row), "measured": row.measured, "interval": row.interval} for row in rows], indent=1)
    )
