"""`python -m evals.bench [--quick] [--json FILE] [--table FILE]`: all measurements, both numbers, ratios, targets."""

from __future__ import annotations

import argparse
import os
import platform
from pathlib import Path

from evals.bench import engines, measures, network, pages, report


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m evals.bench")
    parser.add_argument("--quick", action="store_true", help="few calls: shows that it runs, measures nothing")
    parser.add_argument("--json", type=Path, help="write the rows to this file too")
    parser.add_argument("--table", type=Path, help="write them to this file as a table, as in docs/numbers.md")
    options = parser.parse_args()
    size = measures.QUICK if options.quick else measures.FULL
    print(f"websearch against a bare MCP SDK server: Python {platform.python_version()}, {os.cpu_count()} cores.")
    print("Same uvicorn, client, protocol and output; medians of rounds taken in turns.")
    rows: list[report.Row] = []
    report.heading("Engines' answers")
    rows += report.show(engines.merging(2 if options.quick else 50))
    rows += report.show(engines.reading(2 if options.quick else 50))
    report.heading("Requests to sites and engines, against a plain client of httpx2")
    rows += report.show(network.sending(5 if options.quick else 300))
    report.heading("Start")
    rows += report.show(measures.starting(size))
    with measures.pair(delay_s=0, filters=True) as (ours, bare):
        report.heading("Memory after the first call, with the guard")
        rows += report.show(measures.memory(ours, bare))
        report.heading("A backend that answers at once, with the guard")
        rows += report.show(measures.per_call(ours, bare, size, at_most=2.2, chain=" with the guard"))
    with measures.pair(delay_s=0) as (ours, bare):
        report.heading("A backend that answers at once (8 hits of 700 characters)")
        rows += report.show(measures.per_call(ours, bare, size, at_most=1.5, chain=""))
    with measures.pair(delay_s=0.3) as (ours, bare):
        report.heading("A backend that takes 300 ms")
        rows += report.show(measures.in_flight(ours, bare, size))
    report.heading("Pages")
    rows += report.show(pages.reading(5 if options.quick else 200))
    if options.json:
        report.write(rows, options.json)
    if options.table:
        options.table.parent.mkdir(parents=True, exist_ok=True)
        options.table.write_text(report.table(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
