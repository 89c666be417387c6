"""Backends and fetchers that are wrong in one way each. `fails` says which tests must catch it, and with what words."""

# ruff: noqa: T201 - wrong on purpose, and written as a hurried author would
from __future__ import annotations

import asyncio
import logging
import time
from datetime import UTC, datetime

import httpx2
from pydantic import SecretStr

from websearch_core import Answer, Download, Fetcher, Hit, SearchBackend, Settings
from websearch_core.kit import InvalidRequest, UnexpectedResponse, hit_of, web_address
from websearch_core.testing import FetcherContract, SearchBackendContract, answer
from websearch_core.testing.contracts.probes import HELD_MS
from websearch_core.testing.cpu_time import slowness


class Keys(Settings):
    base_url: str
    api_key: SecretStr


class Good(SearchBackend):
    """A good one; the bad ones change one thing."""

    name = "good"
    verticals = {"web": frozenset({"language"})}

    def __init__(self, ctx):
        settings = ctx.settings(Keys)
        self.url = settings.base_url
        self.key = settings.api_key
        self.api = ctx.api(settings.base_url, headers={"authorization": settings.api_key})

    async def search(self, request):
        return Answer(hits=self.hits(await self.ask(request))[: request.max_results])

    async def ask(self, request):
        params = {"q": request.query, "lang": request.language or None}
        return (await self.api.get("search", params=params, deadline=request.caller.deadline)).json()

    def hits(self, data):
        if not isinstance(data, dict) or not isinstance(data.get("results"), list):
            raise UnexpectedResponse("results")
        hits = []
        for row in data["results"]:
            if not isinstance(row, dict) or not isinstance(row.get("url"), str):
                raise UnexpectedResponse("url")
            if hit := hit_of(url=web_address(row["url"]), title=str(row.get("title") or "")):
                hits.append(hit)
        return hits


class BackendContract(SearchBackendContract):
    component = Good
    outgoing = {"language": ("de", lambda request: request.query.get("lang") == "de")}

    def settings(self):
        return {"base_url": self.site.url, "api_key": self.secret}

    def backend(self, ctx):
        return self.component(ctx)

    def good_answer(self, request):
        rows = [{"url": f"https://example.com/{n}", "title": f"Title {n}"} for n in range(4)]
        return answer(200, json={"results": rows})


class TestGood(BackendContract):
    fails = {}


class OwnClient(Good):
    """The key is in the address, errors are the client's own, redirects are followed."""

    async def ask(self, request):
        async with httpx2.AsyncClient(verify=False, trust_env=False, follow_redirects=True) as client:
            params = {"q": request.query, "key": self.key.get_secret_value(), "lang": request.language}
            got = await client.get(f"{self.url}/search", params=params)
            got.raise_for_status()
            return got.json()


class TestOwnClient(BackendContract):
    component = OwnClient
    patience_s = 0.5
    fails = {
        "test_an_error_status_becomes_the_right_error[401]": "HTTPStatusError",
        "test_an_error_status_becomes_the_right_error[500]": "HTTPStatusError",
        "test_an_error_status_becomes_the_right_error": "HTTPStatusError",
        "test_retry_after_is_passed_on": "HTTPStatusError",
        "test_garbage_is_no_answer": "JSONDecodeError",
        "test_an_answer_cut_short_is_an_error": "RemoteProtocolError",
        "test_a_server_that_hangs_up_is_a_network_failure": "RemoteProtocolError",
        "test_no_secret_query_or_foreign_text_is_in_errors_and_logs": "HTTPStatusError",
        "test_nothing_is_printed": "HTTPStatusError",
        "test_the_callers_deadline_is_kept": "Timeout",
        "test_redirects_to_other_servers_are_not_followed": "DID NOT RAISE",
    }


class IgnoresTheLimit(Good):
    async def search(self, request):
        return self.hits(await self.ask(request))


class TestIgnoresTheLimit(BackendContract):
    component = IgnoresTheLimit
    fails = {"test_no_more_hits_than_asked_for": "assert 4 <= 2"}


class FindsNothing(Good):
    """What it does not understand is `no results`."""

    def hits(self, data):
        rows = data.get("results", []) if isinstance(data, dict) else []
        return super().hits({"results": rows if isinstance(rows, list) else []})


class TestFindsNothing(BackendContract):
    component = FindsNothing
    fails = {"test_json_of_another_shape_is_drift": "DID NOT RAISE"}


class Trusting(Good):
    """Takes the documented form for granted."""

    def hits(self, data):
        return [Hit(url=row["url"], title=row["title"]) for row in data["results"]]


class TestTrusting(BackendContract):
    component = Trusting
    fails = {
        "test_json_of_another_shape_is_drift": "Error",
        "test_an_answer_with_one_thing_changed_is_understood_or_refused": "with results",
        "test_no_secret_query_or_foreign_text_is_in_errors_and_logs": "KeyError",
        "test_no_mutated_answer_breaks_it": "Error",
    }


