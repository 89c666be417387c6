"""Answers as compact text for a model to read: not a second copy of the JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .spotlight import Spotlight

Row = Mapping[str, Any]

PLAIN = Spotlight("off")
"""Nothing is marked."""


def search_text(
    results: Sequence[Row],
    notes: Sequence[str],
    dropped: Sequence[Row],
    hints: Sequence[str] = (),
    light: Spotlight = PLAIN,
) -> str:
    """Numbered hits with title, address, date and text, or hints; then notes, and what the filters took out."""
    blocks: list[str] = []
    if results:
        hits = "\n\n".join(_hit(number, row) for number, row in enumerate(results, 1))
        blocks.extend(block for block in (light.preamble, light.fenced(hits)) if block)
    else:
        blocks.append("No result may be shown: all were blocked by safety filters." if dropped else "No results.")
        blocks.extend([" ".join(hints)] if hints else [])
    return "\n\n".join([*blocks, *_remarks(notes), *_receipts(dropped)])


def fetch_text(rows: Sequence[Row], notes: Sequence[str], light: Spotlight = PLAIN, *, tails: bool = True) -> str:
    """For each address a header line, then its text or what went wrong; `tails` say where that goes on."""
    blocks = [_page(number, len(rows), row, light, tails=tails) for number, row in enumerate(rows, 1)]
    preamble = light.preamble if any(row["status"] == "completed" for row in rows) else ""
    return "\n\n".join([*([preamble] if preamble else []), *blocks, *_remarks(notes)])


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


def _page(number: int, count: int, row: Row, light: Spotlight, *, tails: bool) -> str:
    head = f"[{number}/{count}] {_one_line(row['url'])}"
    if row["final_url"] != row["url"]:
        head += f" → {light.marked(_one_line(row['final_url']))}"
    if row["status"] == "failed":
        return f"{head}\nFAILED: {row['error']}"
    title = f"{_one_line(row['title'])}\n" if row.get("title") else ""
    tail = _tail(row) if tails else ""
    text = f"{title}\n{row['content']}"
    return f"{head}\n{light.fenced(text)}{tail}"


def _tail(row: Row) -> str:
    if "next_offset" in row:
        return f"\n[cut here; continue with offset={row['next_offset']}]"
    return "\n[the document itself was cut at its size limit]" if row.get("truncated") else ""


def _one_line(text: str) -> str:
    """A stranger's text, unable to look like the next entry."""
    return " ".join(text.split())


def _remarks(notes: Sequence[str]) -> list[str]:
    return ["Notes:\n" + "\n".join(f"- {_one_line(note)}" for note in notes)] if notes else []


def _receipts(dropped: Sequence[Row]) -> list[str]:
    if not dropped:
        return []
    reasons = "\n".join("- " + _one_line(f"{row['host']}: {row['reason']} ({row['by']})") for row in dropped)
    return [f"{len(dropped)} left out by safety filters:\n{reasons}"]
