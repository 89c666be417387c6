"""The values that flow: frozen, validated, the same for every plugin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AwareDatetime, Field, StringConstraints, ValidationInfo, field_validator

from .field_types import DateSource, Kind, Language
from .fields import Finding, Part, Parted, Value
from .outline import Heading, content_hash, headed, outline_of

Vertical = Literal["web", "news", "images"]
ContentMode = Literal["highlights", "text"]
TimeRange = Literal["day", "week", "month", "year"]
SafeSearch = Literal["off", "moderate", "strict"]
Rendering = Literal["auto", "always", "never"]
Form = Literal["markdown", "text", "outline", "raw"]
Category = Literal["company", "people", "research paper", "news", "personal site", "financial report"]

_DAYS: Mapping[TimeRange, int] = {"day": 1, "week": 7, "month": 31, "year": 366}

SWITCHABLE = frozenset({"pii", "injection"})
"""Filter families that a request header may switch; every other family always runs."""


class Caller(Value):
    """Who asks. Filters, cache, ledger and stored results are keyed by `tenant`."""

    tenant: str = ""
    session: str = ""
    deadline: float | None = None
    """When the work must be done, on the monotonic clock of `Clock.monotonic`; None: no deadline but the settings'."""
    families: Mapping[str, bool] = {}
    """Filter families switched on or off for this request (`pii`, `injection`); the floor has been applied."""

    def has_time(self, now: float, seconds: float) -> bool:
        """Whether work of this many seconds, begun at `now`, is done by the deadline."""
        return self.deadline is None or now + seconds <= self.deadline


class Outgoing(Parted):
    """Something about to leave this machine."""

    caller: Caller = Field(default_factory=Caller)

    @property
    def text(self) -> str:
        """All parts as one string, a line each: what a simple filter judges."""
        return "\n".join(part.text for part in self.parts)

    def _fields_from(self, parts: Sequence[Part]) -> dict[str, Any]:
        return {
            part.field: tuple(part.text.split("\n")) if part.field.endswith("_domains") else part.text for part in parts
        }


Query = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
Address = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=8192)]


class SearchRequest(Outgoing):
    """A search, as every backend gets it. Domain rules are in the one dialect of `websearch_core.net.domains`."""

    main_part: ClassVar[str] = "query"

    query: Query
    max_results: int = Field(default=8, ge=1, le=50)
    content_mode: ContentMode = "highlights"
    max_content_chars: int = Field(default=700, ge=1, le=50_000)
    user_location_country: str = Field(default="", pattern=r"^([A-Z]{2})?$")
    """ISO 3166-1 alpha-2, upper case; empty: not said."""
    language: str = Field(default="", pattern=r"^([a-z]{2,3}(-[A-Za-z0-9]{2,8})*)?$")
    """BCP 47; empty: not said."""
    allowed_domains: tuple[str, ...] = ()
    excluded_domains: tuple[str, ...] = ()
    category: Category | None = None
    start_published_date: AwareDatetime | None = None
    end_published_date: AwareDatetime | None = None
    """Inclusive: a day's end when the caller gave a day."""
    time_range: TimeRange | None = None
    safesearch: SafeSearch | None = None
    vertical: Vertical = "web"
    max_age_hours: int | None = Field(default=None, ge=-1)
    """-1: only from a cache; 0: live; n: at most n hours old; None: as the settings say."""
    goggle: str = Field(default="", max_length=508, pattern=r"^(https://\S+)?$")
    """Address of a re-ranking rule (a Brave goggle), from a lens."""
    lens: str = Field(default="", pattern=r"^[a-z0-9-]{0,64}$")
    """The lens that domains and goggle come from, for notes: it has been applied."""
    backend: str = Field(default="", pattern=r"^[a-z0-9-]{0,64}$")
    """Ask this backend and no other; empty: as the settings say."""
    joining: bool = Field(default=False, exclude=True)
    """The core's word to a backend that joins others: its hits stand beside theirs, so only those help that answer the
    query."""

    def since(self, now: float) -> datetime | None:
        """The earliest moment that both `start_published_date` and `time_range` allow, in UTC; None: no limit.

        `now` is in seconds since the epoch. A range's first day counts whole, because many hits carry a day, no hour.
        """
        starts = [utc(self.start_published_date)] if self.start_published_date else []
        if self.time_range is not None:
            start = datetime.fromtimestamp(now, UTC) - timedelta(days=_DAYS[self.time_range])
            starts.append(start.replace(hour=0, minute=0, second=0, microsecond=0))
        return max(starts, default=None)

    @property
    def parts(self) -> tuple[Part, ...]:
        """`query`, then `allowed_domains`, `excluded_domains` (a rule a line) and `goggle`, where there are some."""
        goggle = (Part("goggle", self.goggle),) if self.goggle else ()
        return (Part("query", self.query), *_lines(self, "allowed_domains", "excluded_domains"), *goggle)


