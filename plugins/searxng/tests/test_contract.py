"""SearXNG keeps the contract of backends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

from websearch_core.testing import SearchBackendContract
from websearch_core.testing.site import answer
from websearch_searxng.backend import Searxng
from websearch_searxng.plugin import websearch_search_backends

SAMPLES = Path(__file__).with_name("samples")


class TestSearxng(SearchBackendContract):
    component = Searxng
    plugin = "searxng"
    outgoing: ClassVar = {
        "language": ("de-AT", lambda request: request.form["language"] == "de-AT"),
        "user_location_country": ("AT", lambda request: request.form["language"] == "de-AT"),
        "time_range": ("week", lambda request: request.form["time_range"] == "week"),
        "safesearch": ("strict", lambda request: request.form["safesearch"] == "2"),
    }

    def settings(self):
        return {"base_url": self.site.url, "username": "anna", "password": self.secret}

    def backend(self, ctx):
        [backend] = websearch_search_backends(ctx)
        return backend

    def good_answer(self, request):
        good = json.loads((SAMPLES / "head_search.json").read_text())
        for number, result in enumerate(good["results"]):
            result["img_src"] = f"https://example.com/{number}.png"
        return answer(json=good)
