"""Who may call, and which filters a request switches."""

from __future__ import annotations

from collections.abc import Mapping

import anyio
import pytest

from websearch_core.contract.errors import StartupError
from websearch_core.contract.interfaces import TokenVerifier
from websearch_core.contract.models import Caller
from websearch_core.server.callers import Callers
from websearch_core.settings.configuration import Configuration

from .conftest import Remembers, StandIn, digest, rpc, serving

SEARCH = rpc("tools/call", {"name": "search", "arguments": {"query": "owls"}})


async def test_without_tokens_everybody_is_anonymous() -> None:
    chain = Remembers()
    async with serving(StandIn(chain=chain)) as client:
        await client.post(SEARCH, authorization="Bearer whatever")
    assert chain.callers[0].tenant == ""


async def test_a_token_names_its_tenant() -> None:
    chain = Remembers()
    tokens = {"alice": digest("a-token"), "bob": digest("b-token")}
    async with serving(StandIn(chain=chain, server={"tokens": tokens})) as client:
        await client.post(SEARCH, authorization="Bearer b-token")
        await client.post(SEARCH, authorization="bearer  a-token ")
    assert [caller.tenant for caller in chain.callers] == ["bob", "alice"]


@pytest.mark.parametrize(
    ("authorization", "challenge"),
    [
        (None, "Bearer"),
        ("Bearer wrong", 'Bearer error="invalid_token"'),
        ("Basic YWxpY2U6eA==", 'Bearer error="invalid_token"'),
        ("Bearer", 'Bearer error="invalid_token"'),
        ("Bearer " + "x" * 9000, 'Bearer error="invalid_token"'),
    ],
)
async def test_without_a_valid_token_nothing_is_served(authorization: str | None, challenge: str) -> None:
    chain = Remembers()
    given = {"authorization": authorization} if authorization else {}
    async with serving(StandIn(chain=chain, server={"tokens": {"alice": digest("a-token")}})) as client:
        answer = await client.post(SEARCH, **given)
        health = await client.http.get("/health")
        ready = await client.http.get("/health/ready")
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == challenge
    assert "a valid bearer token" in answer.json()["error"]["message"]
    assert chain.callers == []
    assert (health.status_code, ready.status_code) == (200, 200)


def test_a_token_that_is_no_hash_stops_the_start() -> None:
    with pytest.raises(StartupError, match=r"\[server\] tokens: alice must be the SHA-256") as caught:
        Configuration({"server": {"tokens": {"alice": "a-token"}}}, {})
    assert "a-token" not in str(caught.value)


class Knows(TokenVerifier):
    name = "knows"

    def __init__(self, tokens: Mapping[str, str], error: Exception | None = None) -> None:
        self.tokens = tokens
        self.error = error

    async def verify(self, token: str) -> Caller | None:
        if self.error:
            raise self.error
        return Caller(tenant=self.tokens[token], session="s1") if token in self.tokens else None


async def test_verifiers_are_asked_in_order_after_the_static_tokens() -> None:
    chain = Remembers()
    verifiers = (Knows({"x": "first"}), Knows({"x": "second", "y": "second"}))
    stand_in = StandIn(chain=chain, server={"tokens": {"alice": digest("a")}}, token_verifiers=verifiers)
    async with serving(stand_in) as client:
        for token in ("x", "y", "a"):
            await client.post(SEARCH, authorization=f"Bearer {token}")
        assert (await client.post(SEARCH, authorization="Bearer z")).status_code == 401
    assert [caller.tenant for caller in chain.callers] == ["first", "second", "alice"]
    assert chain.callers[0].session == "s1"


async def test_a_verifier_that_fails_is_not_the_callers_fault(caplog: pytest.LogCaptureFixture) -> None:
    async with serving(StandIn(token_verifiers=(Knows({}, RuntimeError("token t0ps3cret")),))) as client:
        answer = await client.post(SEARCH, authorization="Bearer t0ps3cret")
    assert answer.status_code == 503
    assert "retry-after" in answer.headers
    assert "t0ps3cret" not in caplog.text


async def test_a_verifier_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    class Hangs(Knows):
        async def verify(self, token: str) -> Caller | None:
            return await anyio.sleep_forever()

    monkeypatch.setattr("websearch_core.server.callers.VERIFIER_SECONDS", 0)
    async with serving(StandIn(token_verifiers=(Hangs({}),))) as client:
        with anyio.fail_after(60):
            answer = await client.post(SEARCH, authorization="Bearer x")
    assert answer.status_code == 503


@pytest.mark.parametrize(
    ("header", "families"),
    [
        (None, {"pii": True, "injection": False}),
        ("false", {"pii": True, "injection": False}),
        ("true", {"pii": True, "injection": True}),
    ],
)
async def test_what_a_verifier_switched_on_stays_on(header: str | None, families: dict[str, bool]) -> None:
    class Careful(Knows):
        async def verify(self, token: str) -> Caller | None:
            return Caller(tenant="t", families={"pii": True, "injection": False})

    chain = Remembers()
    given = {"x_websearch_pii_check": header, "x_websearch_injection_check": header} if header else {}
    async with serving(StandIn(chain=chain, token_verifiers=(Careful({}),))) as client:
        await client.post(SEARCH, authorization="Bearer x", **given)
    assert chain.callers[0].families == families


@pytest.mark.parametrize("header", ["x_tinfoil_tool_{}_check", "x_websearch_{}_check"])
@pytest.mark.parametrize("family", ["pii", "injection"])
@pytest.mark.parametrize(
    ("value", "switched"),
    [("true", True), (" TRUE ", True), ("1", True), ("False", False), ("0", False), ("yes", None), ("", None)],
)
async def test_headers_switch_filter_families(header: str, family: str, value: str, switched: bool | None) -> None:
    chain = Remembers()
    async with serving(StandIn(chain=chain)) as client:
        await client.post(SEARCH, **{header.format(family): value})
    assert chain.callers[0].families == ({} if switched is None else {family: switched})


async def test_a_header_cannot_weaken_the_floor() -> None:
    chain = Remembers()
    async with serving(StandIn(chain=chain, floor=frozenset({"pii"}))) as client:
        await client.post(SEARCH, x_websearch_pii_check="false", x_websearch_injection_check="false")
        await client.post(SEARCH, x_websearch_pii_check="true")
    assert chain.callers[0].families == {"injection": False}
    assert chain.callers[1].families == {"pii": True}


@pytest.mark.parametrize("floor", [frozenset(), frozenset({"pii"})])
@pytest.mark.parametrize(
    ("tinfoil", "ours", "switched"),
    [("true", "false", True), ("false", "true", True), ("false", "false", False), ("true", "", True)],
)
@pytest.mark.parametrize("turned", [False, True])
async def test_of_two_headers_that_disagree_the_stricter_counts(
    tinfoil: str, ours: str, switched: bool, turned: bool, floor: frozenset[str]
) -> None:
    headers = [
        (b"x-tinfoil-tool-pii-check", tinfoil.encode()),
        (b"x-websearch-pii-check", ours.encode()),
    ]
    caller = await Callers({}, (), floor).identify(headers[::-1] if turned else headers)
    assert caller is not None
    assert caller.families == ({} if floor and not switched else {"pii": switched})


async def test_families_and_tenant_come_together() -> None:
    chain = Remembers()
    async with serving(StandIn(chain=chain, server={"tokens": {"alice": digest("a")}})) as client:
        await client.post(SEARCH, authorization="Bearer a", x_websearch_pii_check="0")
    assert (chain.callers[0].tenant, chain.callers[0].families) == ("alice", {"pii": False})
