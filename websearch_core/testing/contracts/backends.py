"""The contracts of search backends: local ones, and those that ask an engine over HTTP."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, ClassVar

import pytest

from websearch_core.contract.context import PluginContext
from websearch_core.contract.errors import (
    AuthFailed,
    BackendError,
    InvalidRequest,
    NotFound,
    PlanMismatch,
    QuotaExceeded,
    RateLimited,
    ServerFailed,
    UnexpectedResponse,
)
from websearch_core.contract.interfaces import SearchBackend
from websearch_core.contract.models import Hit, SearchRequest
from websearch_core.contract.results import Answer
from websearch_core.testing.site import Behaviour, RecordedRequest, Response, answer

from .contract import SLUG, Contract
from .fuzzed import Fuzzed
from .over_http import CANARY, WORD, Errors
from .probes import ODD_TEXTS, answer_is_sound, error_bodies, hits_of, longest_hold_ms

SAMPLES: Mapping[str, Any] = {
    "max_results": 3,
    "content_mode": "text",
    "max_content_chars": 1234,
    "user_location_country": "DE",
    "language": "de",
    "allowed_domains": ("example.com",),
    "excluded_domains": ("example.org",),
    "category": "news",
    "start_published_date": datetime(2026, 1, 2, tzinfo=UTC),
    "end_published_date": datetime(2026, 3, 4, 23, 59, 59, tzinfo=UTC),
    "time_range": "week",
    "safesearch": "strict",
    "max_age_hours": 0,
    "goggle": "https://example.com/my.goggle",
}
"""A value for each request field that a backend may push down."""

NOTEWORTHY: Sequence[Mapping[str, Any]] = (
    {},
    {"language": "qaa-Zxxx", "user_location_country": "ZZ"},
    {"user_location_country": "ZZ"},
    {"allowed_domains": (f"{WORD}.*", f"={WORD}.example"), "excluded_domains": (f"*.{WORD}.example", f"{WORD}.*")},
    {"goggle": f"https://{WORD}.example/my.goggle", "category": "people", "time_range": "year"},
    {"content_mode": "text", "safesearch": "moderate", "max_results": 50},
)
"""Fields that a backend may have something to say about."""

Proofs = Mapping[str, tuple[Any, Callable[[RecordedRequest], bool]]]


class _Backend(Contract[SearchBackend]):
    word: ClassVar[str] = WORD
    """A query that finds at least three hits."""

    @abstractmethod
    def backend(self, ctx: PluginContext) -> SearchBackend:
        """The backend, as the plugin's hook makes it."""

    def make(self, ctx: PluginContext) -> SearchBackend:
        """The backend."""
        return self.backend(ctx)

    async def asked(self, backend: SearchBackend, word: str | None = None, **fields: Any) -> Answer | Sequence[Hit]:
        """What one search comes to."""
        fields.setdefault("vertical", next(iter(backend.verticals)))
        return await backend.search(SearchRequest(query=word or self.word, **fields))

    async def found(self, backend: SearchBackend, word: str | None = None, **fields: Any) -> Sequence[Hit]:
        """Its hits."""
        return hits_of(await self.asked(backend, word, **fields))

    async def test_hits_have_web_addresses_and_something_to_read(self, made: SearchBackend) -> None:
        """In every vertical that the backend serves."""
        for vertical in made.verticals:
            said = await self.asked(made, vertical=vertical)
            found = len(hits_of(said))
            assert found >= 3, f"the contract needs a sample of at least 3 hits; {vertical} has {found}"
            answer_is_sound(said)

    @pytest.mark.parametrize("limit", [1, 2])
    async def test_no_more_hits_than_asked_for(self, made: SearchBackend, limit: int) -> None:
        """Even if the engine sends more."""
        for vertical in made.verticals:
            assert 1 <= len(await self.found(made, vertical=vertical, max_results=limit)) <= limit

    @pytest.mark.parametrize("name", ODD_TEXTS)
    async def test_odd_queries_are_answered_or_refused(self, made: SearchBackend, name: str) -> None:
        """Hits or a BackendError, never another exception."""
        with suppress(BackendError):
            answer_is_sound(await self.asked(made, ODD_TEXTS[name]))

    async def test_what_it_can_do_is_declared_in_known_words(self, made: SearchBackend) -> None:
        """Verticals, fields, limits, index owner."""
        assert made.verticals, "a backend serves at least one vertical"
        assert set(made.verticals) <= {"web", "news", "images"}
        for vertical, fields in made.verticals.items():
            unknown = set(fields) - set(SAMPLES)
            assert not unknown, f"verticals[{vertical!r}] names fields that no SearchRequest pushes down: {unknown}"
        assert made.max_results >= 1
        for most in (made.max_query_chars, made.max_query_words):
            assert most is None or most >= 1
        assert made.max_site_operators >= 0
        assert SLUG.fullmatch(made.unit), "unit is what the engine counts: request, credit"
        assert not made.index_owner or SLUG.fullmatch(made.index_owner)


