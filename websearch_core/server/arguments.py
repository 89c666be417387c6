"""The arguments of `search` and `fetch`, in one table: validation, published schema, docs and tests read it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast, get_args

from ..contract.errors import WebsearchError
from ..contract.mcp_components import Output
from ..contract.models import (
    Caller,
    Category,
    ContentMode,
    FetchRequest,
    Form,
    Rendering,
    SafeSearch,
    SearchRequest,
    TimeRange,
    Vertical,
)
from ..contract.results import Lens
from .addresses import Addresses
from .argument_aliases import translated
from .argument_types import (
    ArgumentType,
    Boolean,
    Choice,
    Country,
    DateTime,
    Domains,
    Integer,
    Language,
    Name,
    RuleError,
    Text,
)
from .page_views import WHOLE, ViewRequest

_PRINTABLE = re.compile(r"[A-Za-z0-9_.:-]{1,40}")

DEFAULT_MAX_CHARS = 20_000
IS_REQUIRED = "is required"


class ArgumentError(WebsearchError):
    """The arguments cannot be used. One line for each: the argument, its rule, a good example; never the value."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a tool."""

    name: str
    kind: ArgumentType
    description: str
    example: Any
    default: Any = None
    required: bool = False
    published: bool = True
    """False: understood, but not in the schema, where there is nothing to choose."""

    def schema(self) -> dict[str, Any]:
        """What is published of it."""
        default = {} if self.default is None else {"default": self.default}
        about = {"description": self.description} if self.description else {}
        return {**self.kind.schema(), **about, **default}


SEARCH = (
    Argument("query", Text(2000), "What to look for, in plain words", "python 3.13 release date", required=True),
    Argument("max_results", Integer(1, 50, low_means=8), "", 8, default=8),
    Argument("content_mode", Choice(get_args(ContentMode)), "Excerpts or whole text", "text", default="highlights"),
    Argument("max_content_chars", Integer(1, 50_000), "Per result", 700, default=700),
    Argument("user_location_country", Country(), "ISO 3166-1, e.g. DE", "DE"),
    Argument("language", Language(), "BCP 47, e.g. en", "pt-BR"),
    Argument(
        "allowed_domains",
        Domains(),
        "Only these: example.com (with subdomains), =example.com (exact), *.example.com (subdomains)",
        ["example.com"],
    ),
    Argument("excluded_domains", Domains(), "Never these", ["example.com"]),
    Argument("category", Choice(get_args(Category)), "company, people: no dates, no excluded_domains", "news"),
    Argument("start_published_date", DateTime(), "YYYY-MM-DD or RFC 3339", "2026-01-31"),
    Argument("end_published_date", DateTime(end=True), "Inclusive", "2026-01-31"),
    Argument("time_range", Choice(get_args(TimeRange)), "Published within", "week"),
    Argument("safesearch", Choice(get_args(SafeSearch)), "", "strict"),
    Argument("vertical", Choice(get_args(Vertical)), "", "news", default="web"),
    Argument("max_age_hours", Integer(-1, 1_000_000), "Oldest cached answer; 0 live, -1 cache only", 24),
)
"""`search`, in the order of publication."""

FETCH = (
    Argument("urls", Addresses(1, 20, 8192), "http or https", ["https://example.com/page"], required=True),
    Argument("allowed_domains", Domains(), "As in search", ["example.com"]),
    Argument("max_chars", Integer(1, 1_000_000), "Per page", 20_000, default=DEFAULT_MAX_CHARS),
    Argument("offset", Integer(0, 1_000_000_000), "Start here: next_offset of a truncated result", 20_000, default=0),
    Argument("section", Text(1000), "Only this part: headings of the outline, A > B", "Usage > Options"),
    Argument("find", Text(1000), "Only the passages that answer these words best", "install on debian"),
    Argument("output", Choice(get_args(Form)), "outline lists sections; raw is the source", "text", default="markdown"),
    Argument("max_age_hours", Integer(-1, 1_000_000), "As in search", 24),
)
"""`fetch`, in the order of publication."""

RENDERING = (
    Argument("render", Choice(get_args(Rendering)), "With a browser", "always", default="auto"),
    Argument("screenshot", Boolean(), "A picture of the page, too", example=True),
)
"""What `fetch` understands besides where a fetcher renders pages."""


def with_choices(
    table: Sequence[Argument], lenses: Sequence[Lens], backends: Sequence[str] = ()
) -> tuple[Argument, ...]:
    """The table, with `backend`, and `lens` when there is one to choose."""
    more: list[Argument] = []
    if lenses:
        names = tuple(lens.name for lens in lenses)
        more.append(Argument("lens", Choice(names), "Set of sites, instead of allowed_domains", names[0]))
    # any name is read: one that is installed but not configured gets an answer that says what is missing
    example = backends[0] if backends else "searxng"
    choice = len(backends) > 1
    more.append(Argument("backend", Name(tuple(backends)), "Ask this engine only", example, published=choice))
    return (*table, *more)


def with_outputs(table: Sequence[Argument], outputs: Sequence[Output]) -> tuple[Argument, ...]:
    """The table, with the installed outputs among the choices of `output`."""
    if not outputs:
        return tuple(table)
    forms = (*get_args(Form), *(one.name for one in outputs))
    about = "; ".join(f"{one.name}: {one.description}" for one in outputs)
    return tuple(
        replace(argument, kind=Choice(forms), description=f"{argument.description}; {about}")
        if argument.name == "output"
        else argument
        for argument in table
    )


