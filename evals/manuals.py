"""How faithfully manuals in PDF become Markdown: the same manual in HTML is the truth.

    bash scripts/doc-manuals.sh build/doc-manuals
    python -m evals.manuals build/doc-manuals

For each manual: the share of the lines of its code blocks that came back as lines of a code block, and that did so
right after the line before them; of the lines that were read as code, the share that the HTML has in no code block
(options and signatures among them); the share of the words that came back. Manuals that nobody looked at while the
reader was written are listed apart.
"""

from __future__ import annotations

import argparse
import gzip
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

from turbohtml import parse

from websearch_web.pdf.document_reader import read

_LEAST = 4
"""Characters of a line that says something."""
_WORD = re.compile(r"\w{2,}")
_FENCE = re.compile(r"^ *(`{3,})")
_QUOTES = str.maketrans("‘’‚“”„′´`–—−‑˜ˆ\u00a0", "'''\"\"\"'''----~^ ")  # noqa: RUF001 - typeset forms of what was typed


class Manual(NamedTuple):
    """A document in both forms, by its places below the folder."""

    generator: str
    name: str
    pdf: str
    pages: str
    """A pattern of the HTML files."""
    apart: bool = False
    """Not looked at while the reader was written."""


DOC = "usr/share/doc"
GUIDE = f"{DOC}/installation-guide-amd64"
MANUALS = (
    Manual("Texinfo", "R-intro", "usr/share/R/doc/manual/R-intro.pdf", f"{DOC}/r-doc-html/manual/R-intro.html"),
    Manual("Texinfo", "R-admin", "usr/share/R/doc/manual/R-admin.pdf", f"{DOC}/r-doc-html/manual/R-admin.html"),
    Manual("Texinfo", "bashref", f"{DOC}/bash/bashref.pdf", f"{DOC}/bash/bashref.html"),
    Manual("groff", "bash", f"{DOC}/bash/bash.pdf", f"{DOC}/bash/bash.html"),
    Manual("Sphinx", "debian-policy", f"{DOC}/debian-policy/policy.pdf.gz", f"{DOC}/debian-policy/policy.html/*.html"),
    Manual("DocBook/TeX", "valgrind", f"{DOC}/valgrind/valgrind_manual.pdf.gz", f"{DOC}/valgrind/html/*.html"),
    Manual("Texinfo", "octave", f"{DOC}/octave/octave.pdf", f"{DOC}/octave/octave.html/*.html", apart=True),
    Manual("Texinfo", "nettle", f"{DOC}/nettle-dev/nettle.pdf.gz", f"{DOC}/nettle-dev/nettle.html", apart=True),
    Manual(
        "Texinfo", "R-exts", "usr/share/R/doc/manual/R-exts.pdf", f"{DOC}/r-doc-html/manual/R-exts.html", apart=True
    ),
    Manual(
        "Sphinx",
        "developers-reference",
        "usr/share/developers-reference/developers-reference.pdf",
        "usr/share/developers-reference/developers-reference.html",
    ),
    Manual(
        "Sphinx",
        "packaging-guide",
        f"{DOC}/ubuntu-packaging-guide-pdf/ubuntu-packaging-guide.pdf.gz",
        f"{DOC}/ubuntu-packaging-guide-html/*.html",
        apart=True,
    ),
    Manual("dblatex", "install-en", f"{GUIDE}/en/install.en.pdf.gz", f"{GUIDE}/en/*.html", apart=True),
    Manual("dblatex", "install-de", f"{GUIDE}/de/install.de.pdf.gz", f"{GUIDE}/de/*.html", apart=True),
    *(
        Manual(
            "Apache FOP",
            name,
            f"{DOC}/erlang-doc/lib/{name}-{version}/doc/pdf/{name}-{version}.pdf",
            f"{DOC}/erlang-doc/lib/{name}-{version}/doc/html/*.html",
            apart=True,
        )
        for name, version in (("eunit", "2.8.1"), ("ssh", "4.15.2"), ("mnesia", "4.21.3"))
    ),
)