class BelievesText(Good):
    """Right about every field and its type; wrong about what texts may hold."""

    def hits(self, data):
        hits = super().hits(data)
        assert all(hit.title.encode().split() for hit in hits)
        return hits


class TestBelievesText(BackendContract):
    component = BelievesText
    fails = {"test_no_mutated_answer_breaks_it": "the answers began"}


class TrustsErrors(Good):
    def __init__(self, ctx):
        super().__init__(ctx)
        settings = ctx.settings(Keys)
        self.api = ctx.api(settings.base_url, headers={"authorization": settings.api_key}, explain=self.explain)

    def explain(self, response):
        if response.status != 400:
            return None
        error = response.json()["error"]
        return InvalidRequest("bad") if error["code"] else None


class TestTrustsErrors(BackendContract):
    component = TrustsErrors
    fails = {"test_no_error_body_breaks_it": "Error"}


class TrustsHeaders(Good):
    async def ask(self, request):
        got = await self.api.get(
            "search", params={"q": request.query, "lang": request.language or None}, deadline=request.caller.deadline
        )
        int(got.headers.get("x-ratelimit-remaining", 0))
        return got.json()


class TestTrustsHeaders(BackendContract):
    component = TrustsHeaders
    fails = {
        "test_odd_rate_limits_beside_a_good_answer_do_no_harm[words]": "ValueError",
        "test_odd_rate_limits_beside_a_good_answer_do_no_harm": "ValueError",
    }


class QuotesTheQuery(Good):
    async def search(self, request):
        answer = await super().search(request)
        return answer.model_copy(update={"notes": (f"searched for {request.query}",)})


class TestQuotesTheQuery(BackendContract):
    component = QuotesTheQuery
    fails = {"test_notes_hold_neither_the_query_nor_foreign_text": "a note repeats"}


class Logs(Good):
    async def ask(self, request):
        logging.getLogger("bad").info("asking", extra={"about": request.query})
        return await super().ask(request)


class TestLogs(BackendContract):
    component = Logs
    fails = {"test_no_secret_query_or_foreign_text_is_in_errors_and_logs": "'querycanary' was told"}


class QuotesTheEngine(Good):
    async def ask(self, request):
        got = await self.api.get(
            "search", params={"q": request.query, "lang": request.language or None}, deadline=request.caller.deadline
        )
        try:
            return got.json()
        except UnexpectedResponse:
            raise UnexpectedResponse("body", f"not JSON: {got.text}") from None


class TestQuotesTheEngine(BackendContract):
    component = QuotesTheEngine
    fails = {"test_no_secret_query_or_foreign_text_is_in_errors_and_logs": "was told"}


class Prints(Good):
    async def ask(self, request):
        print("asking")
        return await super().ask(request)


class TestPrints(BackendContract):
    component = Prints
    fails = {"test_nothing_is_printed": "asking"}


class SwallowsCancellation(Good):
    """Goes on in the background when nobody waits any longer."""

    async def ask(self, request):
        return await asyncio.shield(asyncio.ensure_future(super().ask(request)))


class TestSwallowsCancellation(BackendContract):
    component = SwallowsCancellation
    patience_s = 0.5
    fails = {"test_cancellation_closes_the_connection": "Timeout"}


class OneAtATime(Good):
    def __init__(self, ctx):
        super().__init__(ctx)
        self.lock = asyncio.Lock()

    async def ask(self, request):
        async with self.lock:
            return await super().ask(request)


class TestOneAtATime(BackendContract):
    component = OneAtATime
    patience_s = 0.5
    fails = {"test_two_calls_at_once_do_not_wait_for_each_other": "Timeout"}


class PromisesTooMuch(Good):
    verticals = {"web": frozenset({"language", "safesearch", "time_range"})}


class TestPromisesTooMuch(BackendContract):
    component = PromisesTooMuch
    outgoing = {**BackendContract.outgoing, "safesearch": ("strict", lambda request: "safe" in request.query)}
    fails = {"test_each_declared_parameter_is_in_the_outgoing_request": "safesearch='strict' is declared but not found"}


class TestProvesTooLittle(BackendContract):
    component = PromisesTooMuch
    fails = {"test_each_declared_parameter_is_in_the_outgoing_request": "outgoing lacks a proof"}


class PromisesTooLittle(Good):
    verticals = {"web": frozenset()}


class TestPromisesTooLittle(BackendContract):
    component = PromisesTooLittle
    fails = {"test_a_parameter_that_changes_the_request_is_declared[language]": "language changes the request"}


class Misspells(Good):
    verticals = {"web": frozenset({"language", "safe_search"})}


