"""`python -m evals.charts [--safety FILE] [--numbers FILE] [--into FOLDER]`: draw the charts of these pages' tables.

Without options: those of the committed pages, into docs/charts. With only one of the pages named, only its charts.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from evals.charts.drawings import CHARTS, MissingTableError

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs/charts"


def main() -> int:
    """Write the files, and say which; 1 when the tables of one are not there."""
    parser = argparse.ArgumentParser(prog="python -m evals.charts", description=__doc__)
    parser.add_argument("--safety", type=Path, help="a page like evals/safety.md")
    parser.add_argument("--numbers", type=Path, help="a page like docs/numbers.md")
    parser.add_argument("--into", type=Path, default=FOLDER, help="where the pictures go")
    options = parser.parse_args()
    named = {"evals/safety.md": options.safety, "docs/numbers.md": options.numbers}
    if not any(named.values()):
        named = {page: ROOT / page for page in named}
    options.into.mkdir(parents=True, exist_ok=True)
    status = 0
    for name, (page, draw) in CHARTS.items():
        if source := named[page]:
            try:
                picture = draw(source.read_text(encoding="utf-8"))
            except MissingTableError as error:
                print(f"{name}: not drawn, since in {source} {error}")
                status = 1
            else:
                (options.into / name).write_text(picture, encoding="utf-8")
                print(f"{options.into / name}: drawn from {source}")
    return status


if __name__ == "__main__":
    sys.exit(main())
