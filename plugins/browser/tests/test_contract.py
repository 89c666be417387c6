"""The browser keeps the contract of fetchers, with a real Chromium."""

from __future__ import annotations

import pytest

from websearch_browser import plugin
from websearch_browser.fetcher import BrowserFetcher
from websearch_core import Fetcher, PluginContext
from websearch_core.testing import FetcherContract, RecordedRequest, Response, answer


@pytest.mark.real
@pytest.mark.usefixtures("chromium")
class TestBrowser(FetcherContract):
    component = BrowserFetcher
    plugin = "browser"
    raw = True
    patience_s = 60.0
    error_bodies = 4

    def good_answer(self, request: RecordedRequest) -> Response:
        return answer(
            200, "<!DOCTYPE html><title>T</title><p>Rivers find their way to the sea.", content_type="text/html"
        )

    def fetcher(self, ctx: PluginContext) -> Fetcher:
        return next(iter(plugin.websearch_fetchers(ctx)))