class TestMisspells(BackendContract):
    component = Misspells
    fails = {
        "test_what_it_can_do_is_declared_in_known_words": "safe_search",
        "test_each_declared_parameter_is_in_the_outgoing_request": "outgoing lacks a proof",
    }


class AnyAddress(Good):
    def hits(self, data):
        if not isinstance(data, dict) or not isinstance(data.get("results"), list):
            raise UnexpectedResponse("results")
        return [Hit(url=str(row.get("url")), title="T") for row in data["results"] if isinstance(row, dict)]


class TestAnyAddress(BackendContract):
    component = AnyAddress
    fails = {"test_an_answer_with_one_thing_changed_is_understood_or_refused": "absolute http or https address"}


class LeavesOpen(Good):
    """Has a client of its own, and forgets it."""

    forgotten = []  # lest the collector warns in the middle of another's test

    async def start(self):
        self.client = httpx2.AsyncClient(verify=False, trust_env=False)
        self.forgotten.append(self.client)

    async def ask(self, request):
        return (await self.client.get(f"{self.url}/search", params={"q": request.query})).json()


class TestLeavesOpen(BackendContract):
    component = LeavesOpen
    patience_s = 0.5
    fails = {"test_closing_lets_the_connections_go": "Timeout"}


class PaysTwice(Good):
    paid = True


class TestPaysTwice(BackendContract):
    component = PaysTwice
    fails = {"test_a_paid_call_that_fails_is_made_once": "a paid call was repeated"}


class PaysOnce(Good):
    paid = True

    async def ask(self, request):
        params = {"q": request.query, "lang": request.language or None}
        return (await self.api.get("search", params=params, deadline=request.caller.deadline, paid=True)).json()

    async def search(self, request):
        return (await super().search(request)).model_copy(update={"cost": 0.005, "units": 1})


class TestPaysOnce(BackendContract):
    component = PaysOnce
    fails = {}


class PaysSilently(PaysOnce):
    async def search(self, request):
        return (await super().search(request)).model_copy(update={"units": None})


class TestPaysSilently(BackendContract):
    component = PaysSilently
    fails = {"test_a_paid_call_says_what_it_took": "Answer.units is what the engine charges"}


class EarnsMoney(PaysOnce):
    async def search(self, request):
        return (await super().search(request)).model_copy(update={"cost": -1.0})


class TestEarnsMoney(BackendContract):
    component = EarnsMoney
    fails = {"test_a_good_answer_is_understood": "never below zero"}


class PaysEndlessly(PaysOnce):
    async def search(self, request):
        return (await super().search(request)).model_copy(update={"units": float("inf")})


class TestPaysEndlessly(BackendContract):
    component = PaysEndlessly
    fails = {"test_a_good_answer_is_understood": "are finite"}


class HoldsTheLoop(Good):
    def hits(self, data):
        time.sleep(8 * HELD_MS / 1000 * slowness())
        return super().hits(data)


class TestHoldsTheLoop(BackendContract):
    component = HoldsTheLoop
    fails = {"test_the_event_loop_is_not_held": "the event loop was held"}


class WebFetcher(Fetcher):
    """A good one."""

    name = "web-fetcher"

    def __init__(self, ctx):
        self.web = ctx.web

    async def fetch(self, request):
        return await self.web.download(request)


class PageContract(FetcherContract):
    component = WebFetcher
    raw = True

    def fetcher(self, ctx):
        return self.component(ctx)

    def good_answer(self, request):
        return answer(200, "A page with more than ten bytes.")


class TestGoodFetcher(PageContract):
    fails = {}


class Unguarded(WebFetcher):
    async def fetch(self, request):
        async with httpx2.AsyncClient(verify=False, trust_env=False, follow_redirects=True) as client:
            got = await client.get(request.url)
        return Download(url=str(got.url), final_url=str(got.url), body=got.content, fetched_at=datetime.now(UTC))


class TestUnguarded(PageContract):
    component = Unguarded
    patience_s = 0.5
    fails = {
        "test_an_error_status_becomes_the_right_error": "DID NOT RAISE",
        "test_retry_after_is_passed_on": "DID NOT RAISE",
        "test_an_answer_cut_short_is_an_error": "RemoteProtocolError",
        "test_a_server_that_hangs_up_is_a_network_failure": "RemoteProtocolError",
        "test_nothing_is_printed": "DID NOT RAISE",
        "test_no_secret_query_or_foreign_text_is_in_errors_and_logs": "Error",
        "test_the_callers_deadline_is_kept": "Timeout",
        "test_redirects_to_other_servers_are_not_followed": "DID NOT RAISE",
        "test_a_redirect_to_a_forbidden_address_is_refused": "DID NOT RAISE",
        "test_a_forbidden_address_is_refused": "DID NOT RAISE",
        "test_the_callers_byte_cap_is_kept": "",
    }
