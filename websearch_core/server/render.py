"""Answers as compact text for a model to read: not a second copy of the JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..marks import unmarked
from .spotlight import Spotlight

Row = Mapping[str, Any]

PLAIN = Spotlight("off")
"""Nothing is marked."""


def search_text(
    results: Sequence[Row],
    notes: Sequence[str],
    dropped: Sequence[Row],
    hints: Sequence[str] = (),
    spotlight: Spotlight = PLAIN,
) -> str:
    """Numbered hits with title, address, date and text, or hints; then notes, and what the filters took out."""
    blocks: list[str] = []
    if results:
        hits = "\n\n".join(_hit(number, row) for number, row in enumerate(results, 1))
        blocks.extend(block for block in (spotlight.preamble, spotlight.fenced(hits)) if block)
    else:
        blocks.append(
            "No result may be shown: all were blocked by safety filters or address rules." if dropped else "No results."
        )
        blocks.extend([" ".join(hints)] if hints else [])
    return "\n\n".join([*blocks, *remarks(notes), *_receipts(dropped)])


def fetch_text(rows: Sequence[Row], notes: Sequence[str], spotlight: Spotlight = PLAIN, *, tails: bool = True) -> str:
    """For each address a header line, then its text or what went wrong; `tails` say where that goes on."""
    blocks = [_page(number, len(rows), row, spotlight, tails=tails) for number, row in enumerate(rows, 1)]
    preamble = spotlight.preamble if any(row["status"] == "completed" for row in rows) else ""
    return "\n\n".join([*([preamble] if preamble else []), *blocks, *remarks(notes)])


def _hit(number: int, row: Row) -> str:
    about = [str(row["published_date"])[:10]] if "published_date" in row else []
    if "age" in row and not about:
        about.append(_one_line(row["age"]))
    if "author" in row:
        about.append(_one_line(row["author"]))
    if "image" in row:
        about.append(f"image: {_one_line(row['image'])}")
    lines = [f"[{number}] {_one_line(row['title'])}", _one_line(row["url"]), " · ".join(about), row["content"]]
    return "\n".join(line for line in lines if line)


def _page(number: int, count: int, row: Row, spotlight: Spotlight, *, tails: bool) -> str:
    head = f"[{number}/{count}] {_one_line(row['url'])}"
    if row["final_url"] != row["url"]:
        head += f" → {spotlight.marked(_one_line(row['final_url']))}"
    if "same_as" in row:
        return f"{head}\n[the same as {row['same_as']}]"
    if row["status"] == "failed":
        return f"{head}\nFAILED: {row['error']}"
    tail = _tail(row) if tails else ""
    text = "\n\n".join(part for part in (_about(row), row["content"]) if part)
    return f"{head} ({row['tokens']} tokens in all)\n{spotlight.fenced(text)}{tail}"


def _about(row: Row) -> str:
    """Title, author and day of a page; the title only where the text does not begin with it."""
    title = _one_line(row.get("title", ""))
    begins = _one_line(row["content"].lstrip().partition("\n")[0].lstrip("#"))
    facts = (_one_line(row.get("author", "")), row.get("published_date", "")[:10])
    lines = ("" if unmarked(title) == unmarked(begins) else title, " · ".join(fact for fact in facts if fact))
    return "\n".join(line for line in lines if line)


def _tail(row: Row) -> str:
    if "next_offset" in row:
        return f"\n[cut here; continue with offset={row['next_offset']}]"
    return "\n[the document itself was cut at its size limit]" if row.get("truncated") else ""


def _one_line(text: str) -> str:
    """A stranger's text, unable to look like the next entry."""
    return " ".join(text.split())


def remarks(notes: Sequence[str]) -> list[str]:
    """The block of notes, where there are some."""
    return ["Notes:\n" + "\n".join(f"- {_one_line(note)}" for note in notes)] if notes else []


def _receipts(dropped: Sequence[Row]) -> list[str]:
    if not dropped:
        return []
    lines = "\n".join("- " + _one_line(_receipt(row)) for row in dropped)
    return [f"{sum(row.get('count', 1) for row in dropped)} left out by safety filters or address rules:\n{lines}"]


def _receipt(row: Row) -> str:
    many = f"{row['count']} of " if "count" in row else ""
    return f"{many}{row['host']}: {row['reason']} ({row['by']})"
