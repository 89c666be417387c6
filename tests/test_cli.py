"""The command line, as an operator types it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from websearch_core.settings.configuration import load

from .forked import ForkServer


@pytest.fixture
def run(tmp_path: Path, commands: ForkServer):
    """`run("plugins", "--json", VARIABLE="value")` in an empty folder, with a home of its own."""

    def run(*words: str, **environ: str) -> subprocess.CompletedProcess[str]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("WEBSEARCH_", "LMCP_"))}
        known = {
            "WEBSEARCH_CHAIN__KEYLESS": "false",
            "XDG_DATA_HOME": str(tmp_path / "data"),
            "COLUMNS": "200",
            "NO_COLOR": "1",
        }
        return commands.run(*words, environ={**clean, **known, **environ}, folder=tmp_path)

    return run


def test_plugins_shows_what_is_installed_and_where_queries_go(run) -> None:
    done = run("plugins", EXA_API_KEY="sk-canary")
    assert done.returncode == 0, done.stderr
    assert "SearchBackend exa" in done.stdout
    assert "exa → https://api.exa.ai" in done.stdout
    assert "WEBSEARCH_SEARXNG__BASE_URL not set" in done.stdout
    assert "EXA_API_KEY is used as [plugin.exa] api_key" in done.stdout
    assert "sk-canary" not in done.stdout + done.stderr


@pytest.mark.parametrize("order", ["searxng,exa,brave", "brave,searxng,exa"])
def test_where_queries_go_is_told_in_the_order_of_asking(run, order: str) -> None:
    keys = {"WEBSEARCH_SEARXNG__BASE_URL": "http://127.0.0.1:9", "EXA_API_KEY": "k", "WEBSEARCH_BRAVE__API_KEY": "k"}
    done = run("plugins", WEBSEARCH_CHAIN__BACKENDS=order, **keys)
    (line,) = re.findall(r"^queries go to: (.*)$", done.stdout, re.MULTILINE)
    assert [place.split(" → ")[0] for place in line.split("; ")] == order.split(",")


@pytest.mark.parametrize(
    ("variable", "value", "named"),
    [
        ("WEBSEARCH_SERVER__TOKENS", '{"alice": "no-hash"}', "[server] tokens"),
        ("WEBSEARCH_NET__PRIVATE", "10.0.0.0/33", "[net] private"),
        ("WEBSEARCH_POPULARITY__LIST_FILE", "/nowhere/list", "list_file"),
    ],
)
def test_plugins_refuses_what_serve_refuses(run, variable: str, value: str, named: str) -> None:
    done = run("plugins", **{variable: value})
    assert done.returncode == 2
    assert named in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "environ", "blamed"),
    [
        ('[chain]\nbackends = ["nobody"]\n', {}, "websearch.toml: [chain] backends: nobody"),
        ("", {"WEBSEARCH_CHAIN__BACKENDS": "nobody"}, "WEBSEARCH_CHAIN__BACKENDS: [chain] backends: nobody"),
        ("", {"LMCP_SEARCH_BACKEND": "nobody"}, "LMCP_SEARCH_BACKEND: [chain] backends: nobody"),
        ('[chain.routes]\nnews = ["nobody"]\n', {}, "websearch.toml: [chain.routes] news: nobody"),
        ("[net]\nprivate = []\n", {"WEBSEARCH_NET__PRIVATE": "10.0.0.0/33"}, "WEBSEARCH_NET__PRIVATE: [net] private: "),
        ('[plugin.lenses]\ndisable = ["no-lens"]\n', {}, "websearch.toml: plugin lenses"),
        ("[chain]\nfuse = 2\n", {"WEBSEARCH_CHAIN__FUSE": "99"}, "WEBSEARCH_CHAIN__FUSE: [chain] fuse: "),
        ('[store]\npath = "/dev/null/store.db"\n', {}, "websearch.toml: [store] path: "),
        (
            "",
            {"SEARXNG_URL": "localhost:8080"},
            "SEARXNG_URL: plugin searxng (websearch-searxng 0.1.0): [plugin.searxng]",
        ),
    ],
)
def test_what_is_wrong_is_blamed_on_the_file_or_variable_that_has_it(
    run, tmp_path: Path, text: str, environ: dict[str, str], blamed: str
) -> None:
    (tmp_path / "websearch.toml").write_text(text)
    done = run("lenses" if "store" not in text else "check", **environ)
    assert done.returncode == 2
    assert done.stderr.startswith(f"websearch: {blamed}"), done.stderr


def test_what_is_wrong_with_an_option_is_told_of_the_option(run) -> None:
    done = run("serve", "--listen", "127.0.0.1")
    assert done.returncode == 2
    assert '--listen: must be "HOST:PORT"' in done.stderr


def test_plugins_as_json_and_as_requirements(run) -> None:
    described = json.loads(run("plugins", "--json").stdout)
    assert {"web", "library", "exa", "searxng"} <= {plugin["name"] for plugin in described["plugins"]}
    assert "library" in described["chain"]["ask"]
    assert re.search(r"^websearch-web==\d", run("plugins", "--requirements").stdout, re.MULTILINE)


def test_repeated_calls_print_no_lines_of_their_own() -> None:
    code = (
        "import asyncio\n"
        "from websearch_core.kit import NetworkFailed\n"
        "from websearch_core.testing import context\n"
        "try: asyncio.run(context().api('http://127.0.0.1:9').get('/'))\n"
        "except NetworkFailed: print('failed')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("failed\n", "")


def test_no_plugin_of_pydantic_sees_what_is_validated(run, tmp_path: Path) -> None:
    site = tmp_path / "site"
    info = site / "watching-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: watching\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[pydantic]\nwatching = watching:plugin\n")
    (site / "watching.py").write_text("import sys\nprint('watching', file=sys.stderr)\nplugin = object()\n")
    done = run("plugins", PYTHONPATH=os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")]))
    assert done.returncode == 0
    assert done.stderr == ""


READERS = ("numpy", "phonenumbers", "stdnum", "turbohtml", "trafilatura", "lxml", "pypdfium2", "protego")


def test_listing_imports_nothing_heavy() -> None:
    heavy = (*READERS, "mcp", "httpx2", "uvicorn", "starlette", "stamina", "rich", "asyncio", "ssl", "sqlite3")
    code = (
        "import sys; sys.argv = ['websearch', 'plugins']\n"
        "from websearch_core.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"print([m for m in {heavy!r} if m in sys.modules], file=sys.stderr)"
    )
    environ = {**os.environ, "WEBSEARCH_PLUGINS__DISABLE": "browser"}  # not in the default install
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False, env=environ
    )
    assert done.stderr.strip().endswith("[]"), done.stderr


def test_what_reads_and_judges_is_loaded_after_the_start(tmp_path: Path) -> None:
    code = (
        "import anyio, sys\n"
        "from websearch_core.startup.assemble import assemble\n"
        "from websearch_core.startup.lifecycle import running, warm\n"
        "from websearch_core.settings.configuration import load\n"
        "async def main():\n"
        "    assembly = assemble(load())\n"
        "    async with running(assembly):\n"
        f"        early = [m for m in {READERS!r} if m in sys.modules]\n"
        "        await warm(assembly)\n"
        "        print(early, [m for m in ('numpy', 'turbohtml') if m in sys.modules])\n"
        "anyio.run(main)"
    )
    chosen = {"WEBSEARCH_CHAIN__KEYLESS": "false", "WEBSEARCH_PLUGINS__ONLY": "duckduckgo,guard,library,tavily,web"}
    environ = {**os.environ, **chosen, "XDG_DATA_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path, env=environ
    )
    assert done.stdout.strip() == "[] ['numpy', 'turbohtml']", done.stderr


MISTAKES = {
    "[chain]\nbackend = []\n": "unknown setting",
    "[chian]\n": "unknown table [chian]",
    '[chain]\nrequire = ["guard-x"]\n': "not installed or disabled: guard-x",
    '[net]\nallow = ["https://a.example"]\n': "a.example",
    '[net]\nprivate = ["10.0.0.0/99"]\n': "10.0.0.0/99",
}


@pytest.mark.parametrize("command", [["plugins"], ["serve"], ["search", "x"], ["check"]])
def test_a_mistake_in_the_settings_is_one_line_and_exit_2(run, tmp_path: Path, command: list[str]) -> None:
    for text, said in MISTAKES.items():
        (tmp_path / "websearch.toml").write_text(text)
        done = run(*command)
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert line.startswith("websearch: ")
        assert said in line


def test_search_answers_from_the_embedded_library(run) -> None:
    done = run("search", "how do I write a plugin", "-n", "3")
    assert done.returncode == 0, done.stderr
    assert "1. " in done.stdout
    assert "own documentation" in done.stderr
    answer = json.loads(run("search", "how do I write a plugin", "-n", "3", "--json").stdout)
    assert 1 <= len(answer["results"]) <= 3
    assert answer["meta"]["backends"] == ["library"]


def test_fetch_reads_a_page_of_the_library(run) -> None:
    url = json.loads(run("search", "write plugin", "--json").stdout)["results"][0]["url"]
    done = run("fetch", url)
    assert done.returncode == 0, done.stderr
    assert done.stdout.lstrip().startswith("#")
    (row,) = json.loads(run("fetch", url, "--json").stdout)["results"]
    assert (row["url"], row["status"]) == (url, "completed")
    assert row["content"].strip() == done.stdout.strip()


def test_a_page_that_cannot_be_fetched_is_named_with_the_next_step_and_exit_1(run) -> None:
    done = run("fetch", "http://127.0.0.1:9/", "http://localhost/")
    assert done.returncode == 1
    assert done.stderr.count("failed:") == 2
    assert "refused" in done.stderr
    assert "Next:" in done.stderr
    (row,) = json.loads(run("fetch", "--json", "http://127.0.0.1:9/").stdout)["results"]
    assert (row["status"], row["code"]) == ("failed", "refused")


@pytest.mark.parametrize(
    "words", [["search", ""], ["search"], ["fetch"], ["nonsense"], ["search", "x", "-n", "0"], ["fetch", ""]]
)
def test_misuse_is_exit_2_without_a_traceback(run, words: list[str]) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_check_says_what_is_wrong_and_how_to_mend_it(run) -> None:
    done = run("check", "--json", EXA_API_KEY="sk-canary", WEBSEARCH_EXA__BASE_URL="http://127.0.0.1:9")
    assert done.returncode == 1
    rows = {row["backend"]: row for row in json.loads(done.stdout)["backends"]}
    assert rows["library"]["ok"]
    assert (rows["exa"]["ok"], rows["exa"]["code"]) == (False, "network")
    assert rows["exa"]["remedy"]
    assert rows["searxng"]["code"] == "off"
    assert "sk-canary" not in done.stdout + done.stderr


def test_a_new_token_is_shown_once_and_only_its_hash_is_kept(run) -> None:
    done = run("token", "new", "alice")
    token = re.search(r"once\): (\S+)", done.stdout)[1]
    assert f'"alice" = "{hashlib.sha256(token.encode()).hexdigest()}"' in done.stdout
    assert len(token) >= 43
    assert run("token", "new", "a b").returncode == 2


def test_the_lines_of_several_tokens_paste_together(run, tmp_path: Path) -> None:
    lines = [
        line
        for name in ("alice", "bob.b")
        for line in run("token", "new", name).stdout.splitlines()
        if line.startswith('"')
    ]
    (tmp_path / "websearch.toml").write_text("\n".join(["[server.tokens]", *lines]))
    tokens = load(str(tmp_path / "websearch.toml"), {}).server.tokens
    assert list(tokens) == ["alice", "bob.b"]


def test_one_configuration_for_every_command_also_those_of_plugins(run, tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text(f'[store]\ndata_dir = "{tmp_path / "elsewhere"}"\n')
    done = run("--config", "other.toml", "library", "stats", "--json")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "elsewhere" / "library").exists() or "elsewhere" in done.stdout
    assert run("--config", "nowhere.toml", "library", "stats").returncode == 2


def test_help_names_every_command_also_those_of_plugins(run) -> None:
    text = run("--help").stdout
    for command in ("serve", "search", "fetch", "plugins", "check", "token", "library"):
        assert command in text


BROUGHT = """
class Brought(Command):
    def __init__(self, name):
        self.name = self.summary = name
    def app(self, gateway):
        if self.name == "broken":
            raise %s
        import anyio, typer
        app = typer.Typer()
        async def ask(query):
            async with gateway() as chain:
                answer = await chain.search(SearchRequest(query=query))
                print(answer.hits[0].url)
        @app.command()
        def run(query: str):
            anyio.run(ask, query)
            raise typer.Exit(7)
        return app

