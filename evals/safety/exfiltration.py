"""Data smuggled out in addresses and queries: what is stopped, and which ordinary ones are."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

from websearch_core.chain.chain import Chain
from websearch_core.contract.errors import BackendError, BlockedByFilter
from websearch_core.contract.models import FetchRequest, SearchRequest

from .data import rows
from .production import running, stopped
from .rows import Row
from .smuggled import ADDRESSES, PARTLY, QUERIES, made

GROUP = "Exfiltration and search operators"
_LINK = re.compile(r"https?://[^\s<>\"')\]]{4,2000}")
_SEED, _TIMES = 23, 12
_BY = {"guard-exfiltration", "guard-operators"}


async def measure(data: Path) -> AsyncIterator[Row]:
    """Through the chain with the guard. Addresses that another filter changes are not counted here."""
    pages = rows(data / "pages-clean.jsonl.gz")
    async with running("guard") as chain:
        for what, kinds, bar in (
            ("addresses", ADDRESSES, 0.95),
            ("addresses, masked with a word", PARTLY, None),
            ("queries", QUERIES, 0.95),
        ):
            texts = [text for _, text in made(kinds, _SEED, _TIMES)]
            requests = [SearchRequest(query=t[:2000]) if what == "queries" else FetchRequest(url=t) for t in texts]
            hits = sum([(await stopped(chain, request))[0] for request in requests])
            yield Row(GROUP, f"smuggled in {what}, {len(kinds)} ways", hits, len(requests), at_least=bar)
        links = {link.rstrip(".,;:") for page in pages for link in _LINK.findall(page["text"])}
        for what, urls, most in (
            ("addresses of ordinary pages", {page["url"] for page in pages if page["url"]}, 0.002),
            ("links in ordinary pages", links, 0.005),
        ):
            hits = sum([await _by_us(chain, url) for url in sorted(urls)])
            yield Row(GROUP, f"stopped: {what}", hits, len(urls), at_most=most)
        for name in ("ordinary", "not-pii"):
            queries = [row["text"] for row in rows(data / f"queries-{name}.jsonl.gz")]
            trails = [(await stopped(chain, SearchRequest(query=query)))[1] for query in queries]
            hits = sum(any(step.by in _BY and step.outcome != "allow" for step in trail) for trail in trails)
            yield Row(GROUP, f"changed: queries, {name}", hits, len(queries), at_most=0.0005)


async def _by_us(chain: Chain, url: str) -> bool:
    """Whether these filters stop an address; what the network's rules refuse is not counted."""
    try:
        await chain.screening.screen(FetchRequest(url=url))
    except BlockedByFilter as error:
        return error.by in _BY
    except BackendError:
        return False
    return False
