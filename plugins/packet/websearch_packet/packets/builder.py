"""A page that was read and judged → its packet."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple
from urllib.parse import quote as percent

from websearch_core import Finding, Page
from websearch_core.kit import (
    HIDDEN_FIELD,
    FetchAnswer,
    Heading,
    MarkedText,
    TextBlock,
    blocks_of,
    estimate_tokens,
    paths_of,
    unmarked,
)

from ..text.salience import salience
from ..text.sentences import plainly, sentences_of
from .canonical_url import canonical
from .packet import Caution, Citation, Hashes, KeyBlock, Metadata, Outlined, Packet, Unsafe, Warned
from .summary import minutes_for, summary_of, words_in

_CITED = 12
_WORTH_CITING = 3
_UNSURE = frozenset(("url", "text", "file"))
"""Where a date may be of something else."""
_STALE_S = 24 * 3600.0
_SCANNED = 100
"""Fewer characters a page than this, and a PDF is a row of pictures."""
_FRAGMENT_WORDS = 12


class PacketParts(NamedTuple):
    """What takes time to find in a long text."""

    key_blocks: list[KeyBlock]
    citations: list[Citation]
    summary: list[str]
    words: int
    minutes: int


def parts_of(content: str, outline: Sequence[Heading], url: str) -> PacketParts:
    """All blocks, the sentences that are worth quoting, and what is counted."""
    blocks, path, marked = blocks_of(content), path_at(outline), MarkedText(content)
    key_blocks = [
        KeyBlock(
            id=f"b{number}",
            kind=block.kind,
            path=path(block.start),
            start=block.start,
            end=block.end,
            char_len=block.end - block.start,
            text=marked.cut(block.start, block.end),
        )
        for number, block in enumerate(blocks)
    ]
    citations = list(_citations(marked, blocks, path, url))
    read = unmarked(content)
    return PacketParts(key_blocks, citations, summary_of(content, outline), words_in(read), minutes_for(read))


def source_id_of(url: str, content_hash: str) -> str:
    """The same for the same text at the same address, on every day and machine."""
    return hashlib.sha256(f"{url}|{content_hash}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def address_of(page: Page) -> str:
    """The page's canonical address."""
    return canonical(page.reached, page.canonical_url)


def packet_of(answer: FetchAnswer, parts: PacketParts, *, now: datetime) -> Packet:
    """The packet of this answer, whole. Without a time of reading it was read `now`."""
    page = answer.page
    url = address_of(page)
    digest = page.content_hash or hashlib.sha256(page.body.encode("utf-8", "surrogatepass")).hexdigest()
    unsafe = list(_unsafe(answer))
    headings = zip(page.outline, paths_of(page.outline), strict=True)
    return Packet(
        source_id=source_id_of(url, digest),
        original_url=page.url,
        canonical_url=url,
        final_url=page.reached,
        retrieved_at=(page.fetched_at or now).isoformat(),
        from_cache=answer.cached,
        age_s=round(answer.age) if answer.age is not None else None,
        content_type=page.media_type,
        metadata=Metadata(
            title=page.title,
            site_name=page.site,
            author=page.author,
            published_at=page.published.isoformat() if page.published else None,
            published_from=page.published_from,
            modified_at=page.modified.isoformat() if page.modified else None,
            language=page.language,
            description=page.description,
            kind=page.kind,
            favicon=page.favicon,
            page_count=page.page_count,
            words=parts.words,
            tokens=round(estimate_tokens(page.body)),
            estimated_reading_time_min=parts.minutes,
        ),
        source_summary=parts.summary,
        warnings=[Warned(type=kind, message=text) for kind, text in _warnings(answer, len(unsafe))],
        unsafe_instructions_detected=unsafe,
        notes=list(answer.notes),
        outline=[
            Outlined(level=one.level, text=one.text, path=" > ".join(path), offset=one.offset) for one, path in headings
        ],
        key_blocks=parts.key_blocks,
        citations=parts.citations,
        content=page.body,
        content_chars=len(page.body),
        hashes=Hashes(content_hash=digest, raw_hash=page.raw_hash or None),
    )


