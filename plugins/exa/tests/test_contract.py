"""Exa keeps the contracts of backends and fetchers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

from websearch_core.testing import FetcherContract, SearchBackendContract
from websearch_core.testing.site import answer
from websearch_exa.backend import Exa
from websearch_exa.fetcher import ExaContents
from websearch_exa.plugin import websearch_fetchers, websearch_search_backends

SAMPLES = Path(__file__).with_name("samples")


def sent(field, value, *path):
    """A proof: with this value of the field, the body holds `value` at `path`."""

    def holds(request):
        found = request.json()
        for step in path:
            found = found.get(step, {})
        return found == value

    return (field, holds)


class TestExa(SearchBackendContract):
    component = Exa
    plugin = "exa"
    outgoing: ClassVar = {
        "allowed_domains": sent(("example.com",), ["example.com"], "includeDomains"),
        "category": sent("research paper", "publication", "category"),
        "content_mode": sent("text", {"maxCharacters": 700}, "contents", "text"),
        "end_published_date": sent("2026-03-04T23:59:59Z", "2026-03-04T23:59:59.000Z", "endPublishedDate"),
        "excluded_domains": sent(("example.org",), ["example.org"], "excludeDomains"),
        "max_age_hours": sent(0, 0, "contents", "maxAgeHours"),
        "max_content_chars": sent(1234, 1234, "contents", "highlights", "maxCharacters"),
        "max_results": sent(3, 3, "numResults"),
        "safesearch": sent("strict", True, "moderation"),
        "start_published_date": sent("2026-01-02T00:00:00Z", "2026-01-02T00:00:00.000Z", "startPublishedDate"),
        "time_range": ("week", lambda request: request.json()["startPublishedDate"].endswith("Z")),
        "user_location_country": sent("DE", "DE", "userLocation"),
    }

    def settings(self):
        return {"api_key": self.secret, "base_url": self.site.url}

    def backend(self, ctx):
        [backend] = websearch_search_backends(ctx)
        return backend

    def good_answer(self, request):
        return answer(json=json.loads((SAMPLES / "search.json").read_text()))


class TestExaContents(FetcherContract):
    component = ExaContents
    plugin = "exa"

    def settings(self):
        return {"api_key": self.secret, "base_url": self.site.url}

    def fetcher(self, ctx):
        [fetcher] = websearch_fetchers(ctx)
        return fetcher

    def good_answer(self, request):
        asked = request.json()["urls"][0] if request.body else self.address("x")
        good = json.loads((SAMPLES / "contents.json").read_text())
        good["results"][0]["id"] = asked
        good["statuses"][0]["id"] = asked
        return answer(json=good)