class Engine(SearchBackend):
    name = "engine"
    verticals = {"web": frozenset()}
    async def search(self, request):
        if request.query == "down":
            raise NetworkFailed
        return [Hit(url="https://a.example/1", title="a")]

@hookimpl
def websearch_search_backends():
    yield Engine()

@hookimpl
def websearch_commands():
    yield Brought("broken")
    yield Brought("sound")
"""


def brought(install, tmp_path: Path, how: str = "RuntimeError('owls')") -> dict[str, str]:
    """The variables with which a plugin is there that brings two commands."""
    install("brought", BROUGHT % how)
    paths = [str(tmp_path / "site-packages"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {"WEBSEARCH_PLUGINS__ONLY": "brought", "PYTHONPATH": os.pathsep.join(paths)}


@pytest.mark.parametrize("kind", ["RuntimeError", "SystemExit"])
def test_a_command_that_cannot_be_made_is_blamed_and_keeps_no_other_from_running(
    run, install, tmp_path: Path, kind: str
) -> None:
    environ = brought(install, tmp_path, f"{kind}('owls')")
    blamed = f"plugin brought (acme-brought 1.0): the command broken cannot be made: {kind}: owls"
    done = run("broken", "x", **environ)
    assert (done.returncode, done.stderr) == (2, f"websearch: {blamed}\n")
    helped = run("--help", **environ)
    assert (helped.returncode, helped.stderr) == (0, f"websearch: broken is not listed: {blamed}\n")
    assert "sound" in helped.stdout
    assert "broken" not in helped.stdout
    done = run("sound", "x", **environ)
    assert (done.returncode, done.stdout) == (7, "https://a.example/1\n"), done.stderr


def test_what_fails_in_a_plugins_command_is_told_like_a_search_that_fails(run, install, tmp_path: Path) -> None:
    environ = brought(install, tmp_path)
    done, ours = run("sound", "down", **environ), run("search", "down", **environ)
    assert (done.returncode, done.stderr) == (ours.returncode, ours.stderr)
    assert done.returncode == 1
    assert "- engine: network: " in done.stderr


def test_a_misspelt_command_of_a_plugin_is_guessed(run, install, tmp_path: Path) -> None:
    done = run("sounds", **brought(install, tmp_path))
    assert done.returncode == 2
    assert "Did you mean 'sound'" in done.stderr
