"""`websearch popularity`: what the operator is told."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from websearch_core import Command, Gateway, PluginContext, StartupError
from websearch_core.testing import CommandContract, FakeClock, context
from websearch_core.testing.fakes import FakeGateway
from websearch_popularity.command import PopularityCommand
from websearch_popularity.hashed_names import pack
from websearch_popularity.list_file import ListFile
from websearch_popularity.plugin import websearch_commands

DAY = 86_400.0


class TestPopularityCommand(CommandContract):
    component = PopularityCommand
    plugin = "popularity"

    def command(self, ctx: PluginContext) -> Command:
        return next(iter(websearch_commands(ctx)))


@asynccontextmanager
async def running() -> AsyncIterator[Gateway]:
    yield FakeGateway()


@asynccontextmanager
async def not_running() -> AsyncIterator[Gateway]:
    raise StartupError("another plugin does not start")
    yield


def run(ctx: PluginContext, *words: str, gateway=running) -> Result:
    [command] = websearch_commands(ctx)
    return CliRunner().invoke(command.app(gateway), words)


@pytest.fixture
def ctx(list_file: Path, tmp_path: Path) -> PluginContext:
    settings = {"list_file": str(list_file), "api_token": "token-canary", "bucket": 200}
    return context("popularity", settings, data_dir=tmp_path)


@pytest.mark.parametrize(
    ("address", "code", "said"),
    [
        ("www.popular.example", 0, "trusted: on the operator's list"),
        ("https://popular.example/a", 0, "entry: popular.example"),
        ("https://popular.example/forum/", 1, "category: path-segments"),
        ("gist.github.com", 1, "entry: github.com"),
        ("popular.example/?to=https://other.example/", 1, "category: redirects"),
        ("other.example", 1, "not trusted: on no list"),
        ("127.0.0.1", 1, "not trusted: not a plain web address"),
        ("co.uk", 1, "not trusted: a suffix under which others register"),
    ],
)
def test_check_says_whether_and_why(ctx: PluginContext, address: str, code: int, said: str) -> None:
    result = run(ctx, "check", address)
    assert result.exit_code == code
    assert said in result.output


def test_check_without_any_list_says_what_to_set() -> None:
    result = run(context("popularity"), "check", "www.popular.example")
    assert result.exit_code == 1
    assert "WEBSEARCH_POPULARITY__API_TOKEN" in result.output


def test_help_names_the_setting(ctx: PluginContext) -> None:
    for words in (["--help"], ["check", "--help"]):
        assert "chain.trust" in run(ctx, *words).output


def test_check_as_json(ctx: PluginContext) -> None:
    told = json.loads(run(ctx, "check", "--json", "news.co.uk").output)
    assert told["trusted"] is True
    assert (told["host"], told["domain"], told["entry"]) == ("news.co.uk", "news.co.uk", "news.co.uk")


def test_status_without_any_list_says_what_to_set() -> None:
    result = run(context("popularity"), "status")
    assert result.exit_code == 0
    assert "WEBSEARCH_POPULARITY__API_TOKEN" in result.output
    assert "nobody is trusted" in result.output


def test_status_tells_of_each_list(ctx: PluginContext, tmp_path: Path) -> None:
    before = json.loads(run(ctx, "status", "--json").output)
    assert [one["names"] for one in before["lists"]] == [0, 4]
    salt = bytes(16)
    now = FakeClock().now()
    ListFile(tmp_path / "popularity", 200, 7 * DAY).write(pack(["a.example", "b.example"], salt), salt, now)
    ranked, own = json.loads(run(ctx, "status", "--json").output)["lists"]
    assert (ranked["names"], ranked["date"], ranked["refresh_due"]) == (
        2,
        "2025-06-15T15:06:40+00:00",
        "2025-06-16T15:06:40+00:00",
    )
    assert own["source"] == "the operator's list"
    text = run(ctx, "status").output
    assert "200 most popular domains: 2 names of 2025-06-15T15:06:40+00:00" in text
    assert "token-canary" not in text


async def test_status_tells_what_the_audit_counted(ctx: PluginContext) -> None:
    await ctx.store.incr("trusted", 97)
    await ctx.store.incr("audited", 3)
    import anyio.to_thread

    result = await anyio.to_thread.run_sync(lambda: run(ctx, "status"))
    assert "97 documents trusted, 3 more judged" in result.output


def test_status_still_tells_of_the_lists_when_the_chain_does_not_start(ctx: PluginContext) -> None:
    result = run(ctx, "status", gateway=not_running)
    assert result.exit_code == 0
    assert "the operator's list: 4 names" in result.output
    assert "counts cannot be read: another plugin does not start" in result.output
