"""The door to an engine: one origin, patience within the deadline, no secret anywhere."""

from __future__ import annotations

import asyncio
import base64
import gzip
import logging
import traceback
from typing import Any

import pytest
from pydantic import SecretStr

from websearch_core import BackendError, StartupError
from websearch_core.contract.engine_response import EngineResponse
from websearch_core.kit import (
    AuthFailed,
    InvalidRequest,
    NetworkFailed,
    NotFound,
    PlanMismatch,
    QuotaExceeded,
    RateLimited,
    Refused,
    ServerFailed,
    TimedOut,
    TooLarge,
    UnexpectedResponse,
    Unsupported,
)

SECRET = "s3cret-key"


def in_turn(*answers: bytes) -> Any:
    left = list(answers)

    async def handler(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answer = left.pop(0)
        if not answer:
            writer.close()
        writer.write(answer)

    return handler


async def test_a_call_sends_what_it_is_given(bench: Any) -> None:
    site = await bench.serve(bench.answer('{"a": "ü"}', 200, "Content-Type: application/json"))
    base = f"http://127.0.0.1:{site.port}/v1/"
    door = bench.api(base, headers={"X-Api-Key": SecretStr(SECRET)}, auth=("me", SecretStr("pw")))
    got = await door.get("search", params={"q": "a b&c", "n": 3, "on": True, "off": None, "d": ["x", "y"]})
    assert (got.status, got.json()) == (200, {"a": "ü"})
    await door.post("/search", json={"q": "ü"})
    await door.post("form", data={"q": "ü b"}, params={"p": 1}, headers={"X-More": "1"})
    await door.post("raw", data=b"abc")
    first, second, third, fourth = site.heads
    assert first.startswith("GET /v1/search?q=a+b%26c&n=3&on=true&d=x&d=y HTTP/1.1\r\n")
    assert f"x-api-key: {SECRET}\r\n" in first
    assert f"authorization: Basic {base64.b64encode(b'me:pw').decode()}\r\n" in first
    assert second.startswith("POST /v1/search HTTP/1.1\r\n")
    assert "content-type: application/json\r\n" in second
    assert "content-type: application/x-www-form-urlencoded\r\n" in third
    assert third.startswith("POST /v1/form?p=1 ")
    assert "x-more: 1\r\n" in third
    assert fourth.startswith("POST /v1/raw ")
    assert site.bodies == [b"", '{"q":"ü"}'.encode(), b"q=%C3%BC+b", b"abc"]


async def test_the_base_address_itself_can_be_called(bench: Any) -> None:
    site = await bench.serve()
    await bench.api(f"http://127.0.0.1:{site.port}/search").get("", params={"q": 1})
    assert site.heads[0].startswith("GET /search?q=1 ")


async def test_private_addresses_and_internal_names_are_fine_here(bench: Any) -> None:
    site = await bench.serve()
    bench.names.table["searx.internal"] = ["127.0.0.1"]
    door = bench.api(f"http://searx.internal:{site.port}")
    assert (await door.get("/")).content == b"ok"
    assert door.origin == f"http://searx.internal:{site.port}"
    assert f"Host: searx.internal:{site.port}\r\n" in site.heads[0]


@pytest.mark.parametrize(
    "path",
    [
        *(
            "http://{canary}/",
            "//{canary}/x",
            "\\\\{canary}\\x",
            "https://api.example.com/",
            "/../admin",
            "..",
            "%2e%2e/x",
            "..%2fx",
        ),
        *(
            "http://127.0.0.1:{port}/other",
            "ftp://127.0.0.1:{port}/v1/x",
            "http://user@127.0.0.1:{port}/v1/x",
            "a/../../b",
        ),
    ],
)
async def test_other_origins_and_paths_above_the_base_are_refused(bench: Any, path: str) -> None:
    site, canary = await bench.serve(), await bench.serve()
    door = bench.api(f"http://127.0.0.1:{site.port}/v1")
    with pytest.raises(Refused):
        await door.get(path.format(port=site.port, canary=f"127.0.0.1:{canary.port}"))
    assert (site.connections, canary.connections) == (0, 0)


async def test_an_absolute_address_below_the_base_is_accepted(bench: Any) -> None:
    site = await bench.serve()
    await bench.api(f"http://127.0.0.1:{site.port}/v1").get(f"http://127.0.0.1:{site.port}/v1/next?p=2")
    assert site.heads[0].startswith("GET /v1/next?p=2 ")


@pytest.mark.parametrize(
    "base", ["", "api.example.com", "ftp://x.com", "http://u:s3cret-key@x.com", "http://x.com/?k=1"]
)
async def test_a_bad_base_address_stops_the_start_without_showing_it(bench: Any, base: str) -> None:
    with pytest.raises(StartupError, match="base address") as error:
        bench.api(base)
    assert SECRET not in str(error.value)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirects_are_never_followed(bench: Any, status: int) -> None:
    canary = await bench.serve()
    site = await bench.serve(bench.answer("", status, f"Location: {bench.url(canary)}"))
    with pytest.raises(UnexpectedResponse, match="redirects are never followed") as error:
        await bench.api(site).get("/")
    assert error.value.field == "status"
    assert (len(site.heads), canary.connections) == (1, 0)


@pytest.mark.parametrize(
    ("status", "kind", "attempts"),
    [
        (400, InvalidRequest, 1),
        (401, AuthFailed, 1),
        (402, QuotaExceeded, 1),
        (403, AuthFailed, 1),
        (404, NotFound, 1),
        (408, TimedOut, 3),
        (413, TooLarge, 1),
        (422, InvalidRequest, 1),
        (429, RateLimited, 3),
        (500, ServerFailed, 3),
        (501, Unsupported, 1),
        (502, ServerFailed, 3),
        (503, ServerFailed, 3),
        (504, TimedOut, 3),
    ],
)
async def test_each_status_is_the_right_error_and_repeated_if_that_helps(
    bench: Any, status: int, kind: Any, attempts: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "websearch_core")
    site = await bench.serve(bench.answer(f"the body says {SECRET}", status))
    with pytest.raises(kind) as error:
        await bench.api(site).get("/")
    assert type(error.value) is kind
    assert len(site.heads) == attempts
    assert SECRET not in str(error.value)
    assert len(bench.clock.slept) == attempts - 1
    told = [record.getMessage() for record in caplog.records if record.name == "websearch_core.net.retry"]
    assert [f"attempt {number} failed ({kind.code})" in line for number, line in enumerate(told, 1)] == [True] * (
        attempts - 1
    )


@pytest.mark.parametrize(("status", "attempts"), [(200, 1), (408, 1), (429, 2), (500, 1), (502, 1), (503, 2), (504, 1)])
async def test_a_paid_call_is_repeated_only_after_429_and_503(bench: Any, status: int, attempts: int) -> None:
    site = await bench.serve(in_turn(bench.answer("", status), bench.answer()))
    try:
        await bench.api(site).post("/", json={}, paid=True)
    except BackendError:
        assert attempts == 1
    assert len(site.heads) == attempts


@pytest.mark.parametrize(("paid", "attempts"), [(False, 2), (True, 1)])
async def test_a_connection_that_breaks_is_repeated_unless_it_may_have_cost_money(
    bench: Any, paid: bool, attempts: int
) -> None:
    site = await bench.serve(in_turn(b"", bench.answer()))
    door = bench.api(site)
    if paid:
        with pytest.raises(NetworkFailed):
            await door.post("/", json={}, paid=True)
    else:
        assert (await door.post("/", json={})).status == 200
    assert len(site.heads) == attempts


@pytest.mark.parametrize("paid", [False, True])
async def test_a_failed_connect_is_repeated_even_when_paid(bench: Any, paid: bool) -> None:
    with pytest.raises(NetworkFailed):
        await bench.api("http://127.0.0.1:9").get("/", paid=paid)
    assert len(bench.clock.slept) == 2


async def test_the_wait_is_what_the_engine_asks_for(bench: Any) -> None:
    date = "Tue, 14 Nov 2023 22:13:30 GMT"  # 10 s after the clock's start
    site = await bench.serve(
        in_turn(bench.answer("", 429, "Retry-After: 3"), bench.answer("", 503, f"Retry-After: {date}"), bench.answer())
    )
    assert (await bench.api(site).get("/")).status == 200
    assert bench.clock.slept == [3.0, 7.0]


async def test_a_wait_beyond_the_deadline_is_not_waited(bench: Any) -> None:
    site = await bench.serve(bench.answer("", 429, "Retry-After: 30"))
    with pytest.raises(RateLimited) as error:
        await bench.api(site).get("/", timeout_s=100, deadline=bench.clock.monotonic() + 29)
    assert error.value.retry_after == 30.0
    assert (len(site.heads), bench.clock.slept) == (1, [])


@pytest.mark.parametrize("deadline", [None, 0.15, -1.0])
async def test_a_silent_engine_ends_on_time(bench: Any, deadline: float | None) -> None:
    async def silent(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    site = await bench.serve(silent)
    ends = None if deadline is None else bench.clock.monotonic() + deadline
    with pytest.raises(TimedOut):
        await bench.api(site).get("/", deadline=ends, timeout_s=0.15 if deadline is None else 10)


async def test_cancelling_closes_the_connection(bench: Any) -> None:
    async def silent(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    site = await bench.serve(silent)
    task = asyncio.create_task(bench.api(site).post("/", json={}))
    await asyncio.wait_for(site.asked.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(site.closed.wait(), 60)


async def test_the_plugins_explanation_comes_first(bench: Any) -> None:
    def explain(response: EngineResponse) -> BackendError | None:
        if response.status == 429:
            return QuotaExceeded("no credit")
        if response.status == 503:
            return RateLimited("busy")
        return PlanMismatch() if response.json().get("plan") else None

    site = await bench.serve(
        {
            "/429": bench.answer("", 429),
            "/503": bench.answer("", 503, "Retry-After: 500"),
            "/plan": bench.answer('{"plan": 1}'),
            "/fine": bench.answer("{}"),
            "/html": bench.answer("<html>", 500),
            "/200": bench.answer("<html>"),
        }
    )
    door = bench.api(site, explain=explain)
    with pytest.raises(QuotaExceeded, match="no credit"):
        await door.get("/429")
    with pytest.raises(RateLimited, match="busy") as error:
        await door.get("/503")
    assert error.value.retry_after == 500.0
    with pytest.raises(PlanMismatch):
        await door.get("/plan")
    with pytest.raises(ServerFailed):
        await door.get("/html", paid=True)
    with pytest.raises(UnexpectedResponse):
        await door.get("/200")
    assert (await door.get("/fine")).json() == {}


@pytest.mark.parametrize("body", [b"<html>", b"", b'{"a": ', b"\xff\xfe", b"[" * 100_000])
async def test_a_body_that_is_not_json_is_drift(bench: Any, body: bytes) -> None:
    site = await bench.serve(bench.answer(body))
    got = await bench.api(site).get("/")
    with pytest.raises(UnexpectedResponse) as error:
        got.json()
    assert error.value.field == "body"


async def test_answers_are_bounded_and_unpacked(bench: Any) -> None:
    packed = gzip.compress(b"\0" * 10_000_000)
    site = await bench.serve(
        {
            "/bomb": bench.answer(packed, 200, "Content-Encoding: gzip"),
            "/fine": bench.answer(gzip.compress(b"{}"), 200, "Content-Encoding: gzip"),
        }
    )
    door = bench.api(site)
    with pytest.raises(TooLarge):
        await door.get("/bomb")
    assert (await door.get("/fine")).json() == {}


async def test_text_is_decoded_as_declared(bench: Any) -> None:
    site = await bench.serve(
        {
            "/l": bench.answer("ü".encode("latin-1"), 200, "Content-Type: text/html; charset=ISO-8859-1"),
            "/u": bench.answer("ü"),
            "/x": bench.answer("ü", 200, "Content-Type: text/html; charset=nonsense"),
            "/i": bench.answer("ü", 200, "Content-Type: text/html; charset=idna"),
        }
    )
    door = bench.api(site)
    assert [(await door.get(path)).text for path in ("/l", "/u", "/x", "/i")] == ["ü"] * 4


@pytest.mark.parametrize("failing", ["status", "network", "header", "timeout", "certificate"])
async def test_no_secret_in_errors_logs_or_reprs(
    bench: Any, failing: str, caplog: pytest.LogCaptureFixture, certificate: Any
) -> None:
    caplog.set_level(logging.INFO)

    async def silent(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    key = SecretStr(SECRET + ("\r\n" if failing == "header" else ""))
    site = await bench.serve(
        silent if failing == "timeout" else bench.answer(SECRET, 500),
        **({"tls": certificate[1]} if failing == "certificate" else {}),
    )
    base = f"{'https' if failing == 'certificate' else 'http'}://127.0.0.1:{9 if failing == 'network' else site.port}"
    door = bench.api(base, headers={"Authorization": key}, auth=("user", key))
    with pytest.raises(BackendError) as error:
        await door.post("/path-of-mine", json={"q": "my query"}, timeout_s=0.3 if failing == "timeout" else 5)
    shown = "".join(traceback.format_exception(error.value)) + repr(door) + caplog.text + repr(error.value)
    for private in (SECRET, "my query", "path-of-mine"):
        # the lines of this file are part of the traceback
        assert private not in shown.replace('await door.post("/path-of-mine", json={"q": "my query"}', "")


async def test_an_answers_repr_shows_its_status_only(bench: Any) -> None:
    site = await bench.serve(bench.answer(SECRET, 200, f"X-Key: {SECRET}"))
    got = await bench.api(site).get("/")
    assert SECRET not in repr(got)
    assert "200" in repr(got)


async def test_an_engine_behind_our_ca_is_reached(bench: Any, certificate: Any) -> None:
    pem, tls = certificate
    site = await bench.serve(tls=tls)
    bench.names.table["www.example.com"] = ["127.0.0.1"]
    door = bench.api(f"https://www.example.com:{site.port}", {"ca_file": str(pem)})
    assert (await door.get("/")).content == b"ok"


async def test_many_calls_at_once_share_the_connections(bench: Any) -> None:
    site = await bench.serve()
    door = bench.api(site)
    answers = await asyncio.gather(*(door.get(f"/{n}") for n in range(40)))
    assert [answer.status for answer in answers] == [200] * 40
    await asyncio.gather(*(door.get(f"/{n}") for n in range(20)))
    assert site.connections <= 40