class FetchRequest(Outgoing):
    """One address to read."""

    main_part: ClassVar[str] = "url"

    url: Address
    allowed_domains: tuple[str, ...] = ()
    max_bytes: int | None = Field(default=None, ge=1)
    """A lower cap than the operator's on the bytes of the document; it can never raise it."""
    max_age_hours: int | None = Field(default=None, ge=-1)
    continued: bool = False
    """More of a page that was just read: that copy goes on for some minutes, whatever its site says of its age."""
    render: Rendering = "auto"
    """`always`: only by a fetcher that renders; `never`: by none of these; `auto`: where the page needs it."""
    screenshot: bool = False
    """A picture of the rendered page, too: the same as `render = "always"` otherwise."""
    raw: bool = False
    """The document's own text as it stands. A fetcher that makes pages itself declines."""
    obey_robots: bool = False
    """No address is asked for, redirects included, that its site's robots.txt forbids: the operator wants it so, or
    nobody asked for this very page (a crawl). A remote fetcher follows redirects where we see them only afterwards: a
    page from where robots.txt forbids it is not used."""
    etag: str = ""
    last_modified: str = ""
    """Validators of a copy that the cache holds: a fetcher may answer with a `Download` of status 304."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """`url`, then `allowed_domains` where there are some, a rule a line."""
        return (Part("url", self.url), *_lines(self, "allowed_domains"))


def _lines(request: Outgoing, *fields: str) -> tuple[Part, ...]:
    return tuple(Part(field, "\n".join(rules)) for field in fields if (rules := getattr(request, field)))


class Document(Parted):
    """Something that a model may read."""

    read_fields: ClassVar[tuple[str, ...]] = ("title", "url", "final_url", "author", "site", "body", "alt", "notes")
    """Those that are `parts`, in this order."""

    url: Address
    final_url: str = ""
    """Where the text really came from, after redirects; empty: the same as `url`."""
    title: str = ""
    author: str = ""
    site: str = ""
    published: AwareDatetime | None = None
    language: Language = ""
    """A language tag (BCP 47); anything else is left out."""
    body: str = ""
    """Markdown of a page's main content, or a hit's text where the whole text was asked for."""
    outline: tuple[Heading, ...] = ()
    """Headings that stand in `body`; given others, those of `body`."""
    links: tuple[str, ...] = ()
    """Absolute addresses that the whole page points to, in order: for crawlers, in no answer."""
    hidden: str = ""
    """Text that a person would not see: for filters only, in no answer, resource or log."""
    alt: str = ""
    notes: tuple[str, ...] = ()
    content_hash: str = ""
    fetched_at: AwareDatetime | None = None
    age: float | None = None
    """Seconds since the source was asked, when the answer came from a cache."""
    leads: tuple[Finding, ...] = ()
    """Where earlier filters saw what deserves a closer look: for later filters only; the core fills it in."""
    marks: tuple[Finding, ...] = ()
    """What earlier filters suspect and left: for later filters only; the core fills it in, and when all have judged it
    writes the warnings into the texts."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """Every text that a stranger may have written and a model or a tool may see, those that are there.

        `notes` is one part, a note a line. What has a form of its own (`language`, `kind`, dates) is held to that.
        """
        values = vars(self)  # much quicker than attributes: every step of the chain asks for the parts
        return tuple(
            [
                Part(name, value if isinstance(value, str) else "\n".join(value))
                for name in self.read_fields
                if (value := values[name]) and not (name == "final_url" and value == self.url)
            ]
        )

    @property
    def text_read(self) -> str:
        """All that a model would read of this document, a line for each part."""
        return "\n".join(part.text for part in self.parts)

    @property
    def reached(self) -> str:
        """The address that the text came from."""
        return self.final_url or self.url

    @field_validator("outline")
    @classmethod
    def _of_the_body(cls, outline: tuple[Heading, ...], info: ValidationInfo) -> tuple[Heading, ...]:
        # filters judge the body: a heading from elsewhere would be shown unjudged
        body: str = info.data.get("body", "")
        return outline if headed(body, outline) else outline_of(body)

    def _fields_from(self, parts: Sequence[Part]) -> dict[str, Any]:
        fields: dict[str, Any] = {part.field: part.text for part in parts}
        fields |= {part.field: tuple(part.text.splitlines()) for part in parts if part.field == "notes"}
        if (body := fields.get("body")) is not None and body != self.body:
            fields |= {"outline": outline_of(body), "content_hash": content_hash(body)}
        return fields


class Hit(Document):
    """One search result."""

    main_part: ClassVar[str] = "snippet"
    read_fields: ClassVar[tuple[str, ...]] = (
        *("title", "url", "final_url", "snippet", "author", "site", "body", "alt", "notes"),
        *("favicon", "image", "age_text"),
    )

    snippet: str = ""
    source: str = ""
    """Name of the backend that found it; the core fills it in."""
    found_by: tuple[str, ...] = ()
    """Every backend that found it, when several were asked."""
    score: float | None = None
    favicon: str = ""
    image: str = ""
    """Address of the picture itself (vertical images)."""
    age_text: str = ""
    """How old it is, in the engine's words ("3 days ago"), where it gives some."""

    @property
    def text(self) -> str:
        """The hit's own text: the body where there is one, else the snippet."""
        return self.body or self.snippet

    def _main_parts(self, text: str) -> Sequence[Part]:
        # the snippet is an excerpt of the body: what was taken out of one must not stay in the other
        return (Part("body", text), Part("snippet", "")) if self.body else (Part("snippet", text),)


