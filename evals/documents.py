"""How completely documents become Markdown: PDFs of known content, written here, read back by websearch-web.

Printed: word F1 of the text, and how many headings, table rows and code blocks came back whole.
"""

from __future__ import annotations

import random
import re
import time
from statistics import mean
from typing import NamedTuple

from evals.extraction import f1, plain
from websearch_core.testing.samples.pdf import PdfWriter
from websearch_web.pdf.document_reader import read

DOCUMENTS = 40
WORDS = re.findall(
    r"\S+",
    "river valley harbour engine window market letter garden bridge number season paper mountain signal copper branch "
    "measure island kitchen village theory record winter morning supply captain forest history machine question answer "
    "Ångström café naïve 1,024 3.5 percent state-of-the-art and or but because within without against under the of a",
)
CODE = (
    ("def flow(river):", "    if river.dry:", "        return None", "    return river.length * 2"),
    ("for (int i = 0; i < n; i++) {", "    total += values[i];", "}"),
    ("$ pip install example", "$ example --help"),
    ("SELECT name, length", "FROM rivers", "WHERE length > 100;"),
)


class Truth(NamedTuple):
    """What a document holds."""

    text: str
    headings: list[str]
    rows: list[str]
    code: list[str]


class Found(NamedTuple):
    """What was found of it."""

    f1: float
    headings: int
    rows: int
    code: int
    ms_a_page: float


def sentence(dice: random.Random, words: int) -> str:
    """Words, the first with a capital, the last with a full stop."""
    return " ".join(dice.choices(WORDS, k=words)).capitalize() + "."


def document(seed: int) -> tuple[bytes, Truth]:
    """A document of a few pages, and its content."""
    dice = random.Random(seed)
    truth = Truth("", [], [], [])
    writer = PdfWriter(sentence(dice, 4))
    said: list[str] = []
    for number in range(dice.randint(3, 8)):
        heading = f"{number + 1} {sentence(dice, 4).rstrip('.')}"
        truth.headings.append(heading)
        said.append(heading)
        writer.heading(heading, 1 if number == 0 else dice.choice((2, 3)))
        for _ in range(dice.randint(1, 4)):
            said.append(sentence(dice, dice.randint(20, 90)))
            writer.paragraph(said[-1])
        if dice.random() < 0.5:
            items = [sentence(dice, 6) for _ in range(dice.randint(2, 5))]
            said += items
            writer.bullets(items)
        if dice.random() < 0.6:
            width = dice.randint(2, 5)
            rows = [[dice.choice(WORDS) for _ in range(width)] for _ in range(dice.randint(3, 8))]
            truth.rows.extend(f"| {' | '.join(row)} |" for row in rows)
            said += [" ".join(row) for row in rows]
            writer.table(rows)
        if dice.random() < 0.6:
            lines = dice.choice(CODE)
            truth.code.append("\n".join(lines))
            said += lines
            writer.code(lines)
    return bytes(writer), truth._replace(text="\n".join(said))


def measured(seed: int) -> Found:
    """One document, written and read."""
    body, truth = document(seed)
    began = time.process_time()
    reading = read(body, "https://docs.example/a.pdf")
    spent = (time.process_time() - began) * 1000 / reading.page_count
    lines = reading.body.split("\n")
    headings = {line.lstrip("# ") for line in lines if line.startswith("#")}
    unmarked = "\n".join(line for line in lines if not line.startswith("[page "))
    rows = list(lines)
    found = 0
    for row in truth.rows:
        if row in rows:
            rows.remove(row)
            found += 1
    return Found(
        f1(plain(unmarked), truth.text),
        sum(heading in headings for heading in truth.headings),
        found,
        sum(f"\n{code}\n```" in reading.body for code in truth.code),
        spent,
    )


def main() -> None:
    found = [measured(seed) for seed in range(DOCUMENTS)]
    truths = [document(seed)[1] for seed in range(DOCUMENTS)]
    print(
        f"PDF  n={DOCUMENTS}  word F1 {mean(one.f1 for one in found):.3f} (worst {min(one.f1 for one in found):.3f})"
        f"  headings {sum(one.headings for one in found)}/{sum(len(truth.headings) for truth in truths)}"
        f"  table rows {sum(one.rows for one in found)}/{sum(len(truth.rows) for truth in truths)}"
        f"  code blocks {sum(one.code for one in found)}/{sum(len(truth.code) for truth in truths)}"
        f"  {mean(one.ms_a_page for one in found):.1f} ms a page"
    )


if __name__ == "__main__":
    main()
