"""What a packet is: a page and all that is known of it. Offsets are code points of `content`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel

VERSION = 1

Caution = Literal[
    "truncated",
    "paywalled",
    "low_confidence_date",
    "scanned_pdf",
    "injection_detected",
    "changed_by_filters",
    "stale_copy",
    "extraction_fallback",
]


class Metadata(BaseModel):
    """What the page says of itself, and what was counted."""

    title: str = ""
    site_name: str = ""
    author: str = ""
    published_at: str | None = None
    published_from: str = ""
    modified_at: str | None = None
    language: str = ""
    description: str = ""
    kind: str = ""
    favicon: str = ""
    page_count: int | None = None
    words: int = 0
    tokens: int = 0
    estimated_reading_time_min: int = 1


class Outlined(BaseModel):
    """A heading; `path` has those that it stands under."""

    level: int
    text: str
    path: str
    offset: int


class KeyBlock(BaseModel):
    """A block of the content: `content[start:end]`, which is `text` where that is there."""

    id: str
    kind: str
    path: str = ""
    start: int
    end: int
    char_len: int
    text: str | None = None


class Citation(BaseModel):
    """A sentence worth quoting: `quote` is `content[start:end]`."""

    id: str
    block: str
    path: str = ""
    quote: str
    start: int
    end: int
    url: str


class Unsafe(BaseModel):
    """Where a filter saw instructions to a model; never the text itself.

    `start` and `end` count in the part `field` as it was before anything was taken out.
    """

    reason: str
    by: str
    action: str
    field: str
    start: int
    end: int
    score: float


class Warned(BaseModel):
    """What is to be known before the page is used."""

    type: Caution
    message: str


class Hashes(BaseModel):
    """SHA-256 in hex: of the content; of the document's bytes where they are known."""

    content_hash: str
    raw_hash: str | None = None


class Packet(BaseModel):
    """A page for a language model."""

    version: int = VERSION
    source_id: str
    original_url: str
    canonical_url: str
    final_url: str
    retrieved_at: str | None = None
    from_cache: bool = False
    age_s: int | None = None
    status: int = 200
    content_type: str = ""
    metadata: Metadata
    source_summary: list[str]
    warnings: list[Warned]
    unsafe_instructions_detected: list[Unsafe]
    notes: list[str]
    outline: list[Outlined]
    key_blocks: list[KeyBlock]
    citations: list[Citation]
    content: str
    next_offset: int | None = None
    """Where the rest of the content begins, when it was cut to fit an answer."""
    content_chars: int
    """Of the whole content."""
    hashes: Hashes
    raw_excerpt: str | None = None
    resources: dict[str, str] = {}
    """Kind → address of the MCP resource that holds it."""

    def data(self) -> dict[str, Any]:
        """As JSON, without what is not known."""
        return self.model_dump(mode="json", exclude_none=True)
