"""The fakes obey, and loading the kit's package costs next to nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from websearch_core import Allow, Block, Caller, FetchRequest, SearchRequest, Settings
from websearch_core import testing as kit
from websearch_core.kit import NotFound
from websearch_core.testing import FakeClock, FakeGateway, LoopbackSite, answer, context
from websearch_core.testing.fakes import (
    FakeBackend,
    FakeDocumentFilter,
    FakeExtractor,
    FakeFetcher,
    FakeRequestFilter,
    InProcessWorkers,
    RecordingObserver,
    download,
    hits,
    page,
)


async def test_a_sleep_is_over_at_once_and_moves_the_clock(clock: FakeClock) -> None:
    before, epoch = clock.monotonic(), clock.now()
    await clock.sleep(30)
    clock.advance(5)
    assert (clock.monotonic() - before, clock.now() - epoch, clock.slept) == (35, 35, [30])


async def test_in_process_workers_call_the_function_and_let_its_errors_through() -> None:
    workers = InProcessWorkers()
    assert await workers.run(divmod, 7, 2, seconds=1) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        await workers.run(divmod, 7, 0)
    assert workers.calls == [divmod, divmod]


async def test_a_context_has_settings_a_store_and_both_doors(loopback_site: LoopbackSite, tmp_path) -> None:
    class Keys(Settings):
        word: str
        number: int = 0

    loopback_site.route("/*", answer(200, "hello"))
    ctx = context("acme", {"word": "yes"}, environ={"WEBSEARCH_ACME__NUMBER": "5"}, data_dir=tmp_path)
    assert ctx.settings(Keys) == Keys(word="yes", number=5)
    assert ctx.data_dir == tmp_path / "acme"
    await ctx.store.set("a", b"1", ttl=5)
    ctx.clock.advance(6)
    assert await ctx.store.get("a") is None
    got = await ctx.web.download(FetchRequest(url=f"{loopback_site.url}/page"))
    api = ctx.api(loopback_site.url)
    assert (got.body, (await api.get("x")).content) == (b"hello", b"hello")
    assert list(ctx.origins) == [loopback_site.url]
    await ctx.aclose()
    await ctx.web.aclose()


async def test_fake_components_do_as_they_are_told() -> None:
    backend = FakeBackend("one", hits(5), max_results=3)
    assert len(await backend.search(SearchRequest(query="q", max_results=2))) == 2
    assert (backend.name, backend.max_results, FakeBackend.max_results, backend.requests[0].query) == (
        "one",
        3,
        50,
        "q",
    )
    with pytest.raises(NotFound):
        await FakeBackend(error=NotFound()).search(SearchRequest(query="q"))
    table = FakeFetcher(found={"https://a.example/": page("https://a.example/")})
    assert (await table.fetch(FetchRequest(url="https://a.example/"))).title == "Title"
    with pytest.raises(NotFound):
        await table.fetch(FetchRequest(url="https://b.example/"))
    assert (await FakeExtractor().extract(download(body="text"))).body == "text"
    screen = FakeRequestFilter(verdict=lambda request: Block(reason="no") if "x" in request.text else Allow())
    assert isinstance(await screen.check(SearchRequest(query="x")), Block)
    assert await FakeDocumentFilter().check(hits(2), Caller()) == [Allow(), Allow()]
    assert await FakeDocumentFilter(verdict=lambda _: None).check(hits(1), Caller()) == [None]
    await RecordingObserver().start()


async def test_a_fake_gateway_asks_in_its_own_callers_name_and_keeps_what_it_was_told() -> None:
    me = Caller(tenant="me")
    gateway = FakeGateway(hits(2), {"https://a.example/": page()}, caller=me, bad=lambda one: one.title == "Title 1")
    as_another = SearchRequest(query="q", max_results=1, caller=Caller(tenant="you"))
    assert len((await gateway.search(as_another)).hits) == 1
    await gateway.fetch(FetchRequest(url="https://a.example/"))
    assert [request.caller for request in gateway.requests] == [me, me]
    await gateway.progress(1, 2, "half")
    assert gateway.told == [(1, 2, "half")]
    inspected = await gateway.inspect(hits(2))
    assert [hit.title for hit in inspected.documents] == ["Title 2"]
    assert [receipt.host for receipt in inspected.dropped] == ["example.com"]


def test_every_public_name_of_the_kit_is_there_and_no_other() -> None:
    assert all(getattr(kit, name) for name in kit.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        _ = kit.Nonsense


def test_the_pytest_plugin_loads_neither_the_kit_nor_anything_heavy() -> None:
    code = (
        "import sys, pytest, websearch_core; before = set(sys.modules); "
        "import websearch_core.testing.pytest_plugin; "
        "print(*sorted(set(sys.modules) - before))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["websearch_core.testing", "websearch_core.testing.pytest_plugin"]


def test_assertions_of_the_contract_classes_are_rewritten() -> None:
    import websearch_core.testing.contracts.filters as contracts

    assert "@pytest_ar" in vars(contracts)