def path_at(outline: Sequence[Heading]) -> Callable[[int], str]:
    """Place → the headings that it stands under, from the top."""
    offsets = [heading.offset for heading in outline]
    paths = ["", *(" > ".join(path) for path in paths_of(outline))]
    return lambda place: paths[bisect_right(offsets, place)]


def _citations(
    marked: MarkedText, blocks: Sequence[TextBlock], path: Callable[[int], str], url: str
) -> Iterator[Citation]:
    """The sentences that say most, each once, in their order; nothing that a filter suspects is worth quoting."""
    content = marked.text
    sentences = [
        one
        for one in sentences_of(content, blocks)
        if one.kind in ("paragraph", "list", "quote") and not marked.touched(one.start, one.end)
    ]
    once = {plainly(content[one.start : one.end]): one for one in reversed(sentences)}
    scored = [(salience(content[one.start : one.end], one.kind), one) for one in once.values()]
    worth = sorted((entry for entry in scored if entry[0] >= _WORTH_CITING), key=lambda entry: (-entry[0], entry[1]))[
        :_CITED
    ]
    for number, one in enumerate(sorted(sentence for _, sentence in worth)):
        quote = content[one.start : one.end]
        yield Citation(
            id=f"c{number}",
            block=f"b{one.block}",
            path=path(one.start),
            quote=quote,
            start=one.start,
            end=one.end,
            url=_pointing(url, quote),
        )


def _pointing(url: str, quote: str) -> str:
    """The address with a text fragment, where the page has none of its own (WICG, Text Fragments)."""
    words = plainly(quote).split()[:_FRAGMENT_WORDS]
    text = " ".join(words)
    if "#" in url or not text or any(sign in text for sign in "*_`[]|<>\\"):
        return url
    return f"{url}#:~:text={percent(text.encode('utf-8', 'replace'), safe='').replace('-', '%2D')}"


def _kept(found: Finding) -> str:
    return "left" if found.field == HIDDEN_FIELD else "marked"


def _unsafe(answer: FetchAnswer) -> Iterator[Unsafe]:
    for step in answer.trail:
        if step.stage == "inspect" and step.family == "injection":
            for found in step.findings:
                yield Unsafe(
                    reason=found.kind,
                    by=step.by,
                    action="removed" if step.outcome == "rewrite" else _kept(found),
                    field=found.field,
                    start=found.start,
                    end=found.end,
                    score=found.score,
                )


def _warnings(answer: FetchAnswer, unsafe: int) -> Iterator[tuple[Caution, str]]:
    page = answer.page
    if page.truncated:
        yield "truncated", "the document was cut at its size limit"
    if page.paywalled:
        yield "paywalled", "the site shows only a part"
    if page.published and page.published_from in _UNSURE:
        yield "low_confidence_date", f"the date was read from: {page.published_from}"
    if page.media_type == "application/pdf" and page.page_count and len(page.body) < _SCANNED * page.page_count:
        yield "scanned_pdf", "hardly any text on its pages: probably pictures of text"
    if unsafe:
        yield (
            "injection_detected",
            f"{unsafe} {'place looks' if unsafe == 1 else 'places look'} like instructions to a model",
        )
    changed = [step for step in answer.trail if step.stage == "inspect" and step.outcome == "rewrite"]
    if changed:
        yield "changed_by_filters", f"changed by {', '.join(dict.fromkeys(step.by for step in changed))}"
    if answer.cached and (answer.age or 0) >= _STALE_S:
        yield "stale_copy", f"read {round((answer.age or 0) / 3600)} hours ago"
    failed = [step for step in answer.trail if step.stage == "ask" and step.outcome in ("fail", "empty")]
    if failed:
        yield "extraction_fallback", f"could not read it: {', '.join(dict.fromkeys(step.by for step in failed))}"
