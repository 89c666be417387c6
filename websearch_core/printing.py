"""Answers for a person at a terminal, and the same as JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape as escape_markup
from rich.table import Table

from .answers import FetchAnswer, SearchAnswer
from .errors import BackendError, NoAnswer
from .failures import explained
from .models import Page

if TYPE_CHECKING:
    from .checkup import CheckedBackend

_CONTROL = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)))
"""Control characters but tab and line feed: a page must not steer the operator's terminal."""

SHOWN_OF_A_PAGE = {"url", "final_url", "title", "author", "site", "published", "language", "body", "truncated"}


def search(answer: SearchAnswer, *, as_json: bool) -> None:
    """The hits, then the notes and receipts on stderr."""
    if as_json:
        # `hidden` is for filters only
        _json(answer.model_dump(mode="json", exclude={"hits": {"__all__": {"hidden", "links"}}}))
        return
    out = Console(highlight=False)
    for number, hit in enumerate(answer.hits, 1):
        date = f"  [dim]{hit.published:%Y-%m-%d}[/dim]" if hit.published else ""
        out.print(f"[bold]{number}. {escape(hit.title or hit.url)}[/bold]{date}")
        out.print(f"   [cyan]{escape(hit.url)}[/cyan]  [dim]{escape(hit.source)}[/dim]")
        if hit.text:
            out.print(f"   {escape(' '.join(hit.text.split()))}\n")
    err = Console(stderr=True, highlight=False)
    if not answer.hits:
        err.print("nothing found")
    for hint in answer.hints:
        err.print(f"[yellow]hint:[/yellow] {escape(hint)}")
    for note in answer.notes:
        err.print(f"[yellow]note:[/yellow] {escape(note)}")
    for receipt in answer.dropped:
        err.print(f"[red]dropped:[/red] {escape(receipt.host)} by {escape(receipt.by)}: {escape(receipt.reason)}")


def pages(urls: Sequence[str], rows: Sequence[FetchAnswer | BackendError | NoAnswer], *, as_json: bool) -> None:
    """Each page's Markdown on stdout; failures and notes on stderr."""
    if as_json:
        _json([_row(url, row) for url, row in zip(urls, rows, strict=True)])
        return
    err = Console(stderr=True, highlight=False)
    for url, row in zip(urls, rows, strict=True):
        if isinstance(row, FetchAnswer):
            err.print(f"[bold]{escape(row.page.title or url)}[/bold]  [cyan]{escape(row.page.reached)}[/cyan]")
            print(row.page.body.translate(_CONTROL))  # noqa: T201 - the page itself
            for note in row.notes:
                err.print(f"[yellow]note:[/yellow] {escape(note)}")
        else:
            err.print(f"[red]failed:[/red] {escape(url)}: {escape(explained(row).text)}")


def findings(found: Sequence[CheckedBackend], exceptions: Sequence[str], *, as_json: bool) -> None:
    """One row for each backend; then what the operator has excepted from the guard."""
    if as_json:
        _json({"backends": [dataclasses.asdict(finding) for finding in found], "exceptions": list(exceptions)})
        return
    table = Table(box=None, pad_edge=False)
    for column in ("BACKEND", "STATE", "MS", "WHAT", "WHAT TO DO"):
        table.add_column(column, justify="right" if column == "MS" else "left")
    for finding in found:
        state = finding.code or "ok"
        took = str(finding.took_ms) if finding.code != "off" else ""
        table.add_row(finding.backend, state, took, escape(finding.detail), escape(finding.remedy))
    out = Console(highlight=False)
    out.print(table)
    for line in exceptions:
        out.print(f"[yellow]exception:[/yellow] {escape(line)}")


def escape(text: str) -> str:
    """Text from elsewhere, harmless for rich and for the terminal."""
    return escape_markup(text.translate(_CONTROL))


def _row(url: str, row: FetchAnswer | BackendError | NoAnswer) -> dict[str, Any]:
    if isinstance(row, FetchAnswer):
        page: Page = row.page
        return {"url": url, "status": "completed", **page.model_dump(mode="json", include=SHOWN_OF_A_PAGE)}
    text, code = explained(row)
    return {"url": url, "status": "failed", "code": str(code), "error": text}


def _json(value: object) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))  # noqa: T201 - this is what was asked for
