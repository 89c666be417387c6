"""Tavily keeps the contracts of backends and fetchers, with a key and without one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

from websearch_core.kit import PlanMismatch, QuotaExceeded
from websearch_core.testing import FetcherContract, SearchBackendContract
from websearch_core.testing.site import answer
from websearch_tavily.backend import Tavily
from websearch_tavily.fetcher import TavilyExtract
from websearch_tavily.plugin import websearch_fetchers, websearch_search_backends

SAMPLES = Path(__file__).with_name("samples")


def sent(field, value, key):
    """A proof: with this value of the field, the body holds `value` under `key`."""
    return (field, lambda request: request.json().get(key) == value)


class _Search(SearchBackendContract):
    component = Tavily
    plugin = "tavily"
    outgoing: ClassVar = {
        "allowed_domains": sent(("example.com",), ["example.com"], "include_domains"),
        "content_mode": sent("text", "markdown", "include_raw_content"),
        "end_published_date": sent("2026-03-04T23:59:59Z", "2026-03-05", "end_date"),
        "excluded_domains": sent(("example.org",), ["example.org"], "exclude_domains"),
        "language": sent("de-AT", "de", "language"),
        "max_results": sent(3, 3, "max_results"),
        "safesearch": sent("strict", True, "safe_search"),
        "start_published_date": sent("2026-01-02T00:00:00Z", "2026-01-01", "start_date"),
        "time_range": sent("week", "week", "time_range"),
        "user_location_country": sent("DE", "germany", "country"),
    }

    def backend(self, ctx):
        [backend] = websearch_search_backends(ctx)
        return backend

    def good_answer(self, request):
        return answer(json=json.loads((SAMPLES / "search.json").read_text()))


class TestTavily(_Search, SearchBackendContract):
    component = Tavily
    statuses: ClassVar = {403: PlanMismatch, 432: QuotaExceeded, 433: QuotaExceeded}

    def settings(self):
        return {"api_key": self.secret, "base_url": self.site.url}


class TestTavilyFast(_Search):
    """A depth that knows no safe search."""

    def settings(self):
        return {"api_key": self.secret, "base_url": self.site.url, "search_depth": "fast"}


class TestTavilyKeyless(_Search):
    statuses: ClassVar = {401: PlanMismatch, 403: PlanMismatch, 432: QuotaExceeded, 433: QuotaExceeded}

    def settings(self):
        return {"base_url": self.site.url}


class _Extract(FetcherContract):
    component = TavilyExtract
    plugin = "tavily"
    statuses: ClassVar = {432: QuotaExceeded, 433: QuotaExceeded}

    def fetcher(self, ctx):
        [fetcher] = websearch_fetchers(ctx)
        return fetcher

    def good_answer(self, request):
        good = json.loads((SAMPLES / "extract.json").read_text())
        good["results"][0]["url"] = request.json()["urls"][0] if request.body else self.address("x")
        return answer(json=good)


class TestTavilyExtract(_Extract, FetcherContract):
    component = TavilyExtract

    def settings(self):
        return {"api_key": self.secret, "base_url": self.site.url}


class TestTavilyExtractKeyless(_Extract):
    statuses: ClassVar = {401: PlanMismatch, 403: PlanMismatch, 432: QuotaExceeded, 433: QuotaExceeded}

    def settings(self):
        return {"base_url": self.site.url, "fetch": True}
