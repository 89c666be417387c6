"""Settings, and what is known of the backend before it is asked anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from websearch_core import StartupError
from websearch_core.testing import context
from websearch_duckduckgo.plugin import DuckDuckGoSettings, websearch_search_backends

README = Path(__file__).parents[1] / "README.md"


@pytest.mark.parametrize(
    "settings",
    [
        {"max_pages": 0},
        {"max_pages": 4},
        {"user_agent": " "},
        {"user_agent": "a\nb: c"},
        {"html_url": "duckduckgo.com"},
        {"lite_url": "ftp://duckduckgo.com"},
        {"lite_url": ""},
        {"kl": "de-de"},
    ],
)
def test_wrong_settings_stop_the_start(settings):
    with pytest.raises(StartupError):
        list(websearch_search_backends(context("duckduckgo", settings)))


@pytest.mark.parametrize(
    ("settings", "origins"),
    [
        ({}, ("https://html.duckduckgo.com", "https://lite.duckduckgo.com")),
        ({"lite": False}, ("https://html.duckduckgo.com",)),
    ],
)
def test_where_queries_go_is_known(settings, origins):
    ctx = context("duckduckgo", settings)
    [backend] = websearch_search_backends(ctx)
    assert ctx.origins == origins
    assert backend.keyless
    assert not backend.paid


@pytest.mark.parametrize("setting", DuckDuckGoSettings.model_fields)
def test_the_readme_names_each_setting(setting):
    assert f"`{setting}`" in README.read_text(encoding="utf-8").partition("## Settings")[2]
