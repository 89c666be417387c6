"""The charts: which rows of which tables each one shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from evals.charts.svg import AMBER, BLUE, FAINT, GRID, INK, LIGHT_BLUE, RED, Drawing
from evals.charts.tables import Table, number, tables_of

PLANTED = "Injection planted in pages"
CLEAN = "Clean text, packages kept apart, guard alone"
WAYS = ALONE, WITH_MODEL = "guard alone", "with the model"
ERAS = ("2025-11-25", "2026-07-28")


class MissingTableError(KeyError):
    """A table, or a row of it, is not there under the name that the chart knows."""

    def __str__(self) -> str:
        """Unquoted: it is a sentence."""
        return str(self.args[0])


def injection_by_source(safety: str) -> str:
    """Per author of attacks: the share found, and of it the share removed. Below: the same of harmless text."""
    tables = tables_of(safety)
    rows: list[tuple[str, str, float, float]] = []
    found, removed = ({way: _of(tables, f"{PLANTED}, {way}: {what}") for way in WAYS} for what in ("found", "removed"))
    sources = [name for name in found[ALONE] if not name.startswith("macro")]
    rows += [(name, way, _share(found[way], name), _share(removed[way], name)) for name in sources for way in WAYS]
    for way in WAYS:
        harmless = _of(tables, f"{PLANTED}, {way}: words of attacks in harmless text")
        rows.append(("harmless, attack words", way, _share(harmless, "marked"), _share(harmless, "removed")))
    marked, cut = (_of(tables, f"{CLEAN}: pages with anything {what}") for what in ("marked", "removed"))
    rows.append(("clean pages", ALONE, _share(marked, "all languages"), _share(cut, "all languages")))

    top, left, wide, gap = 92, 170, 470, 26
    bottom = top + gap * len(rows) + 8
    picture = Drawing(
        760,
        bottom + 34,
        "Recall against harm, by source",
        "Share of attacks found, by their author; below, of harmless text.",
    )
    picture.legend(20, 72, (BLUE, "removed"), (LIGHT_BLUE, "marked"), (RED, "harm: removed"), (AMBER, "harm: marked"))
    for tick in range(0, 101, 25):
        x = left + wide * tick / 100
        picture.line(x, top - 4, x, bottom)
        picture.text(x, bottom + 16, f"{tick} %", anchor="middle", size=11, fill=FAINT)
    for index, (name, way, told, gone) in enumerate(rows):
        y = top + gap * index + (4 if way == ALONE else 0)
        if way == ALONE:
            picture.text(left - 10, y + 14, name.replace("_", " "), anchor="end")
        if index < len(WAYS) * len(sources):  # what is found is removed or marked
            picture.bar(left, y, wide * told, 19, LIGHT_BLUE)
            picture.bar(left, y, wide * gone, 19, BLUE)
            words = f"{way}: {told:.0%}"
        else:  # marked and removed are counted each by itself
            picture.bar(left, y, wide * told, 19, AMBER)
            picture.bar(left, y + 5, wide * gone, 9, RED)
            words = f"{way}: {told:.1%} marked, {gone:.1%} removed"
        picture.text(left + wide * max(told, gone) + 6, y + 14, words, size=11, fill=FAINT)
    return str(picture)


def injection_by_language(safety: str) -> str:
    """Per language: attacks found by the guard alone, beside pages of clean text with anything marked or removed."""
    tables = tables_of(safety)
    found = _of(tables, f"{PLANTED}, {ALONE}: found, by language")
    removed = _of(tables, f"{CLEAN}: pages with anything removed")
    marked = _of(tables, f"{CLEAN}: pages with anything marked")
    top, high, middle, wide = 108, 20, 380, 330
    most = 0.10
    picture = Drawing(
        760,
        top + high * len(found) + 34,
        "Recall against harm, by language (guard alone)",
        "Left: planted attacks found (line: 95 %). Right: clean pages marked or cut, on a scale ten times as fine.",
    )
    picture.legend(
        20, 74, (BLUE, "attacks found"), (AMBER, "clean pages marked"), (RED, "clean pages with text removed")
    )
    bottom = top + high * len(found)
    for tick in range(0, 101, 25):
        for x, words in (
            (middle - 16 - wide * tick / 100, f"{tick} %"),
            (middle + 16 + wide * tick / 100, f"{most * tick:g} %"),
        ):
            picture.line(x, top - 6, x, bottom)
            picture.text(x, bottom + 16, words, anchor="middle", size=11, fill=FAINT)
    for index, language in enumerate(found):
        y = top + high * index
        caught, (low, up) = _share(found, language), _interval(found[language][1])
        picture.text(middle, y + 12, language, anchor="middle", weight="bold")
        hint = f"{language}: {caught:.0%} of {found[language][2]} attacks found"
        picture.bar(middle - 16 - wide * caught, y + 2, wide * caught, 13, BLUE, hint=hint)
        picture.line(middle - 16 - wide * up, y + 8.5, middle - 16 - wide * low, y + 8.5, INK)
        if language not in marked or language not in removed:
            picture.text(middle + 20, y + 12, "not measured", size=10, fill=FAINT)
            continue
        for table, fill, height, offset in ((marked, AMBER, 13, 2), (removed, RED, 7, 5)):
            share = _share(table, language)
            what = f"{language}: {share:.1%} of {table[language][2]} clean pages"
            picture.bar(middle + 16, y + offset, wide * min(share / most, 1), height, fill, hint=what)
    return str(picture)


class _Load(NamedTuple):
    """A row of the table of numbers, and how its ratio becomes a cost: of rates it is turned over."""

    label: str
    row: str
    is_rate: bool = False


LOADS = (
    _Load("8 in flight: CPU per search", "CPU per search, {era}"),
    _Load("100 in flight: 99th percentile", "p99 with 100 in flight against a 300 ms backend, {era}"),
    _Load("1,000 in flight: time per search", "searches per second with 1,000 in flight, {era}", is_rate=True),
)


def cost_against_load(numbers: str) -> str:
    """What a search costs in terms of the bare SDK server's, at three loads, in both eras of the protocol."""
    table = next((found for found in tables_of(numbers).values() if LOADS[0].row.format(era=ERAS[0]) in found), None)
    if table is None:
        raise MissingTableError(f"no table has the row {LOADS[0].row.format(era=ERAS[0])!r}")
    top, left, wide, most = 92, 220, 500, 3.0
    bottom = top + 62 * len(LOADS)
    picture = Drawing(
        760,
        bottom + 34,
        "Cost against load",
        "Ours in terms of a bare MCP SDK server's, measured beside it. Less is better; the red mark is the target.",
    )
    picture.legend(20, 72, (LIGHT_BLUE, f"protocol {ERAS[0]}"), (BLUE, f"protocol {ERAS[1]}"))
    for tick in (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0):
        x = left + wide * tick / most
        picture.line(x, top - 4, x, bottom, INK if tick == 1 else GRID)
        words = "1 = the bare server" if tick == 1 else f"{tick:g}"
        picture.text(x, bottom + 16, words, anchor="middle", size=11, fill=FAINT)
    for index, load in enumerate(LOADS):
        y = top + 62 * index
        picture.text(left - 10, y + 32, load.label, anchor="end")
        for place, era in enumerate(ERAS):
            cells = _row(table, load.row.format(era=era))
            cost, target = (_cost(cells[column], load) for column in (2, 3))
            end, at = left + wide * min(cost / most, 1), left + wide * target / most
            unit = "/s" if load.is_rate else ""
            words = f"{cells[0]}{unit}, bare {cells[1]}{unit}: {cost:.2f}"
            where = y + 6 + 24 * place
            picture.bar(left, where, end - left, 20, (LIGHT_BLUE, BLUE)[place], hint=f"{load.label}, {era}: {words}")
            picture.text(left + 6, where + 14, words, size=11, fill=(INK, "#ffffff")[place])
            picture.line(at, where - 2, at, where + 22, RED, width=2.5)
    return str(picture)


CHARTS: Mapping[str, tuple[str, Callable[[str], str]]] = {
    "injection-by-source.svg": ("evals/safety.md", injection_by_source),
    "injection-by-language.svg": ("evals/safety.md", injection_by_language),
    "cost-against-load.svg": ("docs/numbers.md", cost_against_load),
}
"""File → the page whose tables it shows, and how it is drawn."""


def _of(tables: Mapping[str, Table], heading: str) -> Table:
    if heading not in tables:
        raise MissingTableError(f"no table stands under the heading {heading!r}")
    return tables[heading]


def _row(table: Table, name: str) -> list[str]:
    if name not in table:
        raise MissingTableError(f"no row is called {name!r}")
    return table[name]


def _value(cell: str) -> float:
    found = number(cell)
    if found is None:
        raise MissingTableError(f"{cell!r} is no number")
    return found


def _share(table: Table, name: str) -> float:
    return _value(_row(table, name)[0])


def _cost(cell: str, load: _Load) -> float:
    return 1 / _value(cell) if load.is_rate else _value(cell)


def _interval(cell: str) -> tuple[float, float]:
    low, up = re.findall(r"\d\.\d+", cell)
    return float(low), float(up)
