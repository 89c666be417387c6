"""Answers for a person at a terminal, and as JSON in the words of the MCP tools."""

from __future__ import annotations

import dataclasses
import json
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape as escape_markup
from rich.table import Column, Table

from ..asking.ledger.ledger import totals_of
from ..contract.error_texts import explained
from ..contract.errors import AllSourcesFailed, BackendError
from ..contract.results import FetchAnswer, SearchAnswer

if TYPE_CHECKING:
    from ..asking.ledger.ledger import Entry
    from ..startup.doctor import CheckedBackend

_CONTROL = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)))
"""Control characters but tab and line feed: a page must not steer the operator's terminal."""

NOT_KEPT = (
    "the ledger lives in the server's memory, so nobody else can read it and it ends with the server; "
    'to keep it, name a file that the server and this command share: [store] path = "/var/lib/websearch/store.db"'
)


def search(answer: SearchAnswer, *, as_json: bool) -> None:
    """The hits, then the notes and receipts on stderr."""
    if as_json:
        from ..server.search_tool import whole_data

        _json(whole_data(answer))
        return
    out = _console()
    for number, hit in enumerate(answer.hits, 1):
        date = f"  [dim]{hit.published:%Y-%m-%d}[/dim]" if hit.published else ""
        out.print(f"[bold]{number}. {escape(hit.title or hit.url)}[/bold]{date}")
        out.print(f"   [cyan]{escape(hit.url)}[/cyan]  [dim]{escape(hit.source)}[/dim]")
        if hit.text:
            out.print(f"   {escape(' '.join(hit.text.split()))}\n")
    err = _console(stderr=True)
    if not answer.hits:
        err.print("nothing found")
    _tell(err, "yellow", "hint", answer.hints)
    _tell(err, "yellow", "note", answer.notes)
    _tell(err, "red", "dropped", (f"{gone.host} by {gone.by}: {gone.reason}" for gone in answer.dropped))


def notes(found: Sequence[str]) -> None:
    """What was put right in what was typed, on stderr."""
    _tell(_console(stderr=True), "yellow", "note", found)


def pages(urls: Sequence[str], rows: Sequence[FetchAnswer | BackendError | AllSourcesFailed], *, as_json: bool) -> None:
    """Each page's Markdown on stdout; failures and notes on stderr."""
    if as_json:
        from ..server.fetch_results import whole_data

        _json(whole_data(urls, [row if isinstance(row, FetchAnswer) else explained(row) for row in rows]))
        return
    err = _console(stderr=True)
    for url, row in zip(urls, rows, strict=True):
        if isinstance(row, FetchAnswer):
            err.print(f"[bold]{escape(row.page.title or url)}[/bold]  [cyan]{escape(row.page.reached)}[/cyan]")
            print(row.page.body.translate(_CONTROL))  # noqa: T201 - the page itself
            _tell(err, "yellow", "note", row.notes)
        else:
            failure = explained(row)
            _tell(err, "red", "failed", [f"{failure.address(url)}: {failure.text}"])


def findings(found: Sequence[CheckedBackend], exceptions: Sequence[str], *, as_json: bool) -> None:
    """How each backend stands, and what to do; then what the operator has excepted from the guard. Nothing is cut."""
    if as_json:
        _json({"backends": [dataclasses.asdict(finding) for finding in found], "exceptions": list(exceptions)})
        return
    out = Console(highlight=False)
    widths = [max((len(text) for text in column), default=0) for column in zip(*map(_heading, found), strict=True)]
    for finding in found:
        columns = [text.ljust(width) for text, width in zip(_heading(finding), widths, strict=True)]
        remedy = [f"    what to do: {finding.remedy}"] if finding.remedy else []
        for line in ("  ".join([*columns, finding.detail]), *remedy):
            folded = textwrap.wrap(line, out.width, subsequent_indent="    ", break_long_words=False)
            out.print(escape("\n".join(folded)), soft_wrap=True)
    for finding in found:
        who = finding.backend
        _tell(out, "yellow", "resting", (f"{who}: {rest}" for rest in finding.rests))
        _tell(out, "green", "asked again from now on", (f"{who}, which was resting: {rest}" for rest in finding.ended))
        _tell(out, "yellow", "keys", (f"{who}: {line}" for line in finding.keys))
    _tell(out, "yellow", "exception", exceptions)


def ledger(entries: Sequence[Entry], *, kept: bool, as_json: bool) -> None:
    """A row for each day, engine and caller, then what they add up to."""
    totals = totals_of(entries)
    if as_json:
        rows = [{**dataclasses.asdict(entry), "day": entry.day.isoformat()} for entry in entries]
        _json({"kept": kept, "entries": rows, "totals": dataclasses.asdict(totals)})
        return
    if not kept:
        print(NOT_KEPT, file=sys.stderr)  # noqa: T201 - what to do instead
        return
    calls, failed, units, usd = (Column(name, justify="right") for name in ("CALLS", "FAILED", "UNITS", "US$"))
    table = Table("DAY", "ENGINE", "CALLER", calls, failed, units, "UNIT", usd, box=None, pad_edge=False)
    for entry in entries:
        table.add_row(
            f"{entry.day}",
            escape(entry.engine),
            escape(entry.tenant) or "-",
            str(entry.calls),
            str(entry.failed),
            f"{entry.units:g}",
            escape(entry.unit),
            f"{entry.usd:.4f}",
        )
    sums = ", ".join(f"{count:g} {escape(unit)}" for unit, count in totals.units.items())
    table.add_row("total", "", "", str(totals.calls), str(totals.failed), "", sums, f"{totals.usd:.4f}")
    Console(highlight=False).print(table if entries else "nothing was asked in these days")


def escape(text: str) -> str:
    """Text from elsewhere, harmless for rich and for the terminal."""
    return escape_markup(text.translate(_CONTROL))


def _tell(console: Console, colour: str, label: str, lines: Iterable[str]) -> None:
    for line in lines:
        console.print(f"[{colour}]{label}:[/{colour}] {escape(line)}")


def _console(*, stderr: bool = False) -> Console:
    """Lines are folded for a person at a terminal alone; a colon is no sign of an emoji."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, highlight=False, emoji=False, soft_wrap=not stream.isatty())


def _heading(finding: CheckedBackend) -> tuple[str, ...]:
    took = f"{finding.took_ms} ms" if finding.code != "off" else ""
    return finding.backend, finding.code or "ok", took, _cost(finding)


def _cost(finding: CheckedBackend) -> str:
    units = "" if finding.units is None else f"{finding.units:g} {escape(finding.unit)}"
    return ", ".join(part for part in (units, "" if finding.cost is None else f"${finding.cost:.4f}") if part)


def _json(value: object) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))  # noqa: T201 - this is what was asked for
