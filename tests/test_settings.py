"""websearch.toml and the environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, Self

import pytest
from pydantic import SecretStr, model_validator

from websearch_core import Settings, StartupError
from websearch_core.contract.errors import MissingSetting
from websearch_core.settings.configuration import Configuration, load


class Engine(Settings):
    aliases = {"ENGINE_KEY": "api_key"}

    api_key: SecretStr
    base_url: str = "https://api.example.com"
    engines: tuple[str, ...] = ()
    limit: int = 5


def test_a_bare_start_has_the_documented_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    configuration = load(None, {})
    assert configuration.server.listen == "127.0.0.1:8089"
    assert configuration.chain.strategy == "fallback"
    assert configuration.net.max_bytes == 10_000_000


def test_the_file_in_the_working_folder_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "websearch.toml").write_text('[chain]\nbackends = ["exa"]\n')
    monkeypatch.chdir(tmp_path)
    assert load(None, {}).chain.backends == ("exa",)


def test_a_named_file_wins_over_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "websearch.toml").write_text('[chain]\nbackends = ["exa"]\n')
    (tmp_path / "other.toml").write_text('[chain]\nbackends = ["searxng"]\n')
    monkeypatch.chdir(tmp_path)
    assert load(None, {"WEBSEARCH_CONFIG": str(tmp_path / "other.toml")}).chain.backends == ("searxng",)


@pytest.mark.parametrize(
    ("variable", "text", "table", "field", "value"),
    [
        ("WEBSEARCH_CHAIN__BACKENDS", "exa, searxng", "chain", "backends", ("exa", "searxng")),
        ("WEBSEARCH_CHAIN__BACKENDS", '["exa"]', "chain", "backends", ("exa",)),
        ("WEBSEARCH_CHAIN__ON_FAILURE", '{"a": "allow"}', "chain", "on_failure", {"a": "allow"}),
        ("WEBSEARCH_SERVER__PAGES", "true", "server", "pages", True),
        ("WEBSEARCH_SERVER__FLOOR", "pii", "server", "floor", ("pii",)),
        ("WEBSEARCH_NET__MAX_BYTES", "1000", "net", "max_bytes", 1000),
        ("LISTEN_ADDR", ":9000", "server", "listen", "0.0.0.0:9000"),
        ("LMCP_SEARCH_BACKEND", "searxng", "chain", "backends", ("searxng",)),
    ],
)
def test_the_environment_is_understood(variable: str, text: str, table: str, field: str, value: object) -> None:
    configuration = Configuration({}, {variable: text})
    assert getattr(getattr(configuration, table), field) == value


def test_the_environment_wins_over_the_file_and_the_file_over_foreign_variables() -> None:
    tables = {"server": {"listen": "127.0.0.1:1"}}
    assert Configuration(tables, {"LISTEN_ADDR": ":2"}).server.listen == "127.0.0.1:1"
    ours = {"LISTEN_ADDR": ":2", "WEBSEARCH_SERVER__LISTEN": "127.0.0.1:3"}
    assert Configuration(tables, ours).server.listen == "127.0.0.1:3"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[chian]\n", "[chian]"),
        ("[chain]\nbackend = []\n", "[chain] backend: unknown setting"),
        ('[chain]\nstrategy = "guess"\n', "[chain] strategy"),
        ('[server]\nlisten = "8089"\n', "HOST:PORT"),
        ('[net]\nuser_agent = "a\\r\\nX-Key: b"\n', "[net] user_agent: must be one line"),
        ('[server]\nallowed_hosts = ["http://a.example"]\n', "[server] allowed_hosts: each must be HOST or HOST:PORT"),
        ('[server]\nallowed_origins = ["a.example"]\n', "[server] allowed_origins: each must be scheme and host"),
        ('[server]\nallowed_origins = ["https://a.example/"]\n', "[server] allowed_origins: each must be"),
        ('[chain.routes]\nnew = ["a"]\n', "[chain] routes.new: Input should be 'web'"),
        ('[net]\nuser_agent = "caf\u00e9"\n', "[net] user_agent"),
        ('[net]\nuser_agent = " a"\n', "[net] user_agent"),
        ("chain = 3\n", "[chain]"),
        ("plugin = 3\n", "[plugin]"),
        ("[plugin]\nengine = 3\n", "[plugin.engine]"),
        ("[chain\n", "not valid TOML"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, text: str, named: str) -> None:
    file = tmp_path / "w.toml"
    file.write_text(text)
    with pytest.raises(StartupError) as caught:
        load(str(file), {}).for_plugin("engine", Engine)
    assert named in str(caught.value)
    assert "w.toml" in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StartupError, match=r"nowhere\.toml"):
        load(str(tmp_path / "nowhere.toml"), {})


@pytest.mark.parametrize("variable", ["WEBSEARCH_CHAIN__BACKEND", "WEBSEARCH_SERVER__PORT"])
def test_a_misspelt_variable_is_named(variable: str) -> None:
    with pytest.raises(StartupError, match=variable):
        Configuration({}, {variable: "x"})


def test_a_variable_or_table_of_no_plugin_stops_the_start() -> None:
    with pytest.raises(StartupError, match="WEBSEARCH_NOBODY__KEY"):
        Configuration({}, {"WEBSEARCH_NOBODY__KEY": "x"}).check_plugins(frozenset({"exa"}))
    with pytest.raises(StartupError, match=r"plugin\.nobody"):
        Configuration({"plugin": {"nobody": {}}}, {}).check_plugins(frozenset({"exa"}))


def test_one_underscore_too_few_is_named_with_the_right_spelling() -> None:
    known = frozenset({"guard", "guard-pii"})
    for variable, right in [
        ("WEBSEARCH_CHAIN_REQUIRE", "WEBSEARCH_CHAIN__REQUIRE"),
        ("WEBSEARCH_GUARD_STRICT", "WEBSEARCH_GUARD__STRICT"),
    ]:
        with pytest.raises(StartupError, match=right):
            Configuration({}, {variable: "x"}).check_plugins(known)
    Configuration({}, {"WEBSEARCH_GUARD_PII__STRICT": "x", "WEBSEARCH_CONFIG": "y"}).check_plugins(known)


@pytest.mark.parametrize("text", ["[" * 50_000, "a = " + "[" * 50_000])
def test_a_file_that_nests_too_deeply_is_a_mistake_like_others(tmp_path: Path, text: str) -> None:
    (tmp_path / "w.toml").write_text(text)
    with pytest.raises(StartupError, match="not valid TOML"):
        load(str(tmp_path / "w.toml"), {})


def test_a_home_folder_that_is_not_there_is_named() -> None:
    with pytest.raises(StartupError, match=r"\[store\] data_dir.*~nobody-of-this-name"):
        _ = Configuration({"store": {"data_dir": "~nobody-of-this-name/x"}}, {}).data_dir


def test_a_plugins_settings_come_from_table_alias_and_variable() -> None:
    tables = {"plugin": {"engine": {"limit": 7, "engines": ["a"]}}}
    settings = Configuration(tables, {"ENGINE_KEY": "k1"}).for_plugin("engine", Engine)
    assert (settings.limit, settings.engines, settings.api_key.get_secret_value()) == (7, ("a",), "k1")
    both = {"ENGINE_KEY": "k1", "WEBSEARCH_ENGINE__API_KEY": "k2"}
    assert Configuration({}, both).for_plugin("engine", Engine).api_key.get_secret_value() == "k2"


def test_aliases_that_were_taken_are_listed() -> None:
    configuration = Configuration({}, {"ENGINE_KEY": "k1", "LISTEN_ADDR": ":1"})
    configuration.for_plugin("engine", Engine)
    assert configuration.aliases_used == {"LISTEN_ADDR": "[server] listen", "ENGINE_KEY": "[plugin.engine] api_key"}


def test_a_missing_key_is_named_as_the_variable_to_set() -> None:
    with pytest.raises(MissingSetting) as caught:
        Configuration({}, {}).for_plugin("engine", Engine)
    assert str(caught.value) == "WEBSEARCH_ENGINE__API_KEY not set"


class Pair(Settings):
    one: str
    other: int
    pair: tuple[int, ...] = ()


class Checked(Settings):
    limit: int = 5

    @model_validator(mode="after")
    def _never(self) -> Self:
        raise ValueError("not even untouched")


def test_all_that_is_missing_is_named_at_once() -> None:
    with pytest.raises(MissingSetting, match="WEBSEARCH_ENGINE__ONE, WEBSEARCH_ENGINE__OTHER not set"):
        Configuration({}, {}).for_plugin("engine", Pair)


def test_untouched_settings_are_those_that_validation_would_make() -> None:
    untouched = Configuration({}, {}).chain
    assert untouched == type(untouched).model_validate({})
    assert not untouched.model_fields_set


def test_a_models_own_rule_holds_for_its_defaults_too() -> None:
    with pytest.raises(StartupError, match="not even untouched"):
        Configuration({}, {}).for_plugin("engine", Checked)


def test_a_rule_that_the_defaults_alone_break_is_blamed_on_the_file() -> None:
    with pytest.raises(StartupError) as caught:
        Configuration({"plugin": {"engine": {}}}, {}, "w.toml").for_plugin("engine", Checked)
    assert str(caught.value).startswith("w.toml: [plugin.engine]")


def test_an_empty_variable_is_not_set() -> None:
    environ = {"WEBSEARCH_ENGINE__LIMIT": "", "WEBSEARCH_ENGINE__API_KEY": "", "LISTEN_ADDR": ""}
    with pytest.raises(MissingSetting):
        Configuration({}, environ).for_plugin("engine", Engine)


def test_an_empty_variable_leaves_a_list_as_it_was() -> None:
    tables = {"chain": {"require": ["guard-pii"]}, "plugin": {"engine": {"api_key": "k", "engines": ["a"]}}}
    environ = {
        "WEBSEARCH_CHAIN__REQUIRE": "",
        "WEBSEARCH_SERVER__FLOOR": "",
        "WEBSEARCH_ENGINE__ENGINES": "",
        "LMCP_SEARCH_BACKEND": "",
    }
    configuration = Configuration(tables, environ)
    assert configuration.chain.require == ("guard-pii",)
    assert configuration.server.floor is None
    assert configuration.chain.backends == ()
    assert configuration.for_plugin("engine", Engine).engines == ("a",)
    assert configuration.aliases_used == {}


class Sized(Settings):
    bucket: Literal[200, 500] = 500
    most: Literal[1, 2] | None = None
    sizes: tuple[Literal[10, 20], ...] = ()


def test_numbers_among_choices_can_be_chosen_by_variable() -> None:
    environ = {"WEBSEARCH_ENGINE__BUCKET": "200", "WEBSEARCH_ENGINE__MOST": "2", "WEBSEARCH_ENGINE__SIZES": "20, 10"}
    assert Configuration({}, environ).for_plugin("engine", Sized) == Sized(bucket=200, most=2, sizes=(20, 10))
    with pytest.raises(StartupError, match=r"WEBSEARCH_ENGINE__BUCKET: .* Input should be 200 or 500"):
        Configuration({}, {"WEBSEARCH_ENGINE__BUCKET": "300"}).for_plugin("engine", Sized)


class Ordered(Settings):
    aliases = {"ENGINE_LEAST": "least"}

    least: int = 1
    most: int = 5

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.least > self.most:
            raise ValueError("least is more than most")
        return self


@pytest.mark.parametrize(
    ("table", "environ", "blamed"),
    [
        ({"most": "x"}, {}, "w.toml: [plugin.engine] most: "),
        ({"most": 3}, {"WEBSEARCH_ENGINE__MOST": "x"}, "WEBSEARCH_ENGINE__MOST: [plugin.engine] most: "),
        ({"most": "x"}, {"WEBSEARCH_ENGINE__LEAST": "1"}, "w.toml: [plugin.engine] most: "),
        ({}, {"ENGINE_LEAST": "x"}, "ENGINE_LEAST: [plugin.engine] least: "),
        ({"most": 3}, {"WEBSEARCH_ENGINE__LEAST": "4"}, "w.toml, WEBSEARCH_ENGINE__LEAST: [plugin.engine] "),
        ({"colour": 3}, {}, "w.toml: [plugin.engine] colour: unknown setting"),
    ],
)
def test_a_mistake_is_blamed_on_the_file_or_variable_that_has_it(
    table: dict[str, Any], environ: dict[str, str], blamed: str
) -> None:
    with pytest.raises(StartupError) as caught:
        Configuration({"plugin": {"engine": table}}, environ, "w.toml").for_plugin("engine", Ordered)
    assert str(caught.value).startswith(blamed)


def test_a_bad_value_is_never_printed() -> None:
    secret = "sk-very-secret"
    environ = {"WEBSEARCH_ENGINE__LIMIT": secret, "WEBSEARCH_ENGINE__API_KEY": secret}
    with pytest.raises(StartupError) as caught:
        Configuration({}, environ).for_plugin("engine", Engine)
    assert secret not in str(caught.value)
    assert "limit" in str(caught.value)


@pytest.mark.parametrize(
    ("tables", "problem"),
    [
        ({"chain": {"routes": {"news": []}}}, r"routes: news: name at least one backend"),
        ({"chain": {"routes": {"news": "brave"}}}, r"routes.news: Input should be a list"),
        (
            {"ledger": {"caps": {"brave": {"usd_per_year": 5}}}},
            r"caps.brave.usd_per_year: unknown setting; known: .*usd_per_day",
        ),
        ({"ledger": {"caps": {"brave": {"usd_per_day": float("inf")}}}}, r"caps.brave.usd_per_day"),
        ({"ledger": {"caps": {"brave": {"units_per_day": 1e305}}}}, r"caps.brave.units_per_day"),
        ({"ledger": {"caps": {"brave": {"usd_per_day": -1}}}}, r"caps.brave.usd_per_day"),
    ],
)
def test_routes_and_caps_that_cannot_be_meant(tables: dict[str, Any], problem: str) -> None:
    with pytest.raises(StartupError, match=problem):
        Configuration(tables, {}, "websearch.toml")


def test_short_names_are_understood_in_routes_too() -> None:
    chain = Configuration({"chain": {"routes": {"web": ["ddg"]}, "backends": ["ddg"]}}, {}).chain
    assert (chain.routes, chain.backends) == ({"web": ("duckduckgo",)}, ("duckduckgo",))


@pytest.mark.parametrize("variable", ["WEBSEARCH_CHAIN__keyless", "websearch_chain__keyless", "Websearch_Exa__Api_Key"])
def test_a_variable_that_is_not_in_capitals_is_named_with_the_right_spelling(variable: str) -> None:
    with pytest.raises(StartupError, match=f"^{variable}: .*{variable.upper()}$"):
        Configuration({}, {variable: "false"}).check_plugins(frozenset({"exa"}))


@pytest.mark.parametrize("variable", ["WEBSEARCH_FOO", "WEBSEARCH_CHAIN", "websearch_foo"])
def test_a_variable_that_nobody_reads_is_named_in_the_log(variable: str, caplog: pytest.LogCaptureFixture) -> None:
    Configuration({}, {variable: "value-canary", "WEBSEARCH_CONFIG": "y"}).check_plugins(frozenset({"exa"}))
    assert [record.getMessage().partition(" ")[0] for record in caplog.records] == [variable]
    assert "canary" not in caplog.text
