"""Tables of thousands of rows, cut to their head; the rest is counted."""

from __future__ import annotations

WHOLE_ROWS = 1000
HEAD_ROWS = 100
_BETWEEN_SHEETS = "---"


def shortened(markdown: str, notes: list[str]) -> str:
    """The same Markdown with each table of more than `WHOLE_ROWS` rows cut; a note says so."""
    lines: list[str] = []
    table: list[str] = []
    cut = False

    def close() -> None:
        nonlocal cut
        rows = len(table) - 2
        if rows > WHOLE_ROWS:
            lines.extend(table[: HEAD_ROWS + 2])
            lines.extend(["", f"… {rows - HEAD_ROWS:,} more rows"])
            cut = True
        else:
            lines.extend(table)
        table.clear()

    for line in markdown.split("\n"):
        if line.startswith("|"):
            table.append(line)
            continue
        if table:
            close()
        text = "" if line == _BETWEEN_SHEETS else line
        if text.strip() or (lines and lines[-1].strip()):
            lines.append(text)
    close()
    if cut:
        notes.append(f"of tables with more than {WHOLE_ROWS:,} rows, the first {HEAD_ROWS} are shown")
    return "\n".join(lines).strip("\n")
