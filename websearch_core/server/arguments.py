"""The arguments of `search` and `fetch`: two pydantic models, which validation, published schema and docs follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast, get_args

from pydantic import BaseModel, BeforeValidator, Field, ValidationInfo, create_model
from pydantic.json_schema import SkipJsonSchema

from ..contract.mcp_components import Output
from ..contract.models import (
    Caller,
    Category,
    ContentMode,
    FetchRequest,
    Form,
    Query,
    Rendering,
    SafeSearch,
    SearchRequest,
    TimeRange,
    Vertical,
)
from ..contract.results import Lens
from .argument_aliases import SEARCH_NAMES, Region
from .argument_reader import ArgumentError, ArgumentReader
from .argument_types import Addresses, Age, Country, Domains, End, Language, Phrase, Start, noted, one_of
from .page_views import WHOLE, ViewRequest

_UNPUBLISHED = ("examples", "format", "maxLength", "minLength")
"""What schemas of the core's tools leave out, because it costs a model tokens and seldom helps it."""


def _some(given: object, info: ValidationInfo) -> object:
    if isinstance(given, int) and given < 1:
        noted(info, "below 1, so 8 was used")
        return 8
    return given


class SearchArguments(BaseModel):
    """What `search` takes, in the order of publication; what is not given is None or the default of the request."""

    query: Query = Field(description="What to look for, in plain words", examples=["python 3.13 release date"])
    max_results: Annotated[int, Field(ge=1, le=50), BeforeValidator(_some)] = Field(8, examples=[8])
    content_mode: ContentMode = Field("highlights", description="Excerpts or whole text", examples=["text"])
    max_content_chars: int = Field(700, ge=1, le=50_000, description="Per result", examples=[700])
    user_location_country: Country | None = Field(None, description="ISO 3166-1, e.g. DE", examples=["DE"])
    language: Language | None = Field(None, description="BCP 47, e.g. en", examples=["pt-BR"])
    allowed_domains: Domains | None = Field(
        None,
        description="Only these: example.com (with subdomains), =example.com (exact), *.example.com (subdomains)",
        examples=[["example.com"]],
    )
    excluded_domains: Domains | None = Field(None, description="Never these", examples=[["example.com"]])
    category: Category | None = Field(
        None, description="company, people: no dates, no excluded_domains", examples=["news"]
    )
    start_published_date: Start | None = Field(None, description="YYYY-MM-DD or RFC 3339", examples=["2026-01-31"])
    end_published_date: End | None = Field(None, description="Inclusive", examples=["2026-01-31"])
    time_range: TimeRange | None = Field(None, description="Published within", examples=["week"])
    safesearch: SafeSearch | None = Field(None, examples=["strict"])
    vertical: Vertical = Field("web", examples=["news"])
    max_age_hours: Age | None = Field(None, description="Oldest cached answer; 0 live, -1 cache only", examples=[24])
    region: SkipJsonSchema[Region | None] = Field(None, examples=["de-de"])


class FetchArguments(BaseModel):
    """What `fetch` takes, in the order of publication."""

    urls: Addresses = Field(description="http or https", examples=[["https://example.com/page"]])
    allowed_domains: Domains | None = Field(None, description="As in search", examples=[["example.com"]])
    max_chars: int = Field(20_000, ge=1, le=1_000_000, description="Per page", examples=[20_000])
    offset: int = Field(
        0, ge=0, le=1_000_000_000, description="Start here: next_offset of a truncated result", examples=[20_000]
    )
    section: Phrase | None = Field(
        None, description="Only this part: headings of the outline, A > B", examples=["Usage > Options"]
    )
    find: Phrase | None = Field(
        None, description="Only the passages that answer these words best", examples=["install on debian"]
    )
    output: str = "markdown"
    max_age_hours: Age | None = Field(None, description="As in search", examples=[24])


class RenderingArguments(BaseModel):
    """What `fetch` takes besides where a fetcher renders pages."""

    render: Rendering = Field("auto", description="With a browser", examples=["always"])
    screenshot: bool | None = Field(None, description="A picture of the page, too", examples=[True])


def search_reader(lenses: Sequence[Lens] = (), backends: Sequence[str] = ()) -> ArgumentReader[SearchArguments]:
    """Reads calls of `search`: with `lens` where there are some, and `backend`, published where there is a choice."""
    more: dict[str, Any] = {}
    if names := tuple(lens.name for lens in lenses):
        about = Field(None, description="Set of sites, instead of allowed_domains", examples=[names[0]])
        lens: Any = Literal[names]
        more["lens"] = (lens | None, about)
    # any name is read: one that is installed but not configured gets an answer that says what is missing
    backend = one_of(tuple(backends)) | None
    about = Field(None, description="Ask this engine only", examples=[*backends][:1])
    more["backend"] = (backend if len(backends) > 1 else SkipJsonSchema[backend], about)
    model = create_model("Search", __base__=SearchArguments, **more)
    return ArgumentReader(model, SEARCH_NAMES, _UNPUBLISHED)


