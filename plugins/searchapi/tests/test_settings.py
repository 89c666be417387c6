"""The settings, and what the hook makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from websearch_core import StartupError
from websearch_core.kit import MissingSetting
from websearch_core.testing.fakes import context
from websearch_searchapi.plugin import SearchApiSettings, websearch_search_backends

KEY = "searchapi-key-0123"


def test_without_a_key_it_is_off():
    with pytest.raises(MissingSetting) as caught:
        list(websearch_search_backends(context("searchapi")))
    assert caught.value.names == ("WEBSEARCH_SEARCHAPI__API_KEY",)


def test_the_usual_variable_is_understood():
    settings = context("searchapi", environ={"SEARCHAPI_API_KEY": f"{KEY}, other"}).settings(SearchApiSettings)
    assert [key.get_secret_value() for key in settings.api_key] == [KEY, "other"]
    assert KEY not in repr(settings)


@pytest.mark.parametrize("wrong", [{"api_key": "no good"}, {"api_key": ""}, {"usd_per_unit": -1}, {"kye": 1}])
def test_wrong_settings_stop_the_start_without_telling_the_key(wrong):
    with pytest.raises(StartupError) as caught:
        context("searchapi", {"api_key": KEY, **wrong}).settings(SearchApiSettings)
    assert not isinstance(caught.value, MissingSetting)
    assert KEY not in str(caught.value)
    assert "no good" not in str(caught.value)


def test_where_queries_go_is_known():
    ctx = context("searchapi", {"api_key": KEY})
    list(websearch_search_backends(ctx))
    assert tuple(ctx.origins) == ("https://www.searchapi.io",)


def test_what_is_declared_beside_the_fields():
    [backend] = websearch_search_backends(context("searchapi", {"api_key": KEY}))
    assert (backend.index_owner, backend.paid, backend.unit) == ("google", True, "search")
    assert (backend.max_results, backend.max_site_operators, backend.max_query_words) == (100, 10, 32)


@pytest.mark.parametrize("setting", SearchApiSettings.model_fields)
def test_the_readme_names_each_setting(setting):
    assert f"| `{setting}` |" in (Path(__file__).parents[1] / "README.md").read_text()
