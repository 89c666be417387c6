"""The browser keeps the contract of fetchers, with a real Chromium."""

from __future__ import annotations

import pytest

from websearch_browser import plugin
from websearch_browser.fetcher import BrowserFetcher
from websearch_browser.page import load_state
from websearch_core import Fetcher, PluginContext
from websearch_core.testing import FetcherContract, RecordedRequest, Response, answer

from .conftest import Lent


@pytest.mark.slow
@pytest.mark.real
@pytest.mark.usefixtures("chromium")
class TestBrowser(FetcherContract):
    component = BrowserFetcher
    plugin = "browser"
    raw = True
    patience_s = 60.0
    error_bodies = 4

    @pytest.fixture(scope="module")
    @classmethod
    def anyio_backend(cls) -> str:
        return "asyncio"

    @pytest.fixture(autouse=True)
    def surroundings(self, lent: Lent, monkeypatch: pytest.MonkeyPatch) -> None:
        """One browser for all; its pages load nothing late."""
        self.lent = lent
        monkeypatch.setattr(load_state, "_QUIET_S", 0.1)

    def good_answer(self, request: RecordedRequest) -> Response:
        return answer(
            200, "<!DOCTYPE html><title>T</title><p>Rivers find their way to the sea.", content_type="text/html"
        )

    def fetcher(self, ctx: PluginContext) -> Fetcher:
        made = next(iter(plugin.websearch_fetchers(ctx)))
        assert isinstance(made, BrowserFetcher)
        made.browser = self.lent
        return made
