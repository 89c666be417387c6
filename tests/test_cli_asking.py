"""What the options of `websearch search` and the listings come to, with a backend that answers what it was asked."""

from __future__ import annotations

import json
import os
import subprocess
import textwrap
from pathlib import Path

import pytest

from websearch_core.asking.ledger.budgets import PlannedCall
from websearch_core.asking.ledger.ledger import Ledger
from websearch_core.contract.clock import SystemClock
from websearch_core.settings.configuration import LedgerSettings
from websearch_core.stores.sqlite import SqliteStore

from .forked import ForkServer

ECHO = """
from websearch_core import *
from websearch_core.kit import *
from websearch_core.kit import *

FIELDS = frozenset(("language", "user_location_country", "allowed_domains", "safesearch", "goggle"))

class Echo(SearchBackend):
    name = "echo"
    verticals = {"web": FIELDS, "news": FIELDS}
    paid = True
    unit = "credit"

    async def search(self, request):
        asked = request.model_dump_json(exclude={"caller"})
        host = request.allowed_domains[0] if request.allowed_domains else "example.com"
        text = "long " * 1000 if request.content_mode == "text" else ""
        return Answer(hits=(Hit(url=f"https://{host}/", title=asked, body=text),), cost=0.008, units=2)

class Other(Echo):
    name = "other"
    priority = 90

@hookimpl
def websearch_search_backends():
    yield Echo()
    yield Other()

@hookimpl
def websearch_lenses():
    yield Lens(name="teas", description="About tea", domains=("tea.example",), goggle="https://g.example/tea")
"""


@pytest.fixture
def run(tmp_path: Path, commands: ForkServer):
    """`run("search", "x")` where the only plugin is the echo, in an empty folder."""
    site = tmp_path / "site"
    info = site / "acme_echo-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "acme_echo.py").write_text(textwrap.dedent(ECHO))
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-echo\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[websearch]\necho = acme_echo\n")

    def run(*words: str, **environ: str) -> subprocess.CompletedProcess[str]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("WEBSEARCH_", "LMCP_"))}
        known = {
            "PYTHONPATH": str(site),
            "WEBSEARCH_PLUGINS__ONLY": "echo",
            "WEBSEARCH_CHAIN__KEYLESS": "false",
            "XDG_DATA_HOME": str(tmp_path / "data"),
            "COLUMNS": "200",
            "NO_COLOR": "1",
        }
        return commands.run(*words, environ={**clean, **known, **environ}, folder=tmp_path)

    return run


def asked(done: subprocess.CompletedProcess[str]) -> dict:
    assert done.returncode == 0, done.stderr
    return json.loads(json.loads(done.stdout)["results"][0]["title"])


def test_what_narrows_a_search_reaches_the_backend(run) -> None:
    request = asked(run("search", "x", "--country", "at", "--language", "de", "--safesearch", "strict", "--json"))
    assert request["user_location_country"] == "AT"
    assert request["language"] == "de"
    assert request["safesearch"] == "strict"
    assert request["content_mode"] == "highlights"


def test_what_was_put_right_is_told_of_the_option(run) -> None:
    done = run("search", "x", "--country", "uk", "--backend", "nobody")
    assert "note: --country: read as GB\n" in done.stderr
    assert "note: --backend: not among those" in done.stderr


def test_whole_texts_are_longer_than_excerpts(run) -> None:
    done = run("search", "x", "--text", "--json")
    assert asked(done)["content_mode"] == "text"
    assert len(json.loads(done.stdout)["results"][0]["content"]) > 4000


def test_one_backend_alone_can_be_asked(run) -> None:
    done = run("search", "x", "--backend", "other", "--json")
    assert asked(done)["backend"] == "other"
    assert "not among those that are offered" not in done.stderr
    assert json.loads(done.stdout)["meta"]["backends"] == ["other"]
    assert json.loads(run("search", "x", "--json").stdout)["meta"]["backends"] == ["echo"]


