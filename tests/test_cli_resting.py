"""What one process learnt about an engine, the next one knows: rests, caps and costs, as an operator sees them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from .forked import ForkServer

MOODY = """
from pathlib import Path
from websearch_core import *
from websearch_core.kit import *
from websearch_core.kit import *

class MoodySettings(Settings):
    api_key: str = "k1"

class Moody(SearchBackend):
    name = "moody"
    paid = True
    unit = "credit"

    async def search(self, request):
        mood = Path("mood").read_text()
        with Path("asked").open("a") as asked:
            asked.write(mood + " ")
        if mood == "auth":
            raise AuthFailed
        return Answer(hits=(Hit(url="https://a.example/"),), cost=0.01, units=1)

@hookimpl
def websearch_search_backends(ctx):
    ctx.settings(MoodySettings)
    yield Moody()
"""


@pytest.fixture
def run(tmp_path: Path, commands: ForkServer):
    """`run("search", "x")` where the only engine does as the file `mood` says, with a store that outlives it."""
    site = tmp_path / "site"
    info = site / "acme_moody-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "acme_moody.py").write_text(MOODY)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-moody\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[websearch]\nmoody = acme_moody\n")
    (tmp_path / "mood").write_text("auth")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("WEBSEARCH_", "LMCP_"))}

    def run(*words: str, **environ: str) -> subprocess.CompletedProcess[str]:
        known = {
            "PYTHONPATH": f"{site}:{os.environ.get('PYTHONPATH', '')}",
            "WEBSEARCH_PLUGINS__ONLY": "moody",
            "WEBSEARCH_CHAIN__CACHE_TTL_S": "0",
            "WEBSEARCH_CHAIN__NEGATIVE_TTL_S": "0",
            "WEBSEARCH_STORE__PATH": str(tmp_path / "store.db"),
            "XDG_DATA_HOME": str(tmp_path / "data"),
            "COLUMNS": "200",
            "NO_COLOR": "1",
        }
        return commands.run(*words, environ={**clean, **known, **environ}, folder=tmp_path)

    return run


def asked(folder: Path) -> list[str]:
    return (folder / "asked").read_text().split() if (folder / "asked").exists() else []


def test_a_refused_key_is_not_asked_again_after_a_restart_until_it_changes(run, tmp_path: Path) -> None:
    assert "auth" in run("search", "x").stderr
    refused = run("search", "x")
    assert refused.returncode == 1
    assert "resting until the operator changes its settings" in refused.stderr
    assert asked(tmp_path) == ["auth"]
    (tmp_path / "mood").write_text("well")
    assert run("search", "x").returncode == 1
    assert run("search", "x", WEBSEARCH_MOODY__API_KEY="k2").returncode == 0
    assert asked(tmp_path) == ["auth", "well"]


def test_a_check_shows_the_rest_and_ends_it_when_the_engine_answers(run, tmp_path: Path) -> None:
    run("search", "x")
    row = json.loads(run("check", "--json").stdout)["backends"][0]
    assert (row["code"], row["rests"], row["ended"]) == ("auth", ["auth until its settings change"], [])
    assert "resting: moody: auth until its settings change" in run("check").stdout
    (tmp_path / "mood").write_text("well")
    shown = run("check")
    assert shown.returncode == 0
    assert "asked again from now on: moody, which was resting: auth until its settings change" in shown.stdout
    assert run("search", "x").returncode == 0


def test_a_cap_holds_from_one_process_to_the_next_and_the_ledger_shows_why(run, tmp_path: Path) -> None:
    (tmp_path / "mood").write_text("well")
    caps = {"WEBSEARCH_LEDGER__CAPS": '{"moody": {"usd_per_day": 0.02}}'}
    assert [run("search", "x", **caps).returncode for _ in range(3)] == [0, 0, 1]
    refused = run("search", "x", **caps)
    assert "the operator's cap for this day is reached: it asks again tomorrow (UTC)" in refused.stderr
    assert len(asked(tmp_path)) == 2
    assert json.loads(run("ledger", "--json").stdout)["totals"] == {
        "calls": 2,
        "failed": 0,
        "units": {"credit": 2},
        "usd": 0.02,
    }


def test_a_cap_for_nobody_stops_the_start(run) -> None:
    done = run("plugins", WEBSEARCH_LEDGER__CAPS='{"modoy": {"usd_per_day": 1}}')
    assert done.returncode == 2
    assert "modoy" in done.stderr
    assert "known: moody" in done.stderr
