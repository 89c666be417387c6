"""Asks Brave for web pages, their text, news and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from websearch_core import Answer, BackendError, Code, Hit, PlanMismatch, Row, SearchBackend, SearchRequest

from . import asking
from .failures import lacking
from .results import image_hits, news_hits, remarks, text_hits, web_hits

if TYPE_CHECKING:
    from websearch_core import Api, Clock

_EVERYWHERE = frozenset({"language", "max_results", "safesearch", "user_location_country"})
_PAGES = _EVERYWHERE | {"allowed_domains", "end_published_date", "goggle", "start_published_date", "time_range"}
_PLAN_REST_S = 3600.0
"""How long LLM context is left alone when the plan lacks it: plans change, but not with every search."""

NO_TEXT = "Brave: the plan has no LLM context; these are excerpts of the pages, not their text"


class Brave(SearchBackend):
    """Brave's index of the web. Each page of results is a request that is paid for."""

    name = "brave"
    paid = True
    unit = "request"
    ceiling = 50
    max_query_chars = 400
    max_query_words = 50
    sites = 10
    """For pictures, which take no goggles, and for excluded domains."""
    verticals: Mapping[str, frozenset[str]] = {
        "web": _PAGES | {"content_mode"},
        "news": _PAGES,
        "images": _EVERYWHERE,
    }

    def __init__(
        self,
        api: Api,
        clock: Clock,
        habits: asking.Habits,
        *,
        llm_context: Api | None,
        usd_per_unit: float,
    ) -> None:
        """`llm_context` is the door to the pages' text, where another plan may be needed; None: there is no text."""
        self._api = api
        self._clock = clock
        self._habits = habits
        self._usd_per_unit = usd_per_unit
        self._llm_context = llm_context
        self._no_text_until = clock.monotonic()
        if llm_context is None:
            self.verticals = {**self.verticals, "web": _PAGES}

    async def aclose(self) -> None:
        """Close the connections."""
        await self._api.aclose()
        if self._llm_context is not None:
            await self._llm_context.aclose()

    def units_for(self, request: SearchRequest) -> float:
        """A request for each page of web pages; news and pictures have one."""
        return _pages(request)

    async def search(self, request: SearchRequest) -> Answer:
        """One call, or for many web pages several, one page of results after the other."""
        match request.vertical:
            case "news":
                asked = asking.news(request, self._habits, self._clock.now())
                answer = await _called(self._api, "news/search", asked, request)
                return self._answer(request, news_hits(answer), [*asked.notes, *remarks(answer)])
            case "images":
                asked = asking.images(request)
                answer = await _called(self._api, "images/search", asked, request)
                return self._answer(request, image_hits(answer), [*asked.notes, *remarks(answer)])
            case _ if request.content_mode == "text" and self._llm_context is not None:
                return await self._texts(request, self._llm_context)
            case _:
                return await self._pages(request)

    async def _texts(self, request: SearchRequest, llm_context: Api) -> Answer:
        """The pages' text; excerpts, where the plan has none: what one endpoint lacks is no failure of the engine."""
        if self._clock.monotonic() >= self._no_text_until:
            asked = asking.text(request, self._habits, self._clock.now())
            try:
                answer = await _called(llm_context, "llm/context", asked, request)
            except PlanMismatch:
                self._no_text_until = self._clock.monotonic() + _PLAN_REST_S
            else:
                return self._answer(request, text_hits(answer), asked.notes)
        excerpts = await self._pages(request)
        return excerpts.model_copy(update={"notes": (*excerpts.notes, NO_TEXT)})

    async def _pages(self, request: SearchRequest) -> Answer:
        """Page after page, until there are enough results or no more."""
        asked = asking.web(request, self._habits, self._clock.now())
        found: dict[str, Hit] = {}
        notes = asked.notes
        paid = 0
        trouble: Code | None = None
        for page in range(_pages(request)):
            began, before = self._clock.monotonic(), len(found)
            try:
                answer = await _called(self._api, "web/search", asked.page(page), request)
                paid += 1
                hits = web_hits(answer)
            except BackendError as error:
                if not page:
                    raise
                notes.append(f"Brave: page {page + 1} of the results failed ({error.code})")
                trouble = None if error.unsent else error.code
                break
            notes += remarks(answer)
            for hit in hits:
                found.setdefault(hit.url, hit)
            enough = len(found) == before or len(found) >= request.max_results
            now = self._clock.monotonic()
            if (
                enough
                or not _more(answer, full=len(hits) >= asking.PAGE)
                or not request.caller.has_time(now, now - began)
            ):
                break
        return self._answer(request, found.values(), notes, paid).model_copy(update={"trouble": trouble})

    def _answer(self, request: SearchRequest, hits: Iterable[Hit], notes: Iterable[str], paid: int = 1) -> Answer:
        return Answer(
            hits=tuple(hits)[: request.max_results],
            notes=tuple(dict.fromkeys(notes)),
            cost=paid * self._usd_per_unit,
            units=paid,
        )


def _pages(request: SearchRequest) -> int:
    """How many pages of results a request may take. Pages have results in common, so of several one more."""
    if request.vertical != "web" or request.max_results <= asking.PAGE:
        return 1
    return min(-(-request.max_results // asking.PAGE) + 1, asking.PAGES)


async def _called(api: Api, endpoint: str, asked: asking.Asked, request: SearchRequest) -> Row:
    deadline = request.caller.deadline
    try:
        if asked.is_long:
            response = await api.post(endpoint, json=asked.body, deadline=deadline, paid=True)
        else:
            response = await api.get(endpoint, params=asked.params, deadline=deadline, paid=True)
    except PlanMismatch:
        raise lacking(endpoint, extra_snippets=asked.params.get("extra_snippets") is True) from None
    return Row.of(response)


def _more(answer: Row, *, full: bool) -> bool:
    """Whether there is another page. Where Brave does not say, a page that is not full was the last."""
    said = answer.value("query", "more_results_available")
    return said if isinstance(said, bool) else full