def test_a_lens_narrows_to_its_sites_and_brings_its_goggle(run) -> None:
    request = asked(run("search", "x", "--lens", "teas", "--json"))
    assert request["allowed_domains"] == ["tea.example"]
    assert request["goggle"] == "https://g.example/tea"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--backend", "nobody"], "echo, other"),
        (["--backend", "no body"], "--backend: must be one of echo, other"),
        (["--lens", "coffee"], "none of this name; installed are: teas"),
        (["--lens", "teas", "--domain", "a.example"], "cannot be combined"),
        (["--country", "Austria"], "websearch: --country: must be"),
        (["--time-range", "owls"], "websearch: --time-range: must be"),
        (["--domain", ","], "websearch: --domain: each must be"),
        (["--safesearch", "maybe"], "safesearch"),
    ],
)
def test_a_choice_that_is_not_there_is_misuse_and_names_those_that_are(run, words: list[str], said: str) -> None:
    done = run("search", "x", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_lenses_are_listed(run) -> None:
    assert "teas  About tea" in run("lenses").stdout
    assert [row["name"] for row in json.loads(run("lenses", "--json").stdout)] == ["teas"]


def test_check_says_what_the_question_cost(run) -> None:
    done = run("check")
    assert done.returncode == 0, done.stderr
    assert "2 credit, $0.0080" in done.stdout
    row = json.loads(run("check", "--json").stdout)["backends"][0]
    assert (row["cost"], row["units"], row["unit"], row["rests"]) == (0.008, 2, "credit", [])


def test_one_backend_alone_can_be_checked(run, tmp_path: Path) -> None:
    store = {"WEBSEARCH_STORE__PATH": str(tmp_path / "store.db")}
    found = json.loads(run("check", "other", "--json", **store).stdout)
    assert [row["backend"] for row in found["backends"]] == ["other"]
    assert [row["engine"] for row in json.loads(run("ledger", "--json", **store).stdout)["entries"]] == ["other"]
    done = run("check", "other", "nobody", **store)
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no backend nobody; installed are: echo, other" in done.stderr


def test_what_a_check_cost_is_in_the_ledger(run, tmp_path: Path) -> None:
    store = {"WEBSEARCH_STORE__PATH": str(tmp_path / "store.db")}
    run("check", **store)
    run("check", **store)
    done = run("ledger", "--json", **store)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["kept"]
    assert [(row["engine"], row["calls"], row["units"], row["usd"]) for row in found["entries"]] == [
        ("echo", 2, 4, 0.016),
        ("other", 2, 4, 0.016),
    ]
    assert found["totals"] == {"calls": 4, "failed": 0, "units": {"credit": 8}, "usd": 0.032}


def test_a_cap_holds_for_a_check_too(run, tmp_path: Path) -> None:
    store = {"WEBSEARCH_STORE__PATH": str(tmp_path / "store.db")}
    caps = {"WEBSEARCH_LEDGER__CAPS": '{"echo": {"units_per_day": 2}}'}
    assert run("check", **store, **caps).returncode == 0
    done = run("check", "--json", **store, **caps)
    assert done.returncode == 1
    row = json.loads(done.stdout)["backends"][0]
    assert (row["code"], row["remedy"]) == ("quota", "raise it in [ledger.caps.echo], or wait")


async def test_the_ledger_is_printed_by_day_engine_and_caller(run, tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store.db", SystemClock(), 1_000_000)
    await store.start()
    ledger = Ledger(store, SystemClock(), LedgerSettings())
    for tenant in ("alice", "alice", ""):
        await (await ledger.book(PlannedCall("brave", tenant, paid=True))).answered(1, 0.005)
    await ledger.aclose()
    await store.aclose()
    environ = {"WEBSEARCH_STORE__PATH": str(tmp_path / "store.db")}
    lines = [line.split() for line in run("ledger", **environ).stdout.splitlines()]
    assert lines[0] == ["DAY", "ENGINE", "CALLER", "CALLS", "FAILED", "UNITS", "UNIT", "US$"]
    assert lines[1][1:] == ["brave", "-", "1", "0", "1", "request", "0.0050"]
    assert lines[2][1:] == ["brave", "alice", "2", "0", "2", "request", "0.0100"]
    assert lines[3] == ["total", "3", "0", "3", "request", "0.0150"]
    alone = json.loads(run("ledger", "--tenant", "alice", "--days", "1", "--json", **environ).stdout)
    assert [row["tenant"] for row in alone["entries"]] == ["alice"]
    assert run("ledger", "--days", "0", **environ).returncode == 2


def test_a_ledger_in_memory_says_where_it_is_and_how_to_keep_it(run) -> None:
    done = run("ledger")
    assert done.returncode == 0
    assert done.stdout == ""
    assert "lives in the server's memory" in done.stderr
    assert "[store] path" in done.stderr
    assert json.loads(run("ledger", "--json").stdout)["kept"] is False


def test_a_ledger_without_a_call_says_so(run, tmp_path: Path) -> None:
    done = run("ledger", WEBSEARCH_STORE__PATH=str(tmp_path / "store.db"))
    assert done.stdout == "nothing was asked in these days\n"
