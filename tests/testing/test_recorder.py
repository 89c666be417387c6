"""Recordings hold what the engine said and no secret."""

from __future__ import annotations

import base64

import pytest

from websearch_core.kit import AuthFailed
from websearch_core.testing import LoopbackSite, answer, context
from websearch_core.testing.recorder import GONE, Recorder, Scrubber, Tape

KEY = "sk/live+7f3a9c=="


@pytest.fixture
async def engine():
    async with LoopbackSite() as site:
        site.route(
            "POST /v1/search",
            lambda request: answer(200, json={"results": [{"url": "https://x.example/"}], "echo": KEY}),
        )
        site.route("/v1/usage", answer(401, json={"error": f"bad key {KEY}"}, headers={"set-cookie": KEY}))
        site.route("/v1/logo", answer(200, b"\x89PNG\x00\xff", content_type="image/png"))
        yield site


async def recorded(engine, path):
    ctx = context("acme")
    async with Recorder(ctx, f"{engine.url}/v1", path, secrets=[KEY]) as recorder:
        api = ctx.api(recorder.url, headers={"authorization": f"Bearer {KEY}"})
        await api.post("search", params={"api_key": KEY, "page": 1}, json={"query": "tea", "token": "other-secret"})
        with pytest.raises(AuthFailed):
            await api.get("usage")
        await api.get("logo")
        await api.aclose()
    return Tape.load(path)


async def test_the_engine_gets_what_the_plugin_sent(engine, tmp_path):
    await recorded(engine, tmp_path / "tape.json")
    first = engine.requests[0]
    assert (first.path, first.query["api_key"], first.headers["authorization"]) == ("/v1/search", KEY, f"Bearer {KEY}")
    assert first.json() == {"query": "tea", "token": "other-secret"}


async def test_no_secret_is_on_the_tape(engine, tmp_path):
    await recorded(engine, tmp_path / "tape.json")
    text = (tmp_path / "tape.json").read_text()
    assert GONE in text
    for secret in (KEY, "other-secret", "sk%2Flive", base64.b64encode(KEY.encode()).decode(), "7f3a9c"):
        assert secret not in text


async def test_a_tape_answers_as_the_engine_did(engine, tmp_path):
    tape = await recorded(engine, tmp_path / "tape.json")
    async with LoopbackSite() as site:
        site.route("/*", tape.answer)
        api = context("acme").api(f"{site.url}/v1")
        exact = await api.post("search", params={"api_key": "new", "page": 1}, json={"query": "tea", "token": "new"})
        assert exact.json()["results"] == [{"url": "https://x.example/"}]
        assert (await api.post("search", json={"query": "another"})).json()["echo"] == GONE
        assert (await api.get("logo")).content == b"\x89PNG\x00\xff"
        with pytest.raises(AuthFailed):
            await api.get("usage")
        await api.aclose()
        assert tape.answer(site.requests[-1]).status == 401


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("api_key", True),
        ("apikey", True),
        ("X-Token", True),
        ("client_secret", True),
        ("Authorization", True),
        ("keyword", False),
        ("tokens_used", False),
        ("author", False),
        ("query", False),
        ("key", True),
    ],
)
def test_fields_named_like_secrets_are_emptied(name, secret):
    assert (Scrubber().json({name: "value"})[name] == GONE) is secret