def fetch_reader(outputs: Sequence[Output] = (), *, renders: bool = False) -> ArgumentReader[FetchArguments]:
    """Reads calls of `fetch`: with the installed outputs, and what only a fetcher that renders can do."""
    forms = (*get_args(Form), *(one.name for one in outputs))
    about = ["outline lists sections; raw is the source", *(f"{one.name}: {one.description}" for one in outputs)]
    output: Any = (Literal[forms], Field("markdown", description="; ".join(about), examples=["text"]))
    base = (RenderingArguments, FetchArguments) if renders else FetchArguments
    model = cast("type[FetchArguments]", create_model("Fetch", __base__=base, output=output))
    return ArgumentReader(model, {}, _UNPUBLISHED)


@dataclass(frozen=True, slots=True)
class FetchCall:
    """A call of `fetch`, understood: one request for each address, in the order of the call."""

    requests: tuple[FetchRequest, ...]
    max_chars: int
    offset: int
    notes: tuple[str, ...]
    view: ViewRequest = WHOLE


def read_search(
    raw: Mapping[str, Any], caller: Caller, reader: ArgumentReader[SearchArguments], lenses: Sequence[Lens] = ()
) -> tuple[SearchRequest, list[str]]:
    """What a call of `search` means, and notes on what was put right. Raises ArgumentError."""
    arguments, notes = reader.read(raw)
    values = _given(arguments)
    if region := values.pop("region", None):
        read = {name: value for name, value in region.items() if name not in values}
        values |= read
        notes += [f"region: read as {' and '.join(read)}"] if read else []
    wrong = _contradictions(values)
    if lens := next((one for one in lenses if one.name == values.get("lens")), None):
        if values.get("allowed_domains"):
            wrong.append("lens: cannot be combined with allowed_domains; give one of the two")
        values |= {"allowed_domains": lens.domains, "goggle": lens.goggle}
    if wrong:
        raise ArgumentError("\n".join(wrong))
    return SearchRequest(caller=caller, **values), notes


def read_fetch(raw: Mapping[str, Any], caller: Caller, reader: ArgumentReader[FetchArguments]) -> FetchCall:
    """What a call of `fetch` means. Raises ArgumentError."""
    arguments, notes = reader.read(raw)
    values = _given(arguments)
    if values.get("screenshot") and values.get("render") == "never":
        raise ArgumentError("screenshot: cannot be combined with render never; leave one of the two out")
    for name in ("urls", "max_chars", "offset", "section", "find", "output"):
        values.pop(name, None)
    offset, form = arguments.offset, arguments.output
    if offset and form not in get_args(Form):
        notes.append(f"offset: counts in the page's Markdown, so output is markdown instead of {form}")
        form = "markdown"
    view = ViewRequest(form, arguments.section or "", arguments.find or "")
    if form not in ("markdown", "text", "outline") and (view.section or view.find):
        notes.append(f"section and find are for pages that were read, so they were left out: output is {form}")
    values |= {"raw": form == "raw", "continued": offset > 0}
    made = {url: FetchRequest(url=url, caller=caller, **values) for url in dict.fromkeys(arguments.urls)}
    requests = tuple(made[url] for url in arguments.urls)
    return FetchCall(requests, arguments.max_chars, offset, tuple(notes), view)


def _given(arguments: BaseModel) -> dict[str, Any]:
    """The arguments that the call gave."""
    return {name: getattr(arguments, name) for name in arguments.model_fields_set}


def _contradictions(values: Mapping[str, Any]) -> list[str]:
    """What is wrong between arguments that are right by themselves."""
    wrong: list[str] = []
    start, end = values.get("start_published_date"), values.get("end_published_date")
    if start and end and start > end:
        wrong.append(
            'start_published_date: must not be after end_published_date; for example "2026-01-01" and "2026-01-31"'
        )
    if (category := values.get("category")) in ("company", "people"):
        barred = ("start_published_date", "end_published_date", "time_range", "excluded_domains")
        wrong.extend(
            f"{name}: cannot be combined with category {category}; leave one of the two out"
            for name in barred
            if values.get(name)
        )
    return wrong
