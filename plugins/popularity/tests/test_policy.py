"""Whom the policy trusts, alone and within the chain."""

from __future__ import annotations

import sys
import time
from collections.abc import AsyncIterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

from websearch_core import Block, Caller, FetchRequest, Hit, Page, PluginContext, StartupError, TrustPolicy, hookimpl
from websearch_core.chain.gateway import BoundGateway
from websearch_core.settings.configuration import Configuration
from websearch_core.startup.assemble import Assembly, assemble
from websearch_core.startup.lifecycle import running
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing import FakeClock, TrustPolicyContract, context
from websearch_core.testing.fakes import FakeDocumentFilter, FakeFetcher, InProcessWorkers
from websearch_popularity.audit import Audit, Counts
from websearch_popularity.plugin import websearch_trust_policies
from websearch_popularity.policy import PopularityPolicy

OWN = EntryPoint("popularity", "websearch_popularity.plugin", "websearch")


class TestPopularity(TrustPolicyContract):
    component = PopularityPolicy
    plugin = "popularity"
    trusted: ClassVar[list[str]] = [
        "https://popular.example/",
        "https://www.popular.example/a/b?c=d",
        "http://a.b.popular.example./x",
        "https://POPULAR.example:443",
        "https://news.co.uk/",
        "https://www.news.co.uk/world",
    ]
    untrusted: ClassVar[list[str]] = [
        "https://example/",
        "https://other.example/",
        "https://co.uk/",
        "https://notpopular.example/",
        "https://popular.example.test/",
        "https://popular.example:8080/",
        "https://me@popular.example/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://popular.example/forum/1",
        "https://popular.example/?to=https://other.example/",
        "https://forum.popular.example/",
        "https://github.com/",
    ]

    @pytest.fixture(autouse=True)
    def _file(self, list_file: Path) -> None:
        self.list_file = list_file

    def settings(self) -> dict[str, Any]:
        return {"list_file": str(self.list_file), "audit_sample": 0}

    def policy(self, ctx: PluginContext) -> TrustPolicy:
        return next(iter(websearch_trust_policies(ctx)))


@pytest.fixture
async def policy(list_file: Path) -> AsyncIterator[PopularityPolicy]:
    ctx = context("popularity", {"list_file": str(list_file), "audit_sample": 0})
    [policy] = websearch_trust_policies(ctx)
    assert isinstance(policy, PopularityPolicy)
    await policy.start()
    yield policy
    await policy.aclose()


async def listing(tmp_path: Path, *names: str) -> PopularityPolicy:
    file = tmp_path / "names.txt"
    file.write_text("\n".join(names))
    [policy] = websearch_trust_policies(context("popularity", {"list_file": str(file), "audit_sample": 0}))
    assert isinstance(policy, PopularityPolicy)
    await policy.start()
    return policy


@pytest.mark.parametrize(
    ("listed", "host", "trusted"),
    [
        ("a.b.site.example", "a.b.site.example", True),
        ("b.site.example", "a.b.site.example", False),
        ("site.example", "a.b.site.example", True),
        ("site.example", "site.example", True),
        ("a.site.example", "site.example", False),
        ("example", "site.example", False),
        ("co.uk", "site.co.uk", False),
        ("co.uk", "co.uk", False),
        ("neverlisted.pages.example", "pages.example", False),
        ("vercel.com", "vercel.com", True),
        ("xn--bcher-kva.example", "b\u00fccher.example", True),
        ("kawasaki.jp", "city.kawasaki.jp", False),
        ("city.kawasaki.jp", "www.city.kawasaki.jp", True),
        ("myfritz.net", "tenant.myfritz.net", False),
        ("tenant.myfritz.net", "www.tenant.myfritz.net", True),
        ("myfritz.net", "myfritz.net", False),
    ],
)
async def test_the_host_itself_or_its_registrable_domain_and_nothing_between(
    tmp_path: Path, listed: str, host: str, trusted: bool
) -> None:
    names = [listed] if "." in listed else [f"x.{listed}"]
    assert (await listing(tmp_path, *names)).judge(f"https://{host}/").trusted is trusted


