"""The settings, and what the hook makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from websearch_core import StartupError
from websearch_core.kit import MissingSetting
from websearch_core.testing.fakes import context
from websearch_google.plugin import GoogleSettings, websearch_search_backends

KEY = "google-key-0123"
GOOD = {"api_key": KEY, "cx": "017576662512468239146:omuauf_lfve"}


def test_without_key_or_engine_it_is_off_and_names_both():
    with pytest.raises(MissingSetting) as caught:
        list(websearch_search_backends(context("google")))
    assert caught.value.names == ("WEBSEARCH_GOOGLE__API_KEY", "WEBSEARCH_GOOGLE__CX")


def test_the_usual_variables_are_understood():
    environ = {"GOOGLE_CUSTOM_SEARCH_API_KEY": f"{KEY}, other", "GOOGLE_CUSTOM_SEARCH_ID": " abc "}
    settings = context("google", environ=environ).settings(GoogleSettings)
    assert [key.get_secret_value() for key in settings.api_key] == [KEY, "other"]
    assert settings.cx == "abc"
    assert KEY not in repr(settings)


def test_a_key_for_other_services_of_google_is_not_taken():
    with pytest.raises(MissingSetting):
        context("google", environ={"GOOGLE_API_KEY": KEY, "GOOGLE_CUSTOM_SEARCH_ID": "abc"}).settings(GoogleSettings)


@pytest.mark.parametrize(
    "wrong",
    [
        {"api_key": "no good"},
        {"api_key": ""},
        {"cx": "https://cse.google.com/cse?cx=abc"},
        {"cx": ""},
        {"usd_per_unit": -1},
        {"kye": 1},
    ],
)
def test_wrong_settings_stop_the_start_without_telling_the_key(wrong):
    with pytest.raises(StartupError) as caught:
        context("google", {**GOOD, **wrong}).settings(GoogleSettings)
    assert not isinstance(caught.value, MissingSetting)
    assert KEY not in str(caught.value)
    assert "no good" not in str(caught.value)


def test_where_queries_go_is_known():
    ctx = context("google", GOOD)
    list(websearch_search_backends(ctx))
    assert tuple(ctx.origins) == ("https://customsearch.googleapis.com",)


def test_what_is_declared_beside_the_fields():
    [backend] = websearch_search_backends(context("google", GOOD))
    assert (backend.index_owner, backend.paid, backend.unit) == ("google", True, "request")
    assert (backend.max_results, backend.max_site_operators, backend.max_query_words) == (100, 10, 32)


@pytest.mark.parametrize("setting", GoogleSettings.model_fields)
def test_the_readme_names_each_setting(setting):
    assert f"| `{setting}` |" in (Path(__file__).parents[1] / "README.md").read_text()
