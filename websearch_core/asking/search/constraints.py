"""What a backend did not do for a request: done here where that is possible, said in a note where it is not.

Every backend's answer is checked, also for what it claims to have pushed down.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from math import isfinite
from typing import Any

from ...contract.errors import BackendError
from ...contract.interfaces import SearchBackend
from ...contract.models import Hit, SearchRequest, utc
from ...contract.outline import content_hash, outline_of
from ...contract.results import Answer
from ...kit.dates import moment
from ...kit.plain_text import excerpt
from ...net.domains import compiled
from ...net.urls import Target, parse
from ..source.guarded_source import CallReport
from .canonical_url import canonical
from .fusion import identity

_DOMAINS = ("allowed_domains", "excluded_domains")
_DATES = ("start_published_date", "end_published_date", "time_range")
_NOT_EMULATED = ("content_mode", "user_location_country", "language", "category", "safesearch", "goggle")
_DEFAULTS = {name: SearchRequest.model_fields[name].default for name in (*_DOMAINS, *_DATES, *_NOT_EMULATED)}
_TEXTS = tuple(name for name, field in Hit.model_fields.items() if field.annotation is str)
_ODD = re.compile(r"[\s\\]")
_MOST = 50
_MOST_CHECKED = 200
"""At most this many hits of an answer are looked at: more than any backend is asked for."""
_LENGTHS = {"title": 500, "author": 300, "site": 300, "alt": 300, "age_text": 200}
"""The most characters of what goes with a hit: an engine passes on what pages say of themselves."""
_LONGEST_ADDRESS = 2048
"""Of a picture: a longer one is left out, for half an address leads nowhere."""
_OLDEST_YEAR = 1990
"""The web is younger: an older date says what a page is about."""
_EXTRA = 3
"""Times as many results are asked for when domains or dates are checked here: most of them will go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedHits(CallReport):
    """A backend's answer after the checks."""

    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()


class RequestLimits:
    """What a request allows, ready to be compared with hits."""

    def __init__(self, request: SearchRequest, now: float) -> None:
        """`now` in seconds since the epoch."""
        self._allowed = compiled(request.allowed_domains)
        self._excluded = compiled(request.excluded_domains)
        self.now = now
        self.since = request.since(now)
        self.until = utc(request.end_published_date) if request.end_published_date else None

    def admit(self, host: str, published: datetime | None) -> bool:
        """Whether a hit of this host and date is within; a hit without a date is."""
        if self._allowed and not self._allowed.names(host):
            return False
        if self._excluded and self._excluded.names(host):
            return False
        if published is None:
            return True
        return (self.since is None or published >= self.since) and (self.until is None or published <= self.until)


def pushed_down(request: SearchRequest, backend: SearchBackend, said: Collection[str] = frozenset()) -> SearchRequest:
    """The request as this backend gets it: within its limit, and with more results where many will be dropped here.

    `said` are fields that the query itself says (`site:`). A backend that costs money is never asked for more than
    was wanted.
    """
    wanted = request.max_results
    does = backend.verticals.get(request.vertical, frozenset()) | set(said)
    if not backend.paid and any(name not in does for name in _asked(request, (*_DOMAINS, *_DATES))):
        wanted = min(wanted * _EXTRA, _MOST)
    wanted = max(1, min(wanted, backend.max_results))
    return request if wanted == request.max_results else request.model_copy(update={"max_results": wanted})