def test_before_the_start_nobody_is_trusted(list_file: Path) -> None:
    [policy] = websearch_trust_policies(context("popularity", {"list_file": str(list_file)}))
    assert isinstance(policy, PopularityPolicy)
    assert not policy.judge("https://popular.example/").trusted


async def test_the_final_address_counts_in_both_directions(policy: PopularityPolicy) -> None:
    popular, other = "https://popular.example/", "https://other.example/"
    assert not await policy.trusts(Page(url=popular, final_url=other))
    assert await policy.trusts(Page(url=other, final_url=popular))
    assert await policy.trusts(Hit(url=popular))
    assert not await policy.trusts(Page(url=popular, final_url="http://["))


async def test_a_judgement_takes_about_as_long_as_taking_the_address_apart(policy: PopularityPolicy) -> None:
    from urllib.parse import urlsplit

    addresses = [f"https://www.popular.example/news/{number}?id={number}" for number in range(200)]

    def best(work: Any) -> float:
        def once() -> float:
            began = time.process_time()
            for address in addresses:
                work(address)
            return time.process_time() - began

        return min(once() for _ in range(7))

    def taken_apart(address: str) -> None:
        urlsplit.cache_clear()
        urlsplit(address)

    # some 10 µs against 3 µs when nothing else runs
    assert best(policy.judge) < 30 * best(taken_apart)


async def test_a_share_is_judged_all_the_same_and_both_are_counted() -> None:
    store = MemoryStore(FakeClock(), 10_000)
    drawn = iter([0.5, 0.0, 0.009, 0.01, 0.999] * 50)
    audit = Audit(store, 0.01, lambda: next(drawn))
    assert [await audit.draws() for _ in range(5)] == [False, True, True, False, False]
    for _ in range(245):
        await audit.draws()
    await audit.write()
    assert await audit.counts() == Counts(trusted=150, audited=100)


@pytest.mark.parametrize(("share", "judged"), [(0.0, 0), (1.0, 40)])
async def test_the_share_is_the_operators(list_file: Path, share: float, judged: int) -> None:
    ctx = context("popularity", {"list_file": str(list_file), "audit_sample": share})
    [policy] = websearch_trust_policies(ctx)
    assert isinstance(policy, PopularityPolicy)
    await policy.start()
    said = [await policy.trusts(Hit(url="https://popular.example/")) for _ in range(40)]
    assert said.count(False) == judged
    assert not await policy.trusts(Hit(url="https://other.example/"))
    await policy.aclose()
    assert await policy.audit.counts() == Counts(trusted=40 - judged, audited=judged)


async def test_several_processes_counts_add_up_and_a_broken_store_decides_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Broken(MemoryStore):
        broken = True

        async def incr(self, key: str, amount: int = 1, ttl: float | None = None) -> int:
            if self.broken:
                raise OSError("a word of the store's")
            return await super().incr(key, amount, ttl)

    store = Broken(FakeClock(), 10_000)
    audits = [Audit(store, 0.5, iter([0.1, 0.9]).__next__) for _ in range(2)]
    for audit in audits:
        assert await audit.draws()
        assert not await audit.draws()
    assert "a word of" not in caplog.text
    store.broken = False
    for audit in audits:
        await audit.write()
    assert await audits[0].counts() == Counts(trusted=2, audited=2)


# --- within the chain


