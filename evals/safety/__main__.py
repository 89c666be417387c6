"""`python -m evals.safety FOLDER [--only GROUP …] [--write FOLDER]`: every gate of the safety filters, measured."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncIterable
from pathlib import Path

from evals.safety import rows as table
from evals.safety.data import folder_of

GROUPS = (
    "pii",
    "exfiltration",
    "ordinary",
    "injection",
    "planted",
    "clean",
    "clean_model",
    "model",
    "variants",
    "safeguard",
)
TIMES = "times"
"""Rows of those groups, for `--only`."""


def measured(group: str, data: Path) -> list[table.Row]:
    """A group's rows, printed as they come."""
    from importlib import import_module

    found = import_module(f"evals.safety.{group}").measure(data)
    return table.show(_collected(found) if isinstance(found, AsyncIterable) else found)


def _collected(found: AsyncIterable[table.Row]) -> list[table.Row]:
    async def collected() -> list[table.Row]:
        return [row async for row in found]

    return asyncio.run(collected())


def main() -> int:
    """1 when a bar was missed."""
    parser = argparse.ArgumentParser(prog="python -m evals.safety", description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with the safety data, or the one above it")
    parser.add_argument("--only", nargs="+", choices=(*GROUPS, TIMES), default=GROUPS)
    parser.add_argument("--write", type=Path, help="a folder for safety.md and safety.json")
    options = parser.parse_args()
    data = folder_of(options.data)
    rows: list[table.Row] = []
    for group in options.only:
        rows += measured(group, data)
        if options.write:  # after each: what comes later may fail
            table.write(rows, options.write)
    missed = [row.gate for row in rows if row.verdict == "MISSED"]
    print(f"\n{len(rows)} rows, {len(missed)} bars missed" + "".join(f"\n  {gate}" for gate in missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
