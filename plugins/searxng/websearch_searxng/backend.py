"""Asks SearXNG for web pages, news and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from websearch_core import Answer, BackendError, Drift, Hit, SearchBackend, SearchRequest, ServerFailed

from .failures import page_instead_of_json
from .query import plain
from .results import hits, silence, silent_engines

if TYPE_CHECKING:
    from websearch_core import Api, Clock

_PUSHED_DOWN = frozenset({"language", "time_range", "safesearch"})
_CATEGORIES = {"web": "general", "news": "news", "images": "images"}
_SAFESEARCH = {"off": "0", "moderate": "1", "strict": "2"}
_REGIONS_OF_SCRIPTS = {("zh", "hans"): "CN", ("zh", "hant"): "TW"}

# SearXNG's limiter turns away clients whose Accept lacks text/html or that send no Accept-Language
# (searx/botdetection). We do read its HTML, to tell a page for people from an answer; and a language named here would
# become the language of the search where the request says none.
_HEADERS = {"Accept": "application/json, text/html;q=0.5", "Accept-Language": "*"}


class Searxng(SearchBackend):
    """A SearXNG (or searx) of the operator's."""

    name = "searxng"
    verticals: Mapping[str, frozenset[str]] = dict.fromkeys(_CATEGORIES, _PUSHED_DOWN)

    def __init__(self, api: Api, clock: Clock, *, method: Literal["POST", "GET"] = "POST", max_pages: int = 5) -> None:
        """`api` is the door to SearXNG's start page."""
        self._api = api
        self._clock = clock
        self._method = method
        self._max_pages = max_pages

    async def aclose(self) -> None:
        """Close the connections."""
        await self._api.aclose()

    async def search(self, request: SearchRequest) -> Answer:
        """Page after page, until there are enough results or no more."""
        parameters, notes = _parameters(request)
        found: dict[tuple[str, str], Hit] = {}
        silent: list[str] = []
        for page in range(1, self._max_pages + 1):
            began, before = self._clock.monotonic(), len(found)
            try:
                answer = await self._page(request, {**parameters, "pageno": str(page)})
                for hit in hits(answer, images=request.vertical == "images"):
                    found.setdefault((hit.url, hit.image), hit)
            except BackendError as error:
                if not found:
                    raise
                notes.append(f"SearXNG: page {page} of the results failed ({error.code})")
                break
            silent += silent_engines(answer)
            enough = len(found) == before or len(found) >= request.max_results
            if enough or self._too_late(request, began):
                break
        if silent and not found:
            raise ServerFailed("some of SearXNG's engines did not answer, and the others found nothing")
        if silent:
            notes.append(silence(silent))
        return Answer(hits=tuple(found.values())[: request.max_results], notes=tuple(notes))

    async def _page(self, request: SearchRequest, parameters: Mapping[str, str]) -> Any:
        deadline = request.caller.deadline
        if self._method == "GET":
            response = await self._api.get("search", params=parameters, headers=_HEADERS, deadline=deadline)
        else:
            response = await self._api.post("search", data=parameters, headers=_HEADERS, deadline=deadline)
        try:
            return response.json()
        except Drift:
            if "html" in response.headers.get("content-type", ""):
                raise page_instead_of_json() from None
            raise

    def _too_late(self, request: SearchRequest, began: float) -> bool:
        """Whether another page like the last one would miss the deadline, and so lose what was found."""
        if request.caller.deadline is None:
            return False
        now = self._clock.monotonic()
        return now + (now - began) > request.caller.deadline


def _parameters(request: SearchRequest) -> tuple[dict[str, str], list[str]]:
    """What SearXNG is sent, and what the model should know about it."""
    query, had_commands = plain(request.query)
    parameters = {"q": query, "format": "json", "categories": _CATEGORIES[request.vertical]}
    notes: list[str] = []
    if had_commands:
        notes.append("SearXNG: bangs and prefixes (!, ?, :, <) in the query were taken as plain words")
    if request.language:
        parameters["language"] = _locale(request.language)
    if request.time_range:
        parameters["time_range"] = request.time_range
    if request.safesearch:
        parameters["safesearch"] = _SAFESEARCH[request.safesearch]
    return parameters, notes


def _locale(language: str) -> str:
    """SearXNG's form of a language: two or three letters, then perhaps a country (searx/webutils.py)."""
    primary, *subtags = language.split("-")
    regions = [tag.upper() for tag in subtags if len(tag) == 2 and tag.isalpha()]
    scripts = [region for tag in subtags if (region := _REGIONS_OF_SCRIPTS.get((primary, tag.lower())))]
    region = next(iter((*regions, *scripts)), "")
    return f"{primary}-{region}" if region else primary