class LocalBackendContract(_Backend):
    """For a backend that asks nobody: an index on this machine."""

    @abstractmethod
    async def fill(self, backend: SearchBackend, ctx: PluginContext) -> None:
        """Give the started backend at least three documents that hold `word`; called before each test."""

    @pytest.fixture(autouse=True)
    async def filled(self, made: SearchBackend, ctx: PluginContext) -> None:
        """Something to find."""
        await self.fill(made, ctx)

    async def test_nothing_found_is_an_empty_answer(self, made: SearchBackend) -> None:
        """Not an error."""
        assert list(await self.found(made, "xqzzyjwvkk")) == []

    async def test_nothing_is_printed(self, made: SearchBackend, capfd: pytest.CaptureFixture[str]) -> None:
        """One line on stdout breaks the stdio transport."""
        await self.found(made)
        assert capfd.readouterr().out == ""

    async def test_the_event_loop_is_not_held(self, made: SearchBackend, ctx: PluginContext) -> None:
        """Work of more than 50 ms belongs in `ctx.workers`."""
        await self.found(made)
        held = await longest_hold_ms(lambda: self.found(made), ctx.workers)
        assert held < 50, f"the event loop was held for {held:.0f} ms"


class SearchBackendContract(Fuzzed[SearchBackend], _Backend):
    """For a backend that asks an engine over HTTP: `self.site.url` is the engine, `good_answer` what it says.

    `good_answer` needs at least three hits for each vertical. `outgoing` proves each field of `verticals`::

        outgoing = {"language": ("de", lambda request: request.query["language"] == "de")}
    """

    usual: ClassVar[Mapping[int, Errors]] = {
        400: InvalidRequest,
        401: AuthFailed,
        402: (QuotaExceeded, PlanMismatch),
        403: (AuthFailed, PlanMismatch),
        404: (NotFound, InvalidRequest),
        422: InvalidRequest,
        429: RateLimited,
        500: ServerFailed,
        502: ServerFailed,
        503: (ServerFailed, RateLimited),
    }
    outgoing: ClassVar[Proofs] = {}
    """Per declared field, or `vertical.field`: a value, and whether it is in the request that then leaves."""

    async def call(self, component: SearchBackend, word: str | None = None, **fields: Any) -> object:
        """One search."""
        return await self.asked(component, word, **fields)

    def sound(self, result: object) -> None:
        """Hits that the core may use."""
        answer_is_sound(result)  # pyright: ignore[reportArgumentType]

    def ways(self, component: SearchBackend) -> Sequence[Mapping[str, Any]]:
        """Each vertical, with excerpts and, where the engine gives them, with whole texts."""
        excerpts = [{"vertical": vertical} for vertical in component.verticals]
        texts = [
            {"vertical": vertical, "content_mode": "text"}
            for vertical, declared in component.verticals.items()
            if "content_mode" in declared
        ]
        return (*excerpts, *texts)

    async def test_the_query_reaches_the_engine(self, made: SearchBackend) -> None:
        """Whole."""
        for vertical in made.verticals:
            await self.found(made, vertical=vertical)
            assert self.word in self.site.requests[-1].everything

    @pytest.mark.parametrize("name", ["[]", "null", "42", '"text"', "{}"])
    async def test_json_of_another_shape_is_drift(self, made: SearchBackend, name: str) -> None:
        """A changed API is never reported as `no results`."""
        self.site.route("/*", answer(200, name, content_type="application/json"))
        with pytest.raises(UnexpectedResponse):
            await self.call(made)

    async def test_each_declared_parameter_is_in_the_outgoing_request(self, made: SearchBackend) -> None:
        """What `verticals` promises leaves the machine, as `outgoing` says."""
        for vertical, declared in made.verticals.items():
            for field in sorted(declared):
                proof = self.outgoing.get(f"{vertical}.{field}") or self.outgoing.get(field)
                assert proof, f"{vertical}: {field} is declared; outgoing lacks a proof of it"
                value, is_sent = proof
                sent = await self._sent(made, vertical, **{field: value})
                assert is_sent(sent), f"{vertical}: {field}={value!r} is declared but not found in what was sent"
                plain = await self._sent(made, vertical)
                if value != SearchRequest.model_fields[field].get_default():
                    assert not _same(plain, sent), f"{vertical}: {field} is declared, but changes nothing"

    @pytest.mark.parametrize("field", sorted(set(SAMPLES) - {"max_results"}))
    async def test_a_parameter_that_changes_the_request_is_declared(self, made: SearchBackend, field: str) -> None:
        """What is not declared is noted as unsupported: then it must not be sent either."""
        for vertical, declared in made.verticals.items():
            if field not in declared:
                plain = await self._sent(made, vertical)
                sent = await self._sent(made, vertical, **{field: SAMPLES[field]})
                assert _same(plain, sent), f"{vertical}: {field} changes the request; declare it in verticals"

    async def test_a_paid_call_that_fails_is_made_once(self, made: SearchBackend) -> None:
        """Who answers 500 may have charged for it; a backend that costs nothing may be asked again."""
        if not made.paid:
            pytest.skip("unpaid: a failed call may be repeated")
        self.site.route("/*", answer(500, json={}))
        for vertical in made.verticals:
            before = len(self.site.requests)
            with pytest.raises(BackendError):
                await self.found(made, vertical=vertical)
            assert len(self.site.requests) - before == 1, (
                "a paid call was repeated: pass paid=True to ctx.api's methods"
            )

    async def test_a_paid_call_says_what_it_took(self, made: SearchBackend) -> None:
        """Or no cap on spending could be kept."""
        if not made.paid:
            pytest.skip("unpaid: there is nothing to be said")
        for vertical in made.verticals:
            said = await self.asked(made, vertical=vertical)
            assert isinstance(said, Answer), "a paid backend returns an Answer, with units"
            assert said.units is not None, (
                f"{vertical}: Answer.units is what the engine charges for this call, in `unit`"
            )

    async def test_notes_hold_neither_the_query_nor_foreign_text(self, made: SearchBackend) -> None:
        """Whoever reads them takes them for the author's own words."""
        query = f"!!{WORD} cache:{WORD} site:{WORD}.example :{WORD} \\{WORD} {WORD}"
        for vertical in made.verticals:
            for fields in NOTEWORTHY:
                with suppress(BackendError):
                    _no_word_of_others(await self.asked(made, query, vertical=vertical, **fields))
            for status in (429, 500):
                self.site.route("/*", self._only_the_first_is_good(status))
                with suppress(BackendError):
                    _no_word_of_others(await self.asked(made, query, vertical=vertical, max_results=50))
            self.site.route("/*", self.good_answer)

    def _only_the_first_is_good(self, status: int) -> Callable[[RecordedRequest], Response | Behaviour]:
        before = len(self.site.requests)

        def play(request: RecordedRequest) -> Response | Behaviour:
            bad = answer(status, json=next(error_bodies(CANARY)))
            return self.good_answer(request) if len(self.site.requests) == before + 1 else bad

        return play

    async def _sent(self, backend: SearchBackend, vertical: str, **fields: Any) -> RecordedRequest:
        before = len(self.site.requests)
        await self.found(backend, vertical=vertical, **fields)
        assert len(self.site.requests) > before, "nothing was sent: a backend has no cache of its own"
        return self.site.requests[before]


def _same(one: RecordedRequest, other: RecordedRequest) -> bool:
    return (one.method, one.target, one.body) == (other.method, other.target, other.body)


def _no_word_of_others(result: Answer | Sequence[Hit]) -> None:
    for note in result.notes if isinstance(result, Answer) else ():
        for leak in (WORD, CANARY):
            assert leak not in note, f"a note repeats what the caller or the engine said: {leak!r}"