class Page(Document):
    """One page that was read, whole: every answer is a cut of it."""

    main_part: ClassVar[str] = "body"
    read_fields: ClassVar[tuple[str, ...]] = (
        *Document.read_fields,
        *("description", "canonical_url", "favicon", "media_type", "etag", "last_modified"),
    )

    description: str = ""
    """What the page says of itself in a sentence."""
    canonical_url: str = ""
    """The address that the page calls its own: the page's word, so never where it came from."""
    favicon: str = ""
    kind: Kind = ""
    """What the page says it is (JSON-LD or OpenGraph type), lower case: `article`, `product`, …"""
    modified: AwareDatetime | None = None
    published_from: DateSource = ""
    """Where `published` was read: `json-ld`, `meta`, `time`, `url`, `text`, `feed`, `file`; the surest come first."""
    page_count: int | None = None
    """Of a document that has pages, slides or sheets."""
    paywalled: bool = False
    """The site shows only a part; `body` is that part."""
    screenshot: bytes = b""
    """PNG, where one was asked for."""
    media_type: str = ""
    truncated: bool = False
    bytes_read: int = 0
    raw_hash: str = ""
    """SHA-256 in hex of the document's bytes as they were read, where there were any."""
    etag: str = ""
    last_modified: str = ""
    cost: float | None = None
    """What reading it cost in US dollars, where the fetcher knows it."""
    units: float | None = None
    """What it cost in the fetcher's own `unit`."""

    @classmethod
    def from_markdown(cls, body: str, **fields: Any) -> Self:
        """A page whose outline and content hash are those of `body`."""
        return cls(body=body, outline=outline_of(body), content_hash=content_hash(body), **fields)

    @classmethod
    def from_text(cls, text: str, *, max_bytes: int | None, **fields: Any) -> Self:
        """The same for text that somebody else extracted: cut to the caller's cap between characters, and marked."""
        content = text.encode("utf-8", "replace")
        text, size = content.decode(), len(content)
        cut = max_bytes is not None and size > max_bytes
        if cut:
            text, size = f"{content[:max_bytes].decode(errors='ignore')}\n\n[truncated at {max_bytes} bytes]", max_bytes
        return cls.from_markdown(text, truncated=cut, bytes_read=size, **fields)


class Download(Value):
    """Bytes and headers of one address, before an extractor reads them."""

    url: Address
    final_url: str
    status: int = 200
    media_type: str = ""
    """Lower case, without parameters; empty: not declared."""
    charset: str = ""
    """As declared in the header; empty: not declared."""
    headers: Mapping[str, str] = {}
    """Names in lower case."""
    redirects: tuple[Mapping[str, str], ...] = ()
    """Headers of the answers that led here: until when, and for whom, they do is theirs to say."""
    body: bytes = b""
    screenshot: bytes = b""
    """PNG, of a fetcher that renders, where one was asked for."""
    truncated: bool = False
    bytes_read: int = 0
    fetched_at: AwareDatetime


def utc(moment: datetime) -> datetime:
    """The same moment in UTC; a moment without a zone is taken to be UTC."""
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:  # a few hours before the first year, or after the last
        return moment.replace(tzinfo=UTC)
