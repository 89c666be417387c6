"""What each engine takes of a request, as a Markdown table, from the declarations of the installed plugins.

`python scripts/capabilities.py` prints it; `--write docs/plugins.md` puts it between the two marks in that file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from websearch_core import SearchBackend
from websearch_core.testing.installed import installed_backends

BEGIN, END = "<!-- capabilities -->", "<!-- /capabilities -->"

HEAD = (
    *("engine", "searches", "domains", "dates", "country", "language", "safe search", "whole text", "category"),
    *("results", "query", "index", "account"),
)
ANY, SOME = "yes", "some"


def row(backend: SearchBackend) -> tuple[str, ...]:
    """One engine's cells."""
    return (
        backend.name,
        ", ".join(backend.verticals),
        _domains(backend),
        _dates(backend),
        *(_declared(backend, field) for field in ("user_location_country", "language", "safesearch", "content_mode")),
        _declared(backend, "category"),
        str(backend.max_results),
        _longest(backend),
        backend.index_owner or "own",
        "none needed" if backend.keyless or not backend.paid else f"key; counts by {backend.unit}",
    )


def table() -> str:
    """The whole, with its legend."""
    rows = [HEAD, tuple("---" for _ in HEAD), *map(row, installed_backends().values())]
    legend = (
        "*yes*: the engine does it, for every kind of search; *some*: for some kinds. *operators*: domains are written "
        "into the query as `site:` terms. *here*: what comes back is checked here. Empty: ignored, and the answer says "
        "so."
    )
    return "\n".join([*(f"| {' | '.join(cells)} |" for cells in rows), "", legend])


def _domains(backend: SearchBackend) -> str:
    if (declared := _declared(backend, "allowed_domains")) == ANY:
        return declared
    other = f"operators, {backend.max_site_operators} a query" if backend.max_site_operators else "here"
    return f"{declared}; else {other}" if declared else other


def _dates(backend: SearchBackend) -> str:
    if (exact := _declared(backend, "start_published_date")) == ANY:
        return exact
    ranges = _declared(backend, "time_range")
    if exact:
        return f"{exact}; else here"
    return "ranges; else here" if ranges else "here"


def _longest(backend: SearchBackend) -> str:
    limits: Mapping[str, int | None] = {"characters": backend.max_query_chars, "words": backend.max_query_words}
    return ", ".join(f"{limit} {unit}" for unit, limit in limits.items() if limit)


def _declared(backend: SearchBackend, field: str) -> str:
    doing = sum(field in fields for fields in backend.verticals.values())
    return "" if not doing else ANY if doing == len(backend.verticals) else SOME


def main() -> None:
    """Print, or write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, help="a file that holds the two marks")
    file: Path | None = parser.parse_args().write
    if file is None:
        print(table())
        return
    before, begin, rest = file.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        sys.exit(f"{file}: it lacks {BEGIN} and {END}")
    file.write_text(f"{before}{BEGIN}\n{table()}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