class Chained:
    """A chain with one bypassable filter that blocks all it sees, and pages that end where `ends` says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tables: dict[str, Any], *, bypassable: bool = True) -> None:
        self.judge = FakeDocumentFilter(
            "policy-model", Block(reason="blocked"), family="injection", bypassable=bypassable
        )
        self.ends: dict[str, str] = {}
        module = ModuleType("popularity_test_plugin")
        module.websearch_document_filters = hookimpl(lambda: (self.judge,))  # type: ignore[attr-defined]
        module.websearch_fetchers = hookimpl(lambda: (FakeFetcher("pages", self.page),))  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module.__name__, module)
        self.assembly: Assembly = assemble(
            Configuration(tables, {}, "test"),
            installed=[OWN, EntryPoint("beside", module.__name__, "websearch")],
            clock=FakeClock(),
            workers=InProcessWorkers(),
        )

    def page(self, request: FetchRequest) -> Page:
        return Page.from_markdown("Text.", url=request.url, final_url=self.ends.get(request.url, request.url))

    async def reads(self, url: str, **families: bool) -> bool:
        """Whether the page got through: the filter lets nothing pass that it sees."""
        async with running(self.assembly) as chain:
            found = await BoundGateway(chain, Caller(families=families)).inspect(
                [Page.from_markdown("Text.", url=url, final_url=self.ends.get(url, ""))]
            )
        return bool(found.documents)


@pytest.fixture
def tables(list_file: Path, tmp_path: Path) -> dict[str, Any]:
    return {
        "chain": {"trust": ["popularity"]},
        "plugin": {"popularity": {"list_file": str(list_file), "audit_sample": 0}},
        "store": {"data_dir": str(tmp_path)},
    }


async def test_a_popular_page_skips_a_filter_that_may_be_skipped(monkeypatch, tables) -> None:
    chained = Chained(monkeypatch, tables)
    assert await chained.reads("https://popular.example/a")
    assert chained.judge.seen == []
    assert not await chained.reads("https://other.example/a")
    assert not await chained.reads("https://popular.example/forum/1")


async def test_where_a_redirect_ended_counts(monkeypatch, tables) -> None:
    chained = Chained(monkeypatch, tables)
    chained.ends = {
        "https://popular.example/old": "https://other.example/",
        "https://popular.example/code": "https://github.com/somebody",
        "https://short.example/1": "https://www.popular.example/long",
    }
    assert not await chained.reads("https://popular.example/old")
    assert not await chained.reads("https://popular.example/code")
    assert await chained.reads("https://short.example/1")


async def test_a_fetched_page_is_judged_by_where_it_came_from(monkeypatch, tables) -> None:
    chained = Chained(monkeypatch, tables)
    chained.ends = {"https://popular.example/old": "https://other.example/"}
    async with running(chained.assembly) as chain:
        gateway = BoundGateway(chain)
        assert (await gateway.fetch(FetchRequest(url="https://popular.example/new"))).page.body == "Text."
        assert chained.judge.seen == []
        with pytest.raises(Exception, match="blocked"):
            await gateway.fetch(FetchRequest(url="https://popular.example/old"))


async def test_a_caller_who_asks_for_the_filter_gets_it(monkeypatch, tables) -> None:
    chained = Chained(monkeypatch, tables)
    assert not await chained.reads("https://popular.example/a", injection=True)


async def test_a_filter_that_may_not_be_skipped_sees_everything(monkeypatch, tables) -> None:
    assert not await Chained(monkeypatch, tables, bypassable=False).reads("https://popular.example/a")


async def test_nobody_is_trusted_unless_the_operator_says_so(monkeypatch, tables) -> None:
    assert not await Chained(monkeypatch, {**tables, "chain": {}}).reads("https://popular.example/a")


async def test_an_audited_page_is_judged(monkeypatch, tables) -> None:
    tables["plugin"]["popularity"]["audit_sample"] = 1
    assert not await Chained(monkeypatch, tables).reads("https://popular.example/a")


async def test_without_a_list_the_server_starts_unless_the_policy_is_relied_on(monkeypatch, tmp_path) -> None:
    store = {"store": {"data_dir": str(tmp_path)}}
    assert not await Chained(monkeypatch, store).reads("https://popular.example/a")
    with pytest.raises(StartupError, match=r"\[chain\] trust: popularity"):
        Chained(monkeypatch, {**store, "chain": {"trust": ["popularity"]}})
