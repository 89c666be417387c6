"""docs/operators.md is held to the code: every setting with its default, every alias, error code and command."""

from __future__ import annotations

import importlib.metadata
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer

from websearch_core.cli.app import app
from websearch_core.contract.errors import Code
from websearch_core.settings import configuration

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "operators.md").read_text()
MODELS = {
    "chain": configuration.ChainSettings,
    "server": configuration.ServerSettings,
    "net": configuration.NetSettings,
    "store": configuration.StoreSettings,
    "ledger": configuration.LedgerSettings,
    "plugins": configuration.PluginsSettings,
}


def rows(heading: str) -> dict[str, list[str]]:
    """The first table below a heading: first cell, without its backticks, to the other cells."""
    lines = PAGE.split(f"\n{heading}\n", 1)[1].splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("|---"))
    table = []
    for line in lines[begin + 1 :]:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return {cells[0].strip("` "): cells[1:] for cells in table}


def written(default: Any) -> str:
    """A default as the page shows it: TOML, or words where there is none."""
    if default is None:
        return "not set"
    return f"`{json.dumps(list(default) if isinstance(default, tuple) else default)}`"


def test_every_table_of_the_core_is_on_the_page() -> None:
    assert set(MODELS) == set(configuration.CORE_TABLES)


@pytest.mark.parametrize("table", MODELS)
def test_every_setting_is_documented_with_its_default(table: str) -> None:
    documented = {key: cells[0] for key, cells in rows(f"### [{table}]").items()}
    assert documented == {name: written(field.default) for name, field in MODELS[table].model_fields.items()}


def test_every_alias_is_documented() -> None:
    expected = {
        variable: f"`[{table}] {field}`" for table, model in MODELS.items() for variable, field in model.aliases.items()
    }
    assert {variable: cells[0] for variable, cells in rows("### Variables of other programs").items()} == expected


@pytest.mark.parametrize("code", Code)
def test_every_error_code_is_documented_with_its_advice(code: Code) -> None:
    meaning, next_step = rows("## When something fails")[code]
    assert meaning == Code(code).advice.meaning
    assert next_step.startswith(Code(code).advice.next_step)
    assert next_step.endswith("a retry may help") == Code(code).advice.retry_helps


def plugin_settings() -> list[Any]:
    """Every settings model of our plugins that are installed, with the page that must explain it."""
    found = []
    for entry in importlib.metadata.entry_points(group="websearch"):
        page = ROOT / "plugins" / entry.name / "README.md"
        if page.exists():
            models = [each for each in vars(entry.load()).values() if isinstance(each, type)]
            mine = [
                each
                for each in models
                if issubclass(each, configuration.Settings) and each is not configuration.Settings
            ]
            found += [pytest.param(each, page, id=each.__name__) for each in mine]
    return found


@pytest.mark.parametrize(("model", "page"), plugin_settings())
def test_every_setting_and_alias_of_a_plugin_is_on_its_page(model: type[configuration.Settings], page: Path) -> None:
    words = set(re.findall(r"\w+", page.read_text()))
    assert {*model.model_fields, *model.aliases} - words == set()


def commands() -> dict[str, set[str]]:
    """Each command as it is typed, with its long options."""
    found = {}
    for name, command in typer.main.get_command(app).commands.items():
        below = getattr(command, "commands", None)
        for words, each in {f"{name} {sub}": c for sub, c in below.items()}.items() if below else [(name, command)]:
            found[words] = {opt for param in each.params for opt in param.opts if opt.startswith("--")}
    return found


@pytest.mark.parametrize("command", commands())
def test_every_command_and_option_is_documented(command: str) -> None:
    page = PAGE.split("\n## Commands\n", 1)[1].split("\n## ", 1)[0]
    of_plugin = ROOT / "plugins" / command.split(maxsplit=1)[0] / "README.md"
    page += of_plugin.read_text() if of_plugin.exists() else ""
    assert f"websearch {command}" in page
    assert {option for option in commands()[command] if option not in page} == set()


def test_the_example_configuration_loads() -> None:
    assert configuration.load(str(ROOT / "websearch.example.toml"), {}).server.listen == "127.0.0.1:8089"


def test_the_example_configuration_loads_with_every_line_in_force() -> None:
    text = (ROOT / "websearch.example.toml").read_text()
    in_force = re.sub(r"^# (\[[a-z]|\"alice\"|base_url)", r"\1", text, flags=re.MULTILINE)
    in_force = in_force.replace("64 hexadecimal digits", "0" * 64)
    assert in_force.count("\n# [") == 0
    loaded = configuration.Configuration(tomllib.loads(in_force), {}, "example")
    assert set(loaded.server.tokens) == {"alice"}
