"""Passages that a page writes twice: once for wide screens and once for narrow ones, or in a carousel that turns."""

from __future__ import annotations

_LONG = 500
"""Characters that nobody writes twice on purpose."""
_RUN = 200
"""Characters of a section, heading included, that does."""
_ECHO = 20
_OPENS = ("```", "~~~", "|", ">")


def without_repeats(markdown: str) -> str:
    """The text without later copies of whole passages. A single repeated line or verse stays; so do code and tables."""
    blocks = markdown.split("\n\n")
    if len(set(blocks)) == len(blocks) or "```" in markdown or "~~~" in markdown:
        return markdown
    first: dict[str, int] = {}
    kept: list[str] = []
    number = 0
    while number < len(blocks):
        block = blocks[number]
        earlier = first.setdefault(block, number)
        if earlier == number or block.startswith(_OPENS) or not block:
            kept.append(block)
            number += 1
            continue
        run = 1
        while (
            number + run < len(blocks)
            and earlier + run < number
            and blocks[number + run] == blocks[earlier + run]
            and not blocks[number + run].startswith(_OPENS)
        ):
            run += 1
        chars = sum(map(len, blocks[number : number + run]))
        echo = run == 1 and kept and kept[-1] == block and chars >= _ECHO
        if not (echo or chars >= _LONG or (chars >= _RUN and run >= (2 if block.startswith("#") else 4))):
            kept.extend(blocks[number : number + run])
        number += run
    return "\n\n".join(kept)
