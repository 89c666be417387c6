"""A packet in so many tokens: whole, or its beginning; and the same as text."""

from __future__ import annotations

import json
from typing import Any

from websearch_core.kit import estimate_tokens, marked_slice

from .packet import Packet, Warned

_SHARES = ((0.6, 0.15), (0.45, 0.15), (0.3, 0.15), (0.15, 0.15), (0.05, 0.15), (0.05, 0.0), (0.0, 0.0))
"""Of the tokens, for the content, and for each of its lists (outline, citations): the less, the more the rest takes."""
_HEAD = 150.0
"""What the text's own lines cost besides."""


def cost_of(data: Any) -> float:
    """What data cost a model that reads them as JSON."""
    return estimate_tokens(json.dumps(data, ensure_ascii=False, separators=(",", ":")))


def fitted(packet: Packet, tokens: float) -> Packet:
    """The packet if it costs at most so much; else without its blocks' texts, which are in the content; else cut."""
    if cost_of(packet.data()) <= tokens:
        return packet
    lean = packet.model_copy(
        update={"key_blocks": [block.model_copy(update={"text": None}) for block in packet.key_blocks]}
    )
    if cost_of(lean.data()) <= tokens:
        return lean
    for content, lists in _SHARES:
        cut = _cut(lean, _end(lean, tokens * content), tokens * lists)
        if cost_of(cut.data()) <= tokens:
            return cut
    return _cut(lean, 0, 0.0).model_copy(update={"source_summary": [], "notes": packet.notes[:3]})


def shown(packet: Packet, tokens: float) -> tuple[str, int]:
    """The packet for a reader: what it is, what to beware of, and its content, or the outline and its beginning.

    And where in the content that ends.
    """
    about = packet.metadata
    facts = [
        f"source {packet.source_id}",
        packet.content_type,
        f"by {about.author}" if about.author else "",
        f"published {about.published_at[:10]}" if about.published_at else "",
        f"read {packet.retrieved_at[:10]}" if packet.retrieved_at else "",
        f"{about.tokens} tokens, {about.estimated_reading_time_min} min",
    ]
    lines = [packet.canonical_url, " · ".join(fact for fact in facts if fact)]
    lines += [f"Warning: {one.type}: {one.message}" for one in packet.warnings]
    lines += packet.source_summary
    head = "\n".join(lines)
    left = tokens - estimate_tokens(head) - _HEAD
    end = _end(packet, left)
    if end >= packet.content_chars:
        return f"{head}\n\n{packet.content}", end
    listed = "\n".join(
        f"{'  ' * (one.level - 1)}- {one.text} (offset {one.offset})" for one in _first(packet.outline, left * 0.25)
    )
    end = _end(packet, left - estimate_tokens(listed))
    where = f", or read {packet.resources['content']}" if "content" in packet.resources else ""
    tail = f"[{end} of {packet.content_chars} characters; go on with output markdown and offset {end}{where}]"
    return "\n\n".join(
        part for part in (head, listed, marked_slice(packet.content, 0, end).rstrip(), tail) if part
    ), end


def _cut(packet: Packet, end: int, tokens: float) -> Packet:
    """The packet up to a place in its content; of what lies behind, only the outline says something.

    `tokens` are for each of the lists.
    """
    warning = Warned(type="truncated", message=f"the first {end} of {packet.content_chars} characters are here")
    return packet.model_copy(
        update={
            "content": marked_slice(packet.content, 0, end),
            "next_offset": end,
            "key_blocks": [block for block in packet.key_blocks if block.end <= end],
            "citations": _first([one for one in packet.citations if one.end <= end], tokens),
            "outline": _first(packet.outline, tokens),
            "unsafe_instructions_detected": _first(packet.unsafe_instructions_detected, tokens),
            "warnings": [*(one for one in packet.warnings if one.type != "truncated"), warning],
        }
    )


def _first(items: list[Any], tokens: float) -> list[Any]:
    """As many as cost so much."""
    kept: list[Any] = []
    for item in items:
        tokens -= cost_of(item.model_dump(exclude_none=True))
        if tokens < 0:
            break
        kept.append(item)
    return kept


def _end(packet: Packet, tokens: float) -> int:
    """The end of the last block up to which the content costs so much; the first block is cut if need be."""
    if estimate_tokens(packet.content) <= tokens:
        return len(packet.content)
    end = 0
    left = tokens
    for block in packet.key_blocks:
        left -= estimate_tokens(packet.content[end : block.end])
        if left < 0:
            return end or _within(packet.content[: block.end], tokens)
        end = block.end
    return end


def _within(text: str, tokens: float) -> int:
    """The end of a line or word up to which a text costs so much, about; where words are not apart, any place."""
    most = int(len(text) * max(tokens, 0.0) / estimate_tokens(text))
    while most and estimate_tokens(text[:most]) > tokens:
        most = most * 9 // 10
    end = 1 + max(text.rfind("\n", most // 2, most), text.rfind(" ", most // 2, most))
    return end or most
