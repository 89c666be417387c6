"""What may come in: methods, hosts, origins, tokens, sizes, numbers; and health."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import anyio
import pytest
from mcp.server.transport_security import TransportSecuritySettings

from websearch_core.contract.models import SearchRequest
from websearch_core.contract.results import SearchAnswer
from websearch_core.server.asgi_guard import AsgiGuard
from websearch_core.server.callers import Callers
from websearch_core.server.limits import Limits
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing.fakes import FakeClock

from .conftest import ERAS, Remembers, StandIn, digest, messages, rpc, serving

SEARCH = rpc("tools/call", {"name": "search", "arguments": {"query": "owls"}})
LIST = rpc("tools/list")


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD", "OPTIONS"])
async def test_only_post_is_served(method: str) -> None:
    async with serving(StandIn()) as client:
        answer = await client.http.request(method, "/mcp")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"


async def test_other_paths_are_not_found() -> None:
    async with serving(StandIn()) as client:
        assert (await client.http.get("/")).status_code == 404
        assert (await client.http.get("/debug/last-call")).status_code == 404


async def test_white_space_around_header_values_is_taken_off() -> None:
    async with serving(StandIn()) as client:
        answer = await client.post(LIST, mcp_method="  tools/list\t")
    assert answer.status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8089"])
@pytest.mark.parametrize("era", ERAS)
async def test_a_foreign_host_is_misdirected(host: str, era: str) -> None:
    async with serving(StandIn()) as client:
        answer = await client.post(rpc("tools/list", era=era), era, host=host)
    assert answer.status_code == 421
    assert "allowed_hosts" in answer.json()["error"]["message"]


async def test_a_foreign_origin_is_told_what_the_operator_can_do() -> None:
    async with serving(StandIn()) as client:
        answer = await client.post(LIST, origin="https://evil.example")
    assert answer.status_code == 403
    assert "allowed_origins" in answer.json()["error"]["message"]


@pytest.mark.parametrize("hosts", [("localhost", "evil.example"), ("evil.example", "localhost"), ("localhost",) * 2])
@pytest.mark.parametrize("path", ["/mcp", "/health", "/health/ready"])
async def test_two_host_headers_are_no_request(hosts: tuple[str, str], path: str) -> None:
    headers = [("host", host) for host in hosts]
    async with serving(StandIn()) as client:
        answer = await client.http.request("POST" if path == "/mcp" else "GET", path, headers=headers)
    assert answer.status_code == 400
    assert "Host" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:1", "127.0.0.1:8089", "[::1]:8089", "search.example:443", "SEARCH.example"]
)
async def test_loopback_and_the_operators_hosts_are_served(host: str) -> None:
    async with serving(StandIn(server={"allowed_hosts": ["Search.example"]})) as client:
        assert (await client.post(LIST, host=host)).status_code == 200


@pytest.mark.parametrize("era", ERAS)
async def test_a_foreign_origin_is_forbidden(era: str) -> None:
    async with serving(StandIn()) as client:
        answer = await client.post(rpc("tools/list", era=era), era, origin="https://evil.example")
    assert answer.status_code == 403


async def test_an_allowed_origin_is_served_and_its_preflight_answered() -> None:
    async with serving(StandIn(server={"allowed_origins": ["https://app.example"]})) as client:
        asked = {"origin": "https://app.example", "access-control-request-method": "POST"}
        preflight = await client.http.options("/mcp", headers=asked)
        answer = await client.post(LIST, origin="https://app.example")
    assert preflight.headers["access-control-allow-origin"] == "https://app.example"
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "https://app.example"


async def test_a_body_over_one_mebibyte_is_refused() -> None:
    body = rpc("tools/call", {"name": "search", "arguments": {"query": "x" * (1 << 20)}})
    async with serving(StandIn()) as client:
        assert (await client.post(body)).status_code == 413


async def test_a_body_that_says_it_is_too_large_is_refused_before_it_is_sent() -> None:
    answered: list[Any] = []

    async def send(message: Any) -> None:
        answered.append(message)

    length = str((1 << 20) + 1).encode()
    headers = [(b"host", b"127.0.0.1:8089"), (b"content-type", b"application/json"), (b"content-length", length)]
    scope = {"type": "http", "method": "POST", "path": "/mcp", "client": ("127.0.0.1", 1), "headers": headers}
    async with serving(StandIn()) as client:
        with anyio.fail_after(60):
            await client.app.serve(scope, anyio.sleep_forever, send)
    assert answered[0]["status"] == 413


async def test_a_body_that_hides_its_length_is_refused_too() -> None:
    async def chunks() -> Any:
        for _ in range(40):
            yield b"x" * 32_768

    async with serving(StandIn()) as client:
        answer = await client.http.post("/mcp", content=chunks(), headers={"content-type": "application/json"})
    assert answer.status_code == 413


async def test_too_many_at_once_are_asked_to_come_back() -> None:
    chain = Remembers()
    chain.go = anyio.Event()
    async with serving(StandIn(chain=chain, server={"max_in_flight": 1})) as client:
        async with anyio.create_task_group() as group:
            group.start_soon(client.post, SEARCH)
            await chain.called.wait()
            refused = await client.post(LIST)
            chain.go.set()
        assert refused.status_code == 503
        assert refused.headers["retry-after"] == "1"
        assert (await client.post(LIST)).status_code == 200


async def test_a_callers_tool_calls_are_limited_by_the_minute() -> None:
    clock = FakeClock(now=600.0)
    tokens = {"alice": digest("a"), "bob": digest("b")}
    stand_in = StandIn(chain=Remembers(), clock=clock, server={"tokens": tokens, "rate_per_minute": 2})
    async with serving(stand_in) as client:

        async def call(token: str, body: Mapping[str, Any] = SEARCH) -> Any:
            return await client.post(body, authorization=f"Bearer {token}")

        assert [(await call("a")).status_code for _ in range(3)] == [200, 200, 429]
        assert (await call("b")).status_code == 200
        assert (await call("a", LIST)).status_code == 200
        clock.advance(15)
        refused = await call("a")
        assert refused.headers["retry-after"] == "45"
        assert "45 s" in refused.json()["error"]["message"]
        clock.advance(45)
        assert (await call("a")).status_code == 200


async def test_an_address_is_limited_whoever_calls() -> None:
    tokens = {"alice": digest("a"), "bob": digest("b")}
    stand_in = StandIn(chain=Remembers(), server={"tokens": tokens, "address_rate_per_minute": 2})
    async with serving(stand_in) as client:
        statuses = [(await client.post(SEARCH, authorization=f"Bearer {token}")).status_code for token in "abab"]
    assert statuses == [200, 200, 429, 429]


async def test_escapes_in_json_do_not_hide_a_tool_call() -> None:
    stand_in = StandIn(chain=Remembers(), server={"rate_per_minute": 1})
    hidden = json.dumps(SEARCH).replace("tools/call", "tools\\/call")
    async with serving(stand_in) as client:
        await client.post(SEARCH)
        answer = await client.http.post("/mcp", content=hidden, headers={"content-type": "application/json"})
    assert answer.status_code == 429


@pytest.mark.parametrize(
    ("address", "network"),
    [("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"), ("testclient", "testclient")],
)
def test_an_ipv6_visitor_is_known_by_the_network(address: str, network: str) -> None:
    from websearch_core.server.limits import _network

    assert _network(address) == network


async def test_a_store_that_fails_does_not_stop_the_server(caplog: pytest.LogCaptureFixture) -> None:
    stand_in = StandIn(chain=Remembers(), server={"rate_per_minute": 1})

    async def fails(*_: Any, **__: Any) -> int:
        raise OSError

    stand_in.store.incr = fails  # type: ignore[method-assign]
    async with serving(stand_in) as client:
        assert [(await client.post(SEARCH)).status_code for _ in range(2)] == [200, 200]
    assert "rate limits are not counted" in caplog.text


async def test_health_says_that_it_lives() -> None:
    async with serving(StandIn(ready=(False, {}))) as client:
        answer = await client.http.get("/health")
    assert (answer.status_code, answer.text) == (200, "OK")


@pytest.mark.parametrize(("ready", "status"), [(True, 200), (False, 503)])
async def test_readiness_names_each_source(ready: bool, status: int) -> None:
    async with serving(StandIn(ready=(ready, {"exa": "open"}))) as client:
        answer = await client.http.get("/health/ready")
    assert answer.status_code == status
    assert answer.json() == {"ready": ready, "sources": {"exa": "open"}}


@pytest.mark.parametrize("page", ["/health/ready", "/debug/last-call"])
@pytest.mark.parametrize(
    ("headers", "status"), [({"host": "evil.example"}, 421), ({"origin": "https://evil.example"}, 403), ({}, 200)]
)
async def test_pages_answer_to_the_same_names_as_the_endpoint(page: str, headers: dict[str, str], status: int) -> None:
    async with serving(StandIn(environ={"LOCAL_TEST_MODE": "1"})) as client:
        assert (await client.http.get(page, headers=headers)).status_code == status


async def test_health_answers_to_every_name() -> None:
    async with serving(StandIn()) as client:
        assert (await client.http.get("/health", headers={"host": "10.0.0.9:8089"})).status_code == 200


async def test_a_place_is_free_with_the_last_byte_of_the_answer() -> None:
    answered, cleaned = anyio.Event(), anyio.Event()

    async def slow_to_clean_up(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"a", "more_body": True})
        assert edge.in_flight == 1
        await send({"type": "http.response.body", "body": b"b"})
        answered.set()
        await cleaned.wait()

    clock = FakeClock()
    edge = AsgiGuard(
        slow_to_clean_up,
        callers=Callers({}, (), frozenset()),
        limits=Limits(MemoryStore(clock, 1000), clock, 0, 0),
        max_in_flight=1,
        pages={},
        security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": []}
    statuses = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"{}"}

    async def send(message: Mapping[str, Any]) -> None:
        if "status" in message:
            statuses.append(message["status"])

    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(edge, scope, receive, send)
            await answered.wait()
            assert edge.in_flight == 0
            answered = anyio.Event()
        cleaned.set()
    assert (statuses, edge.in_flight) == ([200, 200, 200], 0)


async def test_equal_request_ids_get_their_own_answers() -> None:
    class Echoes:
        async def search(self, request: SearchRequest) -> SearchAnswer:
            await anyio.lowlevel.checkpoint()
            return SearchAnswer(notes=(request.query,))

    answers: dict[str, str] = {}
    async with serving(StandIn(chain=Echoes())) as client:

        async def ask(query: str, era: str) -> None:
            body = rpc("tools/call", {"name": "search", "arguments": {"query": query}}, era=era, number=1)
            result = messages(await client.post(body, era))[-1]["result"]
            answers[query] = result["structuredContent"]["notes"][0]

        async with anyio.create_task_group() as group:
            for number in range(10):
                for era in ERAS:
                    group.start_soon(ask, f"query {number} {era}", era)
    assert all(query == answer for query, answer in answers.items())
    assert len(answers) == 20
