"""DuckDuckGo keeps the contract of backends."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from websearch_core.kit import BlockedBySite
from websearch_core.testing import SearchBackendContract, answer
from websearch_duckduckgo.backend import DuckDuckGo
from websearch_duckduckgo.plugin import websearch_search_backends

SAMPLES = Path(__file__).with_name("samples")


class TestDuckDuckGo(SearchBackendContract):
    component = DuckDuckGo
    plugin = "duckduckgo"
    # there is no key that could be refused: who is turned away is turned away as a visitor
    statuses: ClassVar = {202: BlockedBySite, 401: BlockedBySite, 403: BlockedBySite, 418: BlockedBySite}
    outgoing: ClassVar = {
        "language": ("de", lambda request: request.form["kl"] == "de-de"),
        "safesearch": ("strict", lambda request: request.form["kp"] == "1"),
        "time_range": ("week", lambda request: request.form["df"] == "w"),
        "user_location_country": ("DE", lambda request: request.form["kl"] == "de-de"),
    }

    def settings(self):
        return {"html_url": self.site.url, "lite_url": self.site.url}

    def backend(self, ctx):
        [backend] = websearch_search_backends(ctx)
        return backend

    def good_answer(self, request):
        name = "lite.html" if request.path == "/lite/" else "html.html"
        return answer(200, (SAMPLES / name).read_bytes(), content_type="text/html; charset=UTF-8")
