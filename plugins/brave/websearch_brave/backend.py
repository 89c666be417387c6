"""Asks Brave for web pages, their text, news and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from websearch_core import Answer, Hit, SearchBackend, SearchRequest
from websearch_core.kit import PlanMismatch, ResultPage, Row, read_pages

from . import request_params
from .error_mapping import lacking
from .results import image_hits, news_hits, remarks, text_hits, web_hits

if TYPE_CHECKING:
    from websearch_core import Clock, EngineClient

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
    max_results = 50
    max_query_chars = 400
    max_query_words = 50
    max_site_operators = 10
    """For pictures, which take no goggles, and for excluded domains."""
    verticals: Mapping[str, frozenset[str]] = {
        "web": _PAGES | {"content_mode"},
        "news": _PAGES,
        "images": _EVERYWHERE,
    }

    def __init__(
        self,
        api: EngineClient,
        clock: Clock,
        habits: request_params.Habits,
        *,
        llm_context: EngineClient | None,
        usd_per_unit: float,
    ) -> None:
        """`llm_context` asks for pages' texts, which may need another plan; None: no texts."""
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
                asked = request_params.news(request, self._habits, self._clock.now())
                answer = await _called(self._api, "news/search", asked, request)
                return self._answer(request, news_hits(answer), [*asked.notes, *remarks(answer)])
            case "images":
                asked = request_params.images(request)
                answer = await _called(self._api, "images/search", asked, request)
                return self._answer(request, image_hits(answer), [*asked.notes, *remarks(answer)])
            case _ if request.content_mode == "text" and self._llm_context is not None:
                return await self._texts(request, self._llm_context)
            case _:
                return await self._pages(request)

    async def _texts(self, request: SearchRequest, llm_context: EngineClient) -> Answer:
        """The pages' text; excerpts, where the plan has none: what one endpoint lacks is no failure of the engine."""
        if self._clock.monotonic() >= self._no_text_until:
            asked = request_params.text(request, self._habits, self._clock.now())
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
        asked = request_params.web(request, self._habits, self._clock.now())
        notes = asked.notes

        async def read(number: int) -> ResultPage:
            answer = await _called(self._api, "web/search", asked.page(number), request)
            hits = web_hits(answer)
            notes.extend(remarks(answer))
            return ResultPage(hits, more=_more(answer, full=len(hits) >= request_params.PAGE))

        return await read_pages(
            read,
            request,
            self._clock,
            engine="Brave",
            most=_pages(request),
            notes=notes,
            usd_per_page=self._usd_per_unit,
        )

    def _answer(self, request: SearchRequest, hits: Iterable[Hit], notes: Iterable[str]) -> Answer:
        return Answer(
            hits=tuple(hits)[: request.max_results],
            notes=tuple(dict.fromkeys(notes)),
            cost=self._usd_per_unit,
            units=1,
        )


def _pages(request: SearchRequest) -> int:
    """How many pages of results a request may take. Pages have results in common, so of several one more."""
    if request.vertical != "web" or request.max_results <= request_params.PAGE:
        return 1
    return min(-(-request.max_results // request_params.PAGE) + 1, request_params.PAGES)


async def _called(api: EngineClient, endpoint: str, asked: request_params.Asked, request: SearchRequest) -> Row:
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
