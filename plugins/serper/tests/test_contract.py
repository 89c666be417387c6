"""Serper keeps the contract of backends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

from websearch_core.testing import SearchBackendContract
from websearch_core.testing.site import answer
from websearch_serper.backend import Serper
from websearch_serper.plugin import websearch_search_backends

SAMPLES = Path(__file__).with_name("samples")
NAMES = {"/search": "web.json", "/news": "news.json", "/images": "images.json"}


def sent(value, **fields):
    """A proof: with this value, the body holds these fields."""
    return (value, lambda request: fields.items() <= request.json().items())


class TestSerper(SearchBackendContract):
    component = Serper
    plugin = "serper"
    outgoing: ClassVar = {
        "language": sent("de", hl="de"),
        "max_results": sent(3, num=3),
        "time_range": sent("week", tbs="qdr:w"),
        "user_location_country": sent("DE", gl="de"),
    }

    def settings(self):
        return {"api_key": self.secret, "base_url": self.site.url}

    def backend(self, ctx):
        [backend] = websearch_search_backends(ctx)
        return backend

    def good_answer(self, request):
        return answer(json=json.loads((SAMPLES / NAMES[request.path]).read_text()))
