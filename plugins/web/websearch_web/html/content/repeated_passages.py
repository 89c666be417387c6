"""Passages that a page writes twice: once for wide screens and once for narrow ones, or in a carousel that turns."""

from __future__ import annotations

_LONG = 500
"""Characters that nobody writes twice on purpose."""
_RUN = 200
"""Characters of a section, heading included, that does."""
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
        passage = blocks[number : number + run]
        if not _is_copy(passage, kept[-1] if kept else ""):
            kept.extend(passage)
        number += run
    return "\n\n".join(kept)


def _is_copy(passage: list[str], before: str) -> bool:
    """Whether a passage that stood before is too long to be said twice, or a heading that stands right before."""
    heading, chars = passage[0].startswith("#"), sum(map(len, passage))
    if len(set(passage)) < len(passage):
        return False
    if len(passage) == 1:
        return chars >= _LONG or (heading and before == passage[0])
    return chars >= _RUN and len(passage) >= (2 if heading else 4)
