"""What backends, the chain and tools give back, and what observers are told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from pydantic import AwareDatetime, Field

from .errors import Code
from .fields import Finding, Value
from .models import Document, Hit, Page
from .verdicts import Decision, Dropped

D = TypeVar("D", bound=Document)

Outcome = Literal["answer", "empty", "allow", "rewrite", "block", "fail", "cancelled"]


class Answer(Value):
    """What a backend found. `notes` are shown to the model, so they are the author's constant words."""

    hits: tuple[Hit, ...] = ()
    notes: tuple[str, ...] = ()
    cost: float | None = None
    """US dollars, None when it is not known."""
    units: float | None = None
    """What the engine counted for this call, in the backend's `unit`; None when it is not known."""
    trouble: Code | None = None
    """Why there is not more, where a further page failed: it counts as if the next call had failed so."""
    retry_after: float | None = None
    """Seconds, where that failure said when to come back."""


class SearchAnswer(Value):
    """What a search came to."""

    hits: tuple[Hit, ...] = ()
    notes: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    """Of an answer without hits: who was asked, what to loosen, and that it proves nothing."""
    dropped: tuple[Dropped, ...] = ()
    redacted_query: str = ""
    """The query as it was sent, where personal data was taken out of it."""
    redactions: tuple[Finding, ...] = ()
    """What was taken out: kind, and code points of the query as it was given; never the text itself."""
    trail: tuple[Decision, ...] = ()
    backends: tuple[str, ...] = ()
    """Those that answered."""
    cached: bool = False
    age: float | None = None
    cost: float | None = None
    """US dollars, as the backends said; None from the cache, or when nothing was said."""
    took: float = 0.0
    """Seconds."""


@dataclass(frozen=True, slots=True)
class Inspected(Generic[D]):
    """Documents that a model may read, in their order, and receipts for those that it may not."""

    documents: tuple[D, ...]
    dropped: tuple[Dropped, ...] = ()
    trail: tuple[Decision, ...] = ()
    notes: tuple[str, ...] = ()


class FetchAnswer(Value):
    """What reading one address came to: the whole inspected page."""

    page: Page
    notes: tuple[str, ...] = ()
    trail: tuple[Decision, ...] = ()
    cached: bool = False
    age: float | None = None
    took: float = 0.0


class Event(Value):
    """What an observer is told. No query, no address, no page text."""

    kind: Literal["search", "fetch", "ask", "filter"]
    component: str = ""
    outcome: Outcome
    """How it ended; a filter's event says what its verdict was, `fail` when it could not judge."""
    count: int = 1
    """How many documents ended so."""
    code: str = ""
    tenant: str = ""
    took: float = 0.0
    """Seconds."""
    cost: float | None = None
    """US dollars, where the source said it."""
    units: float | None = None
    """In the source's own unit, where it said so."""
    at: AwareDatetime


class Lens(Value):
    """A named set of sites with a purpose, that a search can be narrowed to. It has domains, or a goggle, or both."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$")
    description: str = Field(min_length=1, max_length=300)
    domains: tuple[str, ...] = Field(default=(), max_length=100)
    """Domain rules, in the one dialect of `Rules`."""
    goggle: str = Field(default="", max_length=508, pattern=r"^(https://\S+)?$")
    """Address of a re-ranking rule for the engines that take one (Brave)."""


class ResourceLink(Value):
    """An MCP resource that can be read: what a list or an answer says of it."""

    uri: str
    name: str
    title: str = ""
    description: str = ""
    media_type: str = ""
    size: int | None = None
    """Bytes."""
    modified: AwareDatetime | None = None


class ToolOutput(Value):
    """What a plugin's tool returns: text for the model, and the same as data where it has a shape."""

    text: str
    structured: Mapping[str, Any] | None = None
    links: tuple[ResourceLink, ...] = ()
    """Resources that hold more than fits here."""
    next_offset: int | None = None
    """Of a form of `fetch` that shows the beginning of a page: where in the page's body the rest begins."""
    untrusted: bool = False
    """True: strangers wrote what is in it, so the server marks it like a page."""