def schema_of(table: Sequence[Argument]) -> dict[str, Any]:
    """The published input schema."""
    return {
        "type": "object",
        "properties": {argument.name: argument.schema() for argument in table if argument.published},
        "required": [argument.name for argument in table if argument.required],
    }


@dataclass(frozen=True, slots=True)
class SearchCall:
    """A call of `search`, understood."""

    request: SearchRequest
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FetchCall:
    """A call of `fetch`, understood: one request for each address, in the order of the call."""

    requests: tuple[FetchRequest, ...]
    max_chars: int
    offset: int
    notes: tuple[str, ...]
    wish: ViewRequest = WHOLE


def read_search(
    raw: Mapping[str, Any], caller: Caller, table: Sequence[Argument] = SEARCH, lenses: Sequence[Lens] = ()
) -> SearchCall:
    """What a call of `search` means. Raises ArgumentError."""
    given, translations, unknown = translated(raw)
    values, notes, wrong = _read(table, given)
    wrong.extend(unknown)
    wrong.extend(_search_rules(values))
    notes[:0] = translations
    if name := values.pop("lens", None):
        if values.get("allowed_domains"):
            wrong.append("lens: cannot be combined with allowed_domains; give one of the two")
        lens = next(each for each in lenses if each.name == name)
        values |= {"lens": name, "allowed_domains": lens.domains, "goggle": lens.goggle}
    if wrong:
        raise ArgumentError("\n".join(wrong))
    return SearchCall(SearchRequest(caller=caller, **values), tuple(notes))


def read_fetch(raw: Mapping[str, Any], caller: Caller, table: Sequence[Argument] = FETCH) -> FetchCall:
    """What a call of `fetch` means. Raises ArgumentError."""
    values, notes, wrong = _read(table, raw)
    if values.get("screenshot") and values.get("render") == "never":
        wrong.append("screenshot: cannot be combined with render never; leave one of the two out")
    if wrong:
        raise ArgumentError("\n".join(wrong))
    urls: tuple[str, ...] = values.pop("urls")
    max_chars: int = values.pop("max_chars", DEFAULT_MAX_CHARS)
    offset: int = values.pop("offset", 0)
    wish = ViewRequest(values.pop("output", "markdown"), values.pop("section", ""), values.pop("find", ""))
    if offset and wish.form not in get_args(Form):
        notes.append(f"offset: counts in the page's Markdown, so output is markdown instead of {wish.form}")
        wish = wish._replace(form="markdown")
    if wish.form not in ("markdown", "text", "outline") and (wish.section or wish.find):
        notes.append(f"section and find are for pages that were read, so they were left out: output is {wish.form}")
    values |= {"raw": wish.form == "raw", "continued": offset > 0}
    made = {url: FetchRequest(url=url, caller=caller, **values) for url in dict.fromkeys(urls)}
    return FetchCall(tuple(made[url] for url in urls), max_chars, offset, tuple(notes), wish)


def _read(table: Sequence[Argument], raw: Mapping[str, Any]) -> tuple[dict[str, Any], list[str], list[str]]:
    """The values that were given, what was put right, and what is wrong: a line each."""
    values: dict[str, Any] = {}
    notes: list[str] = []
    wrong: list[str] = []
    empty: list[str] = []
    for argument in table:
        name = argument.name
        if name not in raw:
            if argument.required:
                wrong.append(explained(name, IS_REQUIRED, argument.example))
            continue
        value = raw[name]
        if not argument.required and is_nothing(value):
            empty.append(name)
            continue
        try:
            values[name] = argument.kind.read(value, lambda text, name=name: notes.append(f"{name}: {text}"))
        except RuleError as error:
            wrong.append(explained(name, str(error), argument.example))
    if empty:
        notes.append(left_out(empty))
    if len(raw) > len(values) + len(empty) + len(wrong):
        known = {argument.name for argument in table}
        if names := [name for name in raw if name not in known]:
            notes.append(ignored(names))
    return values, notes, wrong


def ignored(names: Sequence[str]) -> str:
    """The note that names the arguments nobody knows."""
    shown = [name if _PRINTABLE.fullmatch(name) else "(unprintable)" for name in names[:10]]
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    return f"unknown arguments were ignored: {', '.join(shown)}{more}"


def is_nothing(value: object) -> bool:
    """Whether an optional argument's value is a model's way of saying that there is none."""
    return value is None or (isinstance(value, str) and value.strip().lower() in ("", "null", "none"))


def left_out(names: Sequence[str]) -> str:
    """The note that names the arguments whose values say nothing."""
    return f"empty, so taken as not given: {', '.join(names)}"


def explained(name: str, rule: str, example: Any) -> str:
    """The line that says what is wrong with an argument; never its value."""
    return f"{name}: {rule}" if example is None else f"{name}: {rule}; for example {json.dumps(example)}"


def _search_rules(values: Mapping[str, Any]) -> list[str]:
    """The rules between arguments."""
    wrong: list[str] = []
    start, end = (cast("datetime | None", values.get(f"{side}_published_date")) for side in ("start", "end"))
    if start and end and start > end:
        wrong.append(
            'start_published_date: must not be after end_published_date; for example "2026-01-01" and "2026-01-31"'
        )
    category = values.get("category")
    if category in ("company", "people"):
        barred = ("start_published_date", "end_published_date", "time_range", "excluded_domains")
        wrong.extend(
            f"{name}: cannot be combined with category {category}; leave one of the two out"
            for name in barred
            if values.get(name)
        )
    return wrong