class Score(NamedTuple):
    """Of one manual."""

    lines: int
    kept: int
    joined: int
    """Lines that follow in a code block on the one that they follow in the HTML."""
    followed: int
    fenced: int
    foreign: int
    words: float
    ms_a_page: float


def _plain(line: str) -> str:
    return " ".join(line.translate(_QUOTES).replace("…", "...").split())


def _says(line: str) -> bool:
    return len(line) >= _LEAST and any(map(str.isalnum, line))


def code_of(source: str) -> list[list[str]]:
    """The code blocks of a page of HTML, by line."""
    document = parse(source, positions=False)
    return [[line for line in map(_plain, block.text.split("\n")) if _says(line)] for block in document.select("pre")]


def words_of(source: str) -> Counter[str]:
    """The words of a page of HTML, without what leads to other pages."""
    document = parse(source, positions=False)
    body = document.select_one("[role=main], main, div.content, body")
    if body is None:
        return Counter()
    body.remove("script, style, nav, .header, .navheader, .navfooter, .related, .footer, .sphinxsidebar")
    return Counter(_WORD.findall(body.text.lower()))


def fenced_of(markdown: str) -> Iterator[list[str]]:
    """The code blocks of Markdown, by line."""
    block: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        mark = _FENCE.match(line)
        if fence and mark and mark[1] == fence:
            yield block
            block, fence = [], ""
        elif fence:
            block += [text] if _says(text := _plain(line)) else []
        elif mark:
            fence = mark[1]


def measured(folder: Path, manual: Manual) -> Score | None:
    """One manual, read; None where it is not to be had."""
    file = folder / manual.pdf
    pages = sorted(folder.glob(manual.pages))
    if not file.exists() or not pages:
        return None
    body = file.read_bytes()
    began = time.process_time()
    reading = read(gzip.decompress(body) if manual.pdf.endswith(".gz") else body, "https://docs.example/manual.pdf")
    spent = (time.process_time() - began) * 1000 / reading.page_count
    sources = [page.read_text("utf-8", "replace") for page in pages]
    blocks = [block for source in sources for block in code_of(source)]
    found = list(fenced_of(reading.body))
    lines, read_lines = Counter(chain.from_iterable(blocks)), Counter(chain.from_iterable(found))
    followed, read_followed = Counter(_pairs(blocks)), Counter(_pairs(found))
    words, read_words = sum(map(words_of, sources), Counter[str]()), Counter(_WORD.findall(reading.body.lower()))
    return Score(
        lines.total(),
        (lines & read_lines).total(),
        followed.total(),
        (followed & read_followed).total(),
        read_lines.total(),
        sum(count for line, count in read_lines.items() if line not in lines),
        (words & read_words).total() / max(1, words.total()),
        spent,
    )


def _pairs(blocks: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    return (pair for block in blocks for pair in pairwise(block))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("build/doc-manuals"))
    parser.add_argument("--only", help="manuals whose names hold this")
    options = parser.parse_args()
    print(f"{'manual':<34}{'lines':>7}{'kept':>7}{'in order':>10}{'foreign':>9}{'words':>7}{'ms/page':>9}")
    for apart in (False, True):
        if apart:
            print("kept apart:")
        for manual in MANUALS:
            if manual.apart is not apart or (options.only and options.only not in manual.name):
                continue
            score = measured(options.folder, manual)
            if score is None:
                print(f"{manual.name} is not to be had; measured without it.")
                continue
            name = f"{manual.name} ({manual.generator})"
            print(
                f"{name:<34}{score.lines:7}{score.kept / max(1, score.lines):7.3f}"
                f"{score.followed / max(1, score.joined):10.3f}{score.foreign / max(1, score.fenced):9.3f}"
                f"{score.words:7.3f}{score.ms_a_page:9.1f}"
            )


if __name__ == "__main__":
    main()
