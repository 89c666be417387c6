"""What every request field comes to with every backend: pushed down, done here, or named in the notes."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st

from websearch_core.asking.search.searcher import Searcher
from websearch_core.asking.source.guarded_source import Guards
from websearch_core.contract.errors import AllSourcesFailed
from websearch_core.contract.interfaces import SearchBackend
from websearch_core.contract.models import Hit, SearchRequest
from websearch_core.contract.results import Answer
from websearch_core.net.domains import DomainRules
from websearch_core.net.urls import parse
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing.installed import installed_backends

from .fakes import EPOCH, Told, TurnedClock, settings

INSTALLED = installed_backends()
ENGINES = sorted(INSTALLED)
NOW = datetime.fromtimestamp(EPOCH, UTC)
DONE_HERE = {"max_results", "max_content_chars", "allowed_domains", "excluded_domains"}
"""What the core does for every backend."""
DATES = {"start_published_date", "end_published_date", "time_range"}

hosts = st.sampled_from(["a.com", "www.a.com", "b.com", "sub.b.com", "c.org", "d.net", "xn--bcher-kva.example"])
rules = st.lists(
    st.sampled_from(["a.com", "=b.com", "*.b.com", "c.*", "d.net", "bücher.example"]), max_size=4, unique=True
).map(tuple)
moments = st.one_of(st.none(), st.integers(0, 900).map(lambda days: NOW - timedelta(days=days)))
found = st.lists(
    st.builds(
        lambda host, path, published, text: Hit(
            url=f"https://{host}/{path}", title="t", snippet=text, published=published
        ),
        hosts,
        st.integers(0, 30),
        moments,
        st.sampled_from(["", "short", "long " * 300]),
    ),
    max_size=60,
)
OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    "max_results": st.integers(1, 50),
    "max_content_chars": st.sampled_from([1, 5, 700, 5000]),
    "content_mode": st.just("text"),
    "allowed_domains": rules,
    "excluded_domains": rules,
    "start_published_date": moments,
    "end_published_date": moments,
    "time_range": st.sampled_from(["day", "week", "month", "year"]),
    "language": st.sampled_from(["de", "pt-BR", "zh-Hant", "tlh"]),
    "user_location_country": st.sampled_from(["DE", "US", "AQ"]),
    "category": st.sampled_from(["news", "research paper"]),
    "safesearch": st.sampled_from(["off", "moderate", "strict"]),
    "goggle": st.just("https://example.com/x.goggle"),
}
requests = st.fixed_dictionaries({}, optional=OPTIONS)


class Engine(SearchBackend):
    """Declares what a real backend declares, and answers whatever a test says, as an engine that ignores all limits."""

    def __init__(self, real: SearchBackend, hits: list[Hit]) -> None:
        self._hits = hits
        self.asked: list[SearchRequest] = []
        declared = (
            "name",
            "verticals",
            "max_results",
            "max_query_chars",
            "max_query_words",
            "index_owner",
            "paid",
            "max_site_operators",
        )
        vars(self).update({name: getattr(real, name) for name in declared})

    async def search(self, request: SearchRequest) -> Answer:
        self.asked.append(request)
        return Answer(hits=tuple(self._hits))


def test_every_engine_of_the_repository_is_looked_at() -> None:
    plugins = Path(__file__).parents[2] / "plugins"
    assert {path.parts[-3] for path in plugins.glob("*/websearch_*/backend.py")} <= set(ENGINES)


@pytest.mark.parametrize("name", ENGINES)
@given(fields=requests, hits=found, data=st.data())
@how(max_examples=120, derandomize=True)
def test_every_field_is_honoured_or_named(
    name: str, fields: dict[str, Any], hits: list[Hit], data: st.DataObject
) -> None:
    real = INSTALLED[name]
    vertical = data.draw(st.sampled_from(sorted(real.verticals)))
    request = SearchRequest.model_validate({"query": "green tea", "vertical": vertical, **fields})
    engine = Engine(real, hits)
    clock = TurnedClock()
    searching = Searcher((engine,), Guards(settings(), clock, Told()), MemoryStore(clock, 1_000_000))
    try:
        answer = asyncio.run(searching.search(request))
    except AllSourcesFailed as error:
        pytest.fail(f"one that answers is no failure: {error}")

    allowed, excluded = DomainRules(request.allowed_domains), DomainRules(request.excluded_domains)
    since, until = request.since(EPOCH), request.end_published_date
    for hit in answer.hits:
        host = parse(hit.url).host
        assert not allowed or allowed.matches(host)
        assert not excluded.matches(host)
        assert hit.published is None or since is None or hit.published >= since
        assert hit.published is None or until is None or hit.published <= until
        assert len(hit.snippet) <= request.max_content_chars
    assert len(answer.hits) <= request.max_results
    order = [hit.url for hit in hits]
    places = [order.index(hit.url) for hit in answer.hits]
    assert places == sorted(places), "the engine's order is kept"
    assert len(set(places)) == len(places), "no hit is doubled"

    does = real.verticals[vertical]
    notes = " ".join(answer.notes)
    for field in fields:
        given_ = getattr(request, field) != SearchRequest.model_fields[field].default
        if given_ and field not in does and field not in DONE_HERE | DATES:
            assert field in notes, f"{field} is neither pushed down nor named: {answer.notes}"
    undated = any(hit.published is None for hit in answer.hits)
    wanted = [field for field in fields if field in DATES and getattr(request, field) is not None]
    if undated and any(field not in does for field in wanted):
        assert "carry no date" in notes

    for asked in engine.asked:
        assert asked.max_results <= real.max_results
        assert real.max_query_chars is None or len(asked.query) <= real.max_query_chars
        assert real.max_query_words is None or len(asked.query.split()) <= real.max_query_words
        assert asked.query.count("site:") <= real.max_site_operators
        assert asked.query.startswith("green tea")
        for field in fields:
            if field != "max_results":
                assert getattr(asked, field) == getattr(request, field), "the backend gets all that the caller said"
