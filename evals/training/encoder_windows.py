"""What the encoder of websearch-guard-model learns from: windows as guard's leads cut them out of pages."""

from __future__ import annotations

import itertools
import random
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from evals.training.corpus import DIRECT, Example, Window, carrier, pages, pieces
from websearch_guard.injection.judge import judge

CALIBRATION = 4
"""Every so manieth page is kept for calibration: no training sees it."""
FULL, SOME = 0.7, 0.2
"""A window that shows so much of an instruction holds one; between the two it is used for nothing."""
ENOUGH = 160
"""Or so many characters of a long one."""
REPEATS = {"in-the-wild": 2, "generated": 1, "bipia": 3, "languages_b": 5, "wrappers_a": 3}
COMMON = 8
"""How many windows each of a source's positives makes, where REPEATS says nothing else."""


def split(data: Path) -> tuple[list[str], list[str]]:
    """Pages to train with, pages to calibrate with."""
    every = pages(data)
    return (
        [page for number, page in enumerate(every) if number % CALIBRATION],
        every[::CALIBRATION],
    )


def mixture(examples: Iterable[Example], clean: Sequence[str], *, seed: int = 1) -> list[Window]:
    """Every window of one training, shuffled. `clean` are pages, `examples` what may be seen."""
    rng = random.Random(seed)
    found: list[Window] = []
    for example in examples:
        if example.label and example.source not in DIRECT:
            found += _positives(example, clean, rng)
        elif not example.label:
            found += _negatives(example, clean, rng)
    found += _plain(clean, rng)
    found += [Window(text, 0, "triggers") for text in triggers(rng, 1500)]
    rng.shuffle(found)
    return found


def _positives(example: Example, clean: Sequence[str], rng: random.Random) -> Iterator[Window]:
    repeats = REPEATS.get(example.source.partition(":")[0], COMMON)
    for piece in pieces(example.text, 400, rng):
        if repeats > 1 and len(piece) < 500:
            yield Window(piece, 1, example.source)
        for _ in range(repeats):
            text, start, end = placed(piece, rng.choice(clean), rng)
            low, high = frame(text, start, end, rng)
            shown = min(high, end) - max(low, start)
            if shown >= min(FULL * (end - start), ENOUGH):
                yield Window(text[low:high], 1, example.source)
            elif shown < SOME * (end - start) and shown < 20:
                yield Window(text[low:high], 0, f"{example.source} beside")


def _negatives(example: Example, clean: Sequence[str], rng: random.Random) -> Iterator[Window]:
    own = ":" in example.source
    text = example.text.strip()
    yield Window(text[:450], 0, example.source)
    if len(text) > 450:
        for _ in range(min(8, len(text) // 250) * (2 if own else 1)):
            at = rng.randrange(len(text) - 200)
            yield Window(text[at : at + rng.randrange(120, 450)], 0, example.source)
    for _ in range(3 if own else rng.random() < 0.4):
        around, start, end = placed(text[:400], rng.choice(clean), rng)
        low, high = frame(around, start, end, rng)
        yield Window(around[low:high], 0, example.source)


def _plain(clean: Sequence[str], rng: random.Random) -> Iterator[Window]:
    """Of each page some random windows, and those that guard would look at first."""
    for page in clean:
        for _ in range(7):
            at = rng.randrange(max(1, len(page) - 100))
            yield Window(page[at : at + rng.randrange(80, 450)], 0, "page")
        for lead in judge(page).leads:
            low, high = around(page, lead.start, lead.end, rng.choice((0, 0, 240, 400)))
            yield Window(page[low:high], 0, "lead")


def placed(text: str, page: str, rng: random.Random) -> tuple[str, int, int]:
    """A stretch of a page with the text in it, between paragraphs or in the middle of a sentence; where it is."""
    carried = carrier(rng).replace("{}", text)
    at = rng.randrange(max(1, len(page) - 900))
    stretch = page[at : at + 900]
    middle = rng.randrange(len(stretch) // 3, max(len(stretch) * 2 // 3, len(stretch) // 3 + 1))
    place = stretch.rfind(rng.choice(("\n", ". ", " ", " ")), 0, middle) + 1 or middle
    gap = rng.choice(("\n\n", "\n", " ", " "))
    before = stretch[:place] + gap
    start = len(before) + carried.find(text)
    return before + carried + gap + stretch[place:], start, start + len(text)


def frame(text: str, start: int, end: int, rng: random.Random) -> tuple[int, int]:
    """A window that guard may cut there: 90 to 450 characters, at words, round some place of the instruction."""
    size = rng.randrange(90, 450)
    middle = rng.randrange(start, end)
    if rng.random() < 0.5:
        middle = (start + end) // 2
    low = max(0, middle - int(size * rng.uniform(0.2, 0.8)))
    high = min(len(text), low + size)
    return text.rfind(" ", 0, low) + 1, (text.find(" ", high) + 1 or len(text) + 1) - 1


def around(text: str, start: int, end: int, size: int) -> tuple[int, int]:
    """The span with what stands at both sides of it, up to `size` characters, at words."""
    more = max(0, size - (end - start)) // 2
    if not more:
        return start, end
    low, high = max(0, start - more), min(len(text), end + more)
    return text.rfind(" ", 0, low) + 1 if low else 0, (text.find(" ", high) + 1 or len(text) + 1) - 1


def triggers(rng: random.Random, count: int) -> list[str]:
    """Harmless questions with the words of attacks."""
    stored = tomllib.loads(Path(__file__).with_name("trigger_questions.toml").read_text("utf-8"))
    slots: dict[str, list[str]] = stored["slots"]
    templates = itertools.islice(itertools.cycle(stored["templates"]), count)
    return [one.format(**{name: rng.choice(texts) for name, texts in slots.items()}) for one in templates]


def told(windows: Iterable[Window], say: Callable[[str], None] = print) -> None:
    """How many of what."""
    counts = Counter((window.source.partition(":")[0], window.label) for window in windows)
    say(", ".join(f"{source} {label}: {count}" for (source, label), count in sorted(counts.items())))
