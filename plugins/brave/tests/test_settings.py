"""What an operator may write under `[plugin.brave]`."""

from __future__ import annotations

from pathlib import Path

import pytest

from websearch_brave.plugin import BraveSettings, websearch_search_backends
from websearch_core import StartupError
from websearch_core.kit import MissingSetting
from websearch_core.testing.fakes import context


def settings(environ=None, **table):
    return context("brave", table, environ=environ).settings(BraveSettings)


def test_without_a_key_the_backend_is_off():
    with pytest.raises(MissingSetting) as caught:
        list(websearch_search_backends(context("brave")))
    assert caught.value.names == ("WEBSEARCH_BRAVE__API_KEY",)


@pytest.mark.parametrize("variable", ["WEBSEARCH_BRAVE__API_KEY", "BRAVE_API_KEY", "LMCP_BRAVE_API_KEY"])
def test_the_usual_variables_are_understood(variable):
    assert [key.get_secret_value() for key in settings({variable: "one,two"}).api_key] == ["one", "two"]


def test_queries_go_to_brave():
    ctx = context("brave", {"api_key": "k"})
    list(websearch_search_backends(ctx))
    assert tuple(ctx.origins) == ("https://api.search.brave.com",)


def test_settings_come_from_the_environment_too():
    read = settings(
        {
            "BRAVE_API_KEY": "k",
            "WEBSEARCH_BRAVE__GOGGLES": "https://example.com/a.goggle,https://example.com/b.goggle",
            "WEBSEARCH_BRAVE__EXTRA_SNIPPETS": "false",
            "WEBSEARCH_BRAVE__LLM_CONTEXT": "false",
            "WEBSEARCH_BRAVE__USD_PER_UNIT": "0.003",
        }
    )
    assert read.goggles == ("https://example.com/a.goggle", "https://example.com/b.goggle")
    assert (read.extra_snippets, read.llm_context, read.usd_per_unit) == (False, False, 0.003)


@pytest.mark.parametrize(
    "wrong",
    [
        {"api_key": ""},
        {"api_key": "two words"},
        {"base_url": "api.search.brave.com"},
        {"goggles": ["http://example.com/sesame.goggle"]},
        {"goggles": ["$discard,site=sesame.example"]},
        {"goggles": ["https://"]},
        {"goggles": ["https://example.com/a b"]},
        {"goggles": [" https://example.com/sesame"]},
        {"goggles": [f"https://example.com/{n}" for n in range(4)]},
        {"extra_snippets": "sesame"},
        {"llm_context": "sesame"},
        {"usd_per_unit": -1},
        {"usd_per_unit": float("nan")},
        {"unknown": 1},
    ],
)
def test_wrong_settings_stop_the_start_without_being_repeated(wrong):
    with pytest.raises(StartupError) as caught:
        list(websearch_search_backends(context("brave", {"api_key": "k", **wrong})))
    assert not isinstance(caught.value, MissingSetting)
    assert "sesame" not in str(caught.value)


@pytest.mark.parametrize("setting", BraveSettings.model_fields)
def test_the_readme_names_each_setting(setting):
    assert f"`{setting}`" in (Path(__file__).parents[1] / "README.md").read_text().partition("## Settings")[2]