def checked(answer: Answer, request: SearchRequest, backend: SearchBackend, limits: RequestLimits) -> CheckedHits:
    """The answer's hits that the request allows, in their order, with their source, cut to length; and the notes."""
    hits: list[Hit] = []
    seen: set[str] = set()
    outside = undated = 0
    for hit in answer.hits[:_MOST_CHECKED]:
        try:
            target = parse(hit.url)
            key = identity(hit, canonical(target))
        except BackendError:
            continue
        if key in seen:
            continue
        seen.add(key)
        published = hit.published or _dated(hit.age_text, limits.now)
        if not limits.admit(target.host, published):
            outside += 1
        elif len(hits) < request.max_results:
            undated += published is None
            hits.append(
                hit.model_copy(update=_changes(hit, target, request) | {"published": published, "source": backend.name})
            )
    notes = [*answer.notes, *_notes(request, backend)]
    if outside:
        notes.append(f"{backend.name}: {outside} of its results lay outside the domains or dates and were left out")
    does = backend.verticals.get(request.vertical, frozenset())
    if undated and any(name not in does for name in _asked(request, _DATES)):
        notes.append(f"{backend.name}: {undated} of its results carry no date, so the dates could not be checked")
    return CheckedHits(
        hits=tuple(hits),
        notes=tuple(notes),
        empty=not hits,
        cost=_amount(answer.cost),
        units=_amount(answer.units),
        trouble=answer.trouble,
        retry_after=answer.retry_after,
    )


def cut(text: str, limit: int) -> str:
    """At most `limit` characters, ending at a word's end and in an ellipsis where something was left out."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    if not text[limit - 1].isspace() and len(words := head.rsplit(None, 1)) == 2 and not head[-1].isspace():
        head = words[0]
    return f"{head.rstrip()}…"


def _notes(request: SearchRequest, backend: SearchBackend) -> list[str]:
    does = backend.verticals.get(request.vertical, frozenset())
    notes: list[str] = []
    if ignored := [name for name in _asked(request, _NOT_EMULATED) if name not in does]:
        notes.append(f"{backend.name} ignores: {', '.join(ignored)}")
        if "goggle" in ignored and not request.allowed_domains:
            notes.append(f"{backend.name} cannot apply this lens: it searched the whole web")
    if request.max_results > backend.max_results:
        notes.append(f"{backend.name} gives at most {backend.max_results} results")
    return notes


def _asked(request: SearchRequest, names: Collection[str]) -> list[str]:
    """Those of the fields that the caller set."""
    return [name for name in names if getattr(request, name) != _DEFAULTS[name]]


def _dated(age_text: str, now: float) -> datetime | None:
    """The moment of publication, where the engine tells only its age."""
    published = moment(age_text, now) if age_text else None
    return published if published and published.year >= _OLDEST_YEAR else None


def _changes(hit: Hit, target: Target, request: SearchRequest) -> dict[str, Any]:
    """What of the hit is put right: broken characters, an odd address, what is too long."""
    values = vars(hit)
    changes = _whole_characters(values)
    if _ODD.search(hit.url):
        # Readers disagree on the host of such an address: it is shown as it was judged.
        changes["url"] = target.url
    for name, most in _LENGTHS.items():
        if len(text := values[name]) > most:
            changes[name] = cut(changes.get(name, text), most)
    changes |= {name: "" for name in ("favicon", "image") if len(values[name]) > _LONGEST_ADDRESS}
    limit, snippet = request.max_content_chars, changes.get("snippet", hit.snippet)
    changes["snippet"] = cut(excerpt(snippet) if request.content_mode == "highlights" else snippet, limit)
    if len(hit.body) > limit or "body" in changes:
        body = cut(changes.get("body", hit.body), limit)
        changes |= {"body": body, "outline": outline_of(body), "content_hash": content_hash(body)}
    return changes


def _whole_characters(values: Mapping[str, Any]) -> dict[str, Any]:
    """The texts that hold half of a surrogate pair, without it: engines cut emoji in two, and UTF-8 has no halves."""
    texts = {name: text for name in _TEXTS if not (text := values[name]).isascii()}
    whole = {name: text.encode("utf-8", "replace").decode() for name, text in texts.items()}
    return {name: text for name, text in whole.items() if text != texts[name]}


def _amount(value: float | None) -> float | None:
    """What a backend says that it took, if that can be added up."""
    return value if value is not None and isfinite(value) and value >= 0 else None
