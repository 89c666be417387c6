"""Google keeps the contract of backends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

from websearch_core.testing import SearchBackendContract
from websearch_core.testing.site import answer
from websearch_google.backend import Google
from websearch_google.plugin import websearch_search_backends

SAMPLES = Path(__file__).with_name("samples")


def sent(value, **parameters):
    """A proof: with this value, the query string holds these parameters."""
    return (value, lambda request: parameters.items() <= request.query.items())


class TestGoogle(SearchBackendContract):
    component = Google
    plugin = "google"
    outgoing: ClassVar = {
        "end_published_date": sent("2026-03-04T23:59:59Z", sort="date:r::20260304"),
        "images.time_range": sent("week", dateRestrict="w1"),
        "language": sent("de", lr="lang_de", hl="de"),
        "max_results": sent(3, num="3"),
        "news.end_published_date": sent("2026-03-04T23:59:59Z", sort="date:d:s,date:r::20260304"),
        "news.start_published_date": sent("2026-01-02T00:00:00Z", sort="date:d:s,date:r:20260102:"),
        "safesearch": sent("strict", safe="active"),
        "start_published_date": sent("2026-01-02T00:00:00Z", sort="date:r:20260102:"),
        "time_range": sent("week", dateRestrict="w1"),
        "user_location_country": sent("GB", gl="uk"),
    }

    def settings(self):
        return {"api_key": self.secret, "cx": "0473ef98502d44e18", "base_url": self.site.url}

    def backend(self, ctx):
        [backend] = websearch_search_backends(ctx)
        return backend

    def good_answer(self, request):
        name = "images.json" if request.query.get("searchType") == "image" else "web.json"
        return answer(json=json.loads((SAMPLES / name).read_text()))
