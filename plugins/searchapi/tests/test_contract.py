"""SearchApi keeps the contract of backends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

from websearch_core.testing import SearchBackendContract
from websearch_core.testing.site import answer
from websearch_searchapi.backend import SearchApi
from websearch_searchapi.plugin import websearch_search_backends

SAMPLES = Path(__file__).with_name("samples")
NAMES = {"google": "web.json", "google_news": "news.json", "google_images": "images.json"}


def sent(value, **parameters):
    """A proof: with this value, the query string holds these parameters."""
    return (value, lambda request: parameters.items() <= request.query.items())


class TestSearchApi(SearchBackendContract):
    component = SearchApi
    plugin = "searchapi"
    outgoing: ClassVar = {
        "end_published_date": sent("2026-03-04T23:59:59Z", time_period_max="03/04/2026"),
        "language": sent("de", lr="lang_de", hl="de"),
        "safesearch": sent("strict", safe="active"),
        "start_published_date": sent("2026-01-02T00:00:00Z", time_period_min="01/02/2026"),
        "time_range": sent("week", time_period="last_week"),
        "user_location_country": sent("DE", gl="de"),
    }

    def settings(self):
        return {"api_key": self.secret, "base_url": self.site.url}

    def backend(self, ctx):
        [backend] = websearch_search_backends(ctx)
        return backend

    def good_answer(self, request):
        name = NAMES[request.query.get("engine", "google")]
        return answer(json=json.loads((SAMPLES / name).read_text()))
