"""`python -m evals.fidelity FOLDER [--lost N] [--only PACKAGE]`: reads generated documentation and counts what is kept.

    bash scripts/fidelity-pages.sh build/fidelity-pages $(python -m evals.fidelity --packages)
    python -m evals.fidelity build/fidelity-pages

Per generator: the share of headings, paragraphs, code blocks, table cells and links of the main element that the
reading holds, whole and in order; the share of the reading that comes from outside of it; the share of pages whose
title is the page's own. Generators that the reader was developed with, and those kept apart, are summed up separately.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from websearch_web.html.page_reader import HtmlContent, read_html

from .generators import GENERATORS, NO_PROSE, Generator
from .score import Score, score
from .truth import KINDS, Truth, truth_of

GROUPS = {"": "developed with", "package": "other packages of their generators", "generator": "generators kept apart"}
_LEAST_CHARS = 400
"""Letters of a page that has something to lose."""
_MOST_BYTES = 1_000_000


def pages_of(folder: Path, generator: Generator, most: int) -> Iterator[tuple[Path, str, Truth]]:
    """So many pages from all over the package; the same ones each time."""
    root = folder / generator.package
    files = [
        file
        for file in sorted(root.rglob("*.html"))
        if generator.folder in str(file)
        and not NO_PROSE.search(str(file.relative_to(root)))
        and file.is_file()
        and not file.is_symlink()
        and 2_000 < file.stat().st_size < _MOST_BYTES
    ]
    step = max(1, len(files) // (3 * most))
    found = 0
    for file in files[::step]:
        source = file.read_text(encoding="utf-8", errors="replace")
        if 'http-equiv="refresh"' in source.lower():
            continue
        truth = truth_of(source, file.name, generator)
        if truth.chars >= _LEAST_CHARS:
            yield file, source, truth
            found += 1
        if found == most:
            return


class Tally:
    """Sums over pages."""

    def __init__(self) -> None:
        self.pages = 0
        self.kept: Counter[str] = Counter()
        self.of: Counter[str] = Counter()
        self.outside = self.letters = self.titles = 0
        self.worst = 0.0

    def add(self, one: Score) -> None:
        """Count a page."""
        self.pages += 1
        self.kept.update({**one.kept, "link": one.of_links - sum(one.links.values())})
        self.of.update({**one.of, "link": one.of_links})
        self.outside += one.outside
        self.letters += one.letters
        self.titles += one.title_right

    def row(self, name: str) -> str:
        """A line of the table."""
        shares = [f"{self.kept[kind] / self.of[kind]:.4f}" if self.of[kind] else "-" for kind in (*KINDS, "link")]
        outside = f"{self.outside / self.letters:.4f}" if self.letters else "-"
        titles = f"{self.titles / self.pages:.2f}" if self.pages else "-"
        return f"| {name} | {self.pages} | {' | '.join(shares)} | {outside} | {titles} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("build/fidelity-pages"))
    parser.add_argument("--packages", action="store_true", help="only name the packages that the pages come from")
    parser.add_argument("--pages", type=int, default=12, help="of each package")
    parser.add_argument("--only", default="", help="one package, or `apart`, or `known`")
    parser.add_argument("--lost", type=int, default=0, help="show so many lost blocks of each page")
    options = parser.parse_args()
    if options.packages:
        print(*dict.fromkeys(generator.package for generator in GENERATORS))
        return
    groups = {apart: Tally() for apart in GROUPS}
    print("| generator | pages | headings | paragraphs | code | cells | links | from outside | titles |")
    print("|---|---|---|---|---|---|---|---|---|")
    for generator in GENERATORS:
        if options.only not in {"", generator.package, "apart" if generator.apart else "known"}:
            continue
        tally = Tally()
        for file, source, truth in pages_of(options.folder, generator, options.pages):
            name = file.relative_to(options.folder / generator.package)
            reading = read_html(source.encode(), f"https://docs.example/{name}", "utf-8")
            one = score(reading.body, reading.title, truth, generator.site)
            tally.add(one)
            groups[generator.apart].add(one)
            if options.lost:
                show(str(name), reading, one, truth, options.lost)
        print(tally.row(f"{generator.name} ({generator.package})"), flush=True)
    for apart, tally in groups.items():
        if tally.pages:
            print(tally.row(f"**{GROUPS[apart]}**"))


def show(name: str, reading: HtmlContent, one: Score, truth: Truth, most: int) -> None:
    """What is wrong with one page."""
    trouble = one.lost or not one.title_right or one.outside * 50 > one.letters or one.links
    if trouble:
        print(f"--- {name}: outside {one.outside}/{one.letters}, links lost {sum(one.links.values())}/{one.of_links}")
    if not one.title_right:
        print(f"    title {reading.title!r}, not one of {truth.titles[:3]}")
    for block in one.lost[:most]:
        print(f"    {block.kind}: {' '.join(block.text.split())[:140]!r}")
    if one.links:
        print(f"    links: {one.links.most_common(6)}")
    if trouble and reading.notes:
        print("   ", *reading.notes)


if __name__ == "__main__":
    main()
