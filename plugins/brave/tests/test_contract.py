"""Brave keeps the contract of backends."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from websearch_brave.backend import Brave
from websearch_brave.plugin import websearch_search_backends
from websearch_core.kit import PlanMismatch
from websearch_core.testing import SearchBackendContract
from websearch_core.testing.site import answer

SAMPLES = Path(__file__).with_name("samples")
ANSWERS = {
    "/web/search": "web.json",
    "/news/search": "news.json",
    "/images/search": "images.json",
    "/llm/context": "llm_context.json",
}


def sent(value, **expected):
    """A proof: with this value of the field, the address holds these parameters."""
    return (value, lambda request: {name: request.query.get(name) for name in expected} == expected)


class TestBrave(SearchBackendContract):
    component = Brave
    plugin = "brave"
    statuses: ClassVar = {403: PlanMismatch}
    outgoing: ClassVar = {
        "allowed_domains": sent(("example.com",), goggles="$discard\n$site=example.com"),
        "content_mode": ("text", lambda request: request.path == "/llm/context"),
        "end_published_date": sent("2025-03-04T23:59:59Z", freshness="1990-01-01to2025-03-04"),
        "goggle": sent("https://example.com/my.goggle", goggles="https://example.com/my.goggle"),
        "language": sent("ja", search_lang="jp", country="ALL"),
        "max_results": sent(3, count="3"),
        "safesearch": sent("strict", safesearch="strict"),
        "start_published_date": sent("2025-01-02T00:00:00Z", freshness="2025-01-02to2025-06-15"),
        "time_range": sent("week", freshness="pw"),
        "user_location_country": sent("DE", country="DE"),
    }

    def settings(self):
        return {"api_key": self.secret, "base_url": self.site.url}

    def backend(self, ctx):
        [backend] = websearch_search_backends(ctx)
        return backend

    def good_answer(self, request):
        return answer(200, (SAMPLES / ANSWERS[request.path]).read_bytes(), content_type="application/json")
