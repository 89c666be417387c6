"""From configuration and installed plugins to a chain: what stops the start, and what runs and closes."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from websearch_core import BackendError, Caller, FetchRequest, SearchRequest, StartupError
from websearch_core.kit import AuthFailed, InvalidRequest, PlanMismatch, RateLimited, Refused
from websearch_core.server.protocol import Protocol
from websearch_core.settings.configuration import Configuration
from websearch_core.startup.assemble import Assembly, assemble
from websearch_core.startup.inventory import as_text, describe, requirements
from websearch_core.startup.lifecycle import running
from websearch_core.testing.fakes import FakeClock, context
from websearch_core.testing.site import LoopbackSite, answer

Install = Callable[..., list[EntryPoint]]

ENGINE = """
class Engine(SearchBackend):
    name = "{name}"
    priority = {priority}

    def __init__(self, ctx):
        self.door = ctx.api("https://{name}.example/v1")

    async def search(self, request):
        return [Hit(url="https://a.example/1", title="{name}", snippet="found")]

@hookimpl
def websearch_search_backends(ctx):
    yield Engine(ctx)
"""

GUARD = """
class Judge(RequestFilter):
    name = "guard-pii"
    family = "pii"
    async def check(self, request):
        return Allow()

class Reader(DocumentFilter):
    name = "guard-injection"
    family = "injection"
    bypassable = True
    async def check(self, documents, caller):
        return [Allow() for _ in documents]

class Popular(TrustPolicy):
    name = "popular"
    async def trusts(self, document):
        return True

@hookimpl
def websearch_request_filters():
    yield Judge()

@hookimpl
def websearch_document_filters():
    yield Reader()

@hookimpl
def websearch_trust_policies():
    yield Popular()
"""


def engine(install: Install, name: str, priority: int = 50) -> list[EntryPoint]:
    return install(name, ENGINE.format(name=name, priority=priority))


def assembled(entries: list[EntryPoint], environ: dict[str, str] | None = None, **tables: Any) -> Assembly:
    return assemble(Configuration(tables, environ or {}, "websearch.toml"), installed=entries)


def test_backends_are_asked_by_priority_unless_the_operator_says_otherwise(install: Install) -> None:
    engine(install, "beta", 10)
    entries = engine(install, "alpha", 20)
    assert describe(assembled(entries))["chain"]["ask"] == ["beta", "alpha"]
    assert describe(assembled(entries, chain={"backends": ["alpha"]}))["chain"]["ask"] == ["alpha"]


@pytest.mark.parametrize(
    ("chain", "problem"),
    [
        ({"require": ["guard-pii", "guard-model"]}, r"\[chain\] require: not installed or disabled: guard-model"),
        ({"backends": ["alhpa"]}, r"\[chain\] backends: alhpa is not installed.*alpha"),
        ({"trust": ["popularity"]}, r"\[chain\] trust: popularity is not installed.*popular"),
        ({"filters": ["guard-x"]}, r"\[chain\] filters: no filter named guard-x"),
        ({"fetchers": ["htttp"]}, r"\[chain\] fetchers: no fetcher named htttp is installed; installed: none"),
        ({"on_failure": {"guard-x": "allow"}}, r"\[chain\] on_failure: no filter named guard-x"),
    ],
)
def test_what_the_configuration_names_must_be_there(install: Install, chain: dict[str, Any], problem: str) -> None:
    engine(install, "alpha")
    with pytest.raises(StartupError, match=problem):
        assembled(install("guard", GUARD), chain=chain)


def test_with_every_filter_removed_a_server_that_requires_one_does_not_start(install: Install) -> None:
    entries = install("guard", GUARD)
    with pytest.raises(StartupError, match="require"):
        assembled(entries, chain={"require": ["guard-pii"]}, plugins={"disable": ["guard"]})


def keyed(install: Install, hook: str) -> list[EntryPoint]:
    """A plugin that is off: its key is not set."""
    source = """
    class Keyed(Settings):
        api_key: str
    @hookimpl
    def %s(ctx):
        ctx.settings(Keyed)
        yield None
    """
    return install("keyed", source % hook)


def test_a_backend_that_is_named_but_off_is_passed_over_unless_none_is_left(
    install: Install, caplog: pytest.LogCaptureFixture
) -> None:
    entries = keyed(install, "websearch_search_backends")
    with pytest.raises(StartupError, match="none of them is configured: keyed: WEBSEARCH_KEYED__API_KEY not set"):
        assembled(entries, chain={"backends": ["keyed"]})
    with caplog.at_level("WARNING"):
        listed = describe(assembled(engine(install, "alpha"), chain={"backends": ["keyed", "alpha"]}))
    assert listed["chain"]["ask"] == ["alpha"]
    assert "keyed is off: WEBSEARCH_KEYED__API_KEY not set" in caplog.text


def test_a_fetcher_that_is_off_may_be_named_by_its_plugin_and_is_told_of(install: Install) -> None:
    entries = keyed(install, "websearch_fetchers")
    assembled(engine(install, "alpha"), chain={"fetchers": ["keyed"]})
    with pytest.raises(StartupError, match=r"installed: none; off: keyed \(WEBSEARCH_KEYED__API_KEY not set\)"):
        assembled(entries, chain={"fetchers": ["keyed-pages"]})


def test_the_floor_is_what_is_required_unless_the_operator_says_otherwise(install: Install) -> None:
    entries = install("guard", GUARD)
    assert assembled(entries).floor == frozenset()
    assert assembled(entries, chain={"require": ["guard-pii"]}).floor == {"pii"}
    assert assembled(entries, chain={"require": ["guard-pii"]}, server={"floor": []}).floor == frozenset()


def test_a_misspelt_family_in_the_floor_stops_the_start(install: Install) -> None:
    entries = install("guard", GUARD)
    with pytest.raises(StartupError, match=r"\[server\] floor: no filter family is named pij; known: injection, pii"):
        assembled(entries, server={"floor": ["pij"]})
    assert "no header weakens: pii" in as_text(describe(assembled(entries, server={"floor": ["pii"]})))


def test_filters_follow_the_operators_order_and_none_is_dropped(install: Install) -> None:
    other = GUARD.replace("guard-pii", "a-pii").replace("guard-injection", "a-inj").replace("popular", "pop2")
    install("other", other)
    entries = install("guard", GUARD)
    listed = describe(assembled(entries, chain={"filters": ["guard-pii"]}))["chain"]
    assert listed["screen"] == ["guard-pii", "a-pii"]
    assert [judge["name"] for judge in listed["inspect"]] == ["a-inj", "guard-injection"]


def test_a_tool_cannot_take_the_name_of_the_cores(install: Install) -> None:
    source = """
    from pydantic import BaseModel
    class Mine(Tool):
        name = "search"
        description = "mine"
        arguments = BaseModel
        async def call(self, arguments, gateway, caller):
            return ToolOutput(text="")
    @hookimpl
    def websearch_tools():
        yield Mine()
    """
    with pytest.raises(StartupError, match=r"plugin mine .*the tool name search is the core's"):
        assembled(install("mine", source))


def test_a_filter_that_may_fail_is_named_in_every_answer(install: Install) -> None:
    assembly = assembled(install("guard", GUARD), chain={"on_failure": {"guard-pii": "allow"}})
    assert any("when guard-pii fails" in warning for warning in assembly.chain.warnings)


def test_fetchers_follow_the_operators_order(install: Install) -> None:
    source = """
    def made(n, p):
        class Reads(Fetcher):
            name = n
            priority = p
            async def fetch(self, request): ...
        return Reads()
    @hookimpl
    def websearch_fetchers():
        yield made("a", 1)
        yield made("b", 2)
    """
    assert describe(assembled(install("two", source), chain={"fetchers": ["b"]}))["chain"]["fetch"] == ["b", "a"]


async def test_robots_txt_is_asked_about_before_any_fetcher_is(install: Install) -> None:
    source = """
    class Service(Fetcher):
        name = "service"
        async def fetch(self, request):
            return Page.from_markdown("Text.", url=request.url)
    @hookimpl
    def websearch_fetchers():
        yield Service()
    """
    entries = install("service", source)
    async with LoopbackSite() as site:
        site.route("/robots.txt", answer(200, "User-agent: *\nDisallow: /private", content_type="text/plain"))
        net = {"respect_robots": True, "allow": ["127.0.0.1"], "private": [f"127.0.0.1:{site.port}"]}
        assembly = assembled(entries, net=net)
        async with running(assembly) as chain:
            assert (await chain.fetch(FetchRequest(url=f"{site.url}/page"))).page.body == "Text."
            with pytest.raises(Refused, match=r"robots\.txt"):
                await chain.fetch(FetchRequest(url=f"{site.url}/private"))
        await assembly.web.aclose()
        assert [request.path for request in site.requests] == ["/robots.txt"]


def test_optional_tools_are_there_when_they_are_named(install: Install) -> None:
    source = """
    from pydantic import BaseModel
    class Usual(Tool):
        name = "usual"
        description = "mine"
        arguments = BaseModel
        async def call(self, arguments, gateway): ...
    class Rare(Usual):
        name = "rare"
        optional = True
    @hookimpl
    def websearch_tools():
        yield Usual()
        yield Rare()
    """
    entries = install("mine", source)
    assert [tool.name for tool in assembled(entries).tools] == ["usual"]
    assert {tool.name for tool in assembled(entries, server={"tools": ["rare"]}).tools} == {"usual", "rare"}
    with pytest.raises(StartupError, match=r"\[server\] tools: no plugin brings a tool named rarer"):
        assembled(entries, server={"tools": ["rarer"]})


@pytest.mark.parametrize("name", ["markdown", "content"])
def test_an_output_cannot_take_the_name_of_the_cores(install: Install, name: str) -> None:
    source = f"""
    class Mine(Output):
        name = "{name}"
        description = "mine"
        async def of(self, answer, gateway, tokens): ...
    @hookimpl
    def websearch_outputs():
        yield Mine()
    """
    with pytest.raises(StartupError, match=f"the output name {name} is the core's"):
        assembled(install("mine", source))


def test_a_command_cannot_take_the_name_of_the_cores(install: Install) -> None:
    source = """
    class Mine(Command):
        name = "search"
        summary = "mine"
        def app(self, gateway): ...
    @hookimpl
    def websearch_commands():
        yield Mine()
    """
    with pytest.raises(StartupError, match="the command name search is the core's"):
        assembled(install("mine", source))


def test_the_listing_shows_the_chain_where_queries_go_and_every_exception(install: Install) -> None:
    engine(install, "alpha")
    tables = {
        "chain": {"trust": ["popular"], "on_failure": {"guard-pii": "allow"}},
        "net": {"private": ["10.1.0.0/16"], "allow_downgrade": True},
    }
    assembly = assembled(install("guard", GUARD), **tables)
    text = as_text(describe(assembly))
    for expected in (
        "SearchBackend alpha",
        "screen   guard-pii",
        "ask      alpha",
        "guard-injection (skipped when trusted by popular)",
        "alpha → https://alpha.example",
        "require is empty",
        "when guard-pii fails",
        "10.1.0.0/16",
        "https to http",
    ):
        assert expected in text
    assert "acme-alpha==1.0" in requirements(assembly)


async def test_components_start_in_order_and_close_in_reverse_even_when_one_fails(install: Install) -> None:
    source = """
    happened = []
    def made(n, p, broken=False):
        class Judge(RequestFilter):
            name = n
            priority = p
            async def check(self, request):
                return Allow()
            async def start(self):
                happened.append("start " + n)
                if broken:
                    raise RuntimeError("no model")
            async def aclose(self):
                happened.append("close " + n)
                raise RuntimeError("no matter")
        return Judge()
    @hookimpl
    def websearch_request_filters():
        yield made("one", 1)
        yield made("two", 2, broken=True)
    """
    entries = install("models", source)
    assembly = assembled(entries)
    with pytest.raises(StartupError, match="two"):
        async with running(assembly):
            raise AssertionError("never reached")
    (module,) = {entry.load() for entry in entries}
    assert module.happened == ["start one", "start two", "close two", "close one"]


async def test_the_store_is_there_before_all_others_and_as_long_as_they_are(install: Install) -> None:
    source = """
    happened = []
    class Tells:
        async def start(self):
            happened.append("start " + self.name)
        async def aclose(self):
            happened.append("close " + self.name)
    class Shelf(Tells, Store):
        name = "shelf"
        priority = 99
        async def get(self, key): ...
        async def set(self, key, value, ttl=None): ...
        async def add_if_absent(self, key, value, ttl=None): ...
        async def incr(self, key, amount=1, ttl=None): ...
        async def compare_and_set(self, key, expected, value, ttl=None): ...
        async def delete(self, key): ...
    class Other(Shelf):
        name = "other"
    class Judge(Tells, RequestFilter):
        name = "judge"
        priority = 0
        async def check(self, request): ...
    class Engine(Tells, SearchBackend):
        name = "engine"
        async def search(self, request): ...
    class Watch(Tells, Observer):
        name = "watch"
        async def observe(self, event): ...
    @hookimpl
    def websearch_stores():
        yield Shelf()
        yield Other()
    @hookimpl
    def websearch_request_filters():
        yield Judge()
    @hookimpl
    def websearch_search_backends():
        yield Engine()
    @hookimpl
    def websearch_observers():
        yield Watch()
    """
    entries = install("shelves", source)
    async with running(assembled(entries, store={"use": "shelf"})):
        pass
    (module,) = {entry.load() for entry in entries}
    started, closed = module.happened[:4], module.happened[4:]
    assert started[0] == "start shelf"
    assert sorted(started[1:]) == ["start engine", "start judge", "start watch"]
    assert closed == [each.replace("start", "close") for each in reversed(started)]


async def test_observers_are_told_how_long_it_took_and_so_is_who_asked(install: Install) -> None:
    source = """
    told = {}
    class Slow(SearchBackend):
        name = "slow"
        def __init__(self, ctx):
            self.clock = ctx.clock
        async def search(self, request):
            await self.clock.sleep(2.5)
            return [Hit(url="https://a.example/1", title="t", snippet="found")]
    class Careful(RequestFilter):
        name = "careful"
        def __init__(self, ctx):
            self.clock = ctx.clock
        async def check(self, request):
            await self.clock.sleep(0.25)
            return Allow()
    class Reads(Fetcher):
        name = "reads"
        def __init__(self, ctx):
            self.clock = ctx.clock
        async def fetch(self, request):
            await self.clock.sleep(1.5)
            return Page.from_markdown("text", url=request.url)
    class Watch(Observer):
        name = "watch"
        async def observe(self, event):
            told[event.kind, event.component] = event.took
    @hookimpl
    def websearch_search_backends(ctx):
        yield Slow(ctx)
    @hookimpl
    def websearch_request_filters(ctx):
        yield Careful(ctx)
    @hookimpl
    def websearch_fetchers(ctx):
        yield Reads(ctx)
    @hookimpl
    def websearch_observers():
        yield Watch()
    """
    entries = install("slow", source)
    assembly = assemble(Configuration({}, {}, "websearch.toml"), installed=entries, clock=FakeClock())
    async with running(assembly) as chain:
        found = await chain.search(SearchRequest(query="q"))
        read = await chain.fetch(FetchRequest(url="https://a.example/"))
    assert (found.took, read.took) == (2.75, 1.75)
    (module,) = {entry.load() for entry in entries}
    assert module.told == {
        ("filter", "careful"): 0.25,
        ("ask", "slow"): 2.5,
        ("search", ""): 2.75,
        ("ask", "reads"): 1.5,
        ("fetch", ""): 1.75,
    }


async def test_an_observer_that_fails_changes_nothing(install: Install) -> None:
    source = """
    told = []
    class Broken(Observer):
        name = "broken"
        async def observe(self, event):
            told.append(event.kind)
            raise RuntimeError("disk full")
    @hookimpl
    def websearch_observers():
        yield Broken()
    """
    engine(install, "alpha")
    entries = install("watch", source)
    assembly = assembled(entries)
    async with running(assembly) as chain:
        answer = await chain.search(SearchRequest(query="q"))
    assert answer.hits[0].title == "alpha"
    module = next(entry.load() for entry in entries if entry.name == "watch")
    assert "search" in module.told


async def test_a_plugins_store_is_used_when_it_is_named(install: Install) -> None:
    source = """
    class Shelf(Store):
        name = "shelf"
        def __init__(self):
            self.data = {}
        async def get(self, key): return self.data.get(key)
        async def set(self, key, value, ttl=None): self.data[key] = value
        async def add_if_absent(self, key, value, ttl=None): return self.data.setdefault(key, value) is value
        async def incr(self, key, amount=1, ttl=None): return 1
        async def compare_and_set(self, key, expected, value, ttl=None): return False
        async def delete(self, key): self.data.pop(key, None)
    shelf = Shelf()
    @hookimpl
    def websearch_stores():
        yield shelf
    """
    engine(install, "alpha")
    entries = install("shelves", source)
    assembly = assembled(entries, store={"use": "shelf"})
    async with running(assembly) as chain:
        await chain.search(SearchRequest(query="q"))
        again = await chain.search(SearchRequest(query="q"))
    assert again.cached
    assert next(entry.load() for entry in entries if entry.name == "shelves").shelf.data
    with pytest.raises(StartupError, match=r"\[store\] use: shelv is not installed.*shelf"):
        assembled(entries, store={"use": "shelv"})


async def test_an_empty_answer_names_who_was_asked_and_not_the_cache(install: Install) -> None:
    entries = install("alpha", ENGINE.format(name="alpha", priority=50).replace("return [Hit(", "return [] and [Hit("))
    async with running(assembled(entries)) as chain:
        first = await chain.search(SearchRequest(query="q"))
        again = await chain.search(SearchRequest(query="q"))
    assert again.cached
    for empty in (first, again):
        assert empty.hits == ()
        assert "alpha" in empty.hints[0]
        assert "cache" not in " ".join(empty.hints)


def test_assembling_leaves_no_trace_on_disk(install: Install, tmp_path: Path) -> None:
    data = tmp_path / "data"
    assembled(engine(install, "alpha"), store={"data_dir": str(data), "path": str(data / "store.db")})
    assert not data.exists()


def test_a_plugins_state_is_its_own_and_not_there_while_stores_are_chosen(install: Install) -> None:
    early = """
    @hookimpl
    def websearch_stores(ctx):
        ctx.store
        yield from ()
    """
    with pytest.raises(StartupError, match=r"plugin early .*only being chosen"):
        assembled(install("early", early))


async def test_no_tenant_reads_what_a_plugin_keeps_for_another(tmp_path: Path) -> None:
    ctx = context("one", data_dir=tmp_path)
    tenants = ("", "a", "a:", "a:b", ":", "b")
    for tenant in tenants:
        await ctx.store_of(Caller(tenant=tenant)).set("key", tenant.encode())
        await ctx.store_of(Caller(tenant=tenant)).set("b:key", tenant.encode())
    for tenant in tenants:
        store = ctx.store_of(Caller(tenant=tenant))
        assert (await store.get("key"), await store.get("b:key")) == (tenant.encode(), tenant.encode())
    await ctx.web.aclose()


KEYED = """
class KeyedSettings(Settings):
    api_key: Keys

class Keyed(SearchBackend):
    name = "keyed"
    async def search(self, request):
        return []

@hookimpl
def websearch_search_backends(ctx):
    ctx.settings(KeyedSettings)
    yield Keyed()
"""

PUBLIC = """
class Public(SearchBackend):
    name = "public"
    priority = 80
    keyless = True
    def __init__(self, api):
        self.api = api
    async def search(self, request):
        return []

@hookimpl
def websearch_search_backends(ctx):
    yield Public(ctx.api("https://public.example"))
"""


def test_public_services_are_named_and_one_setting_stops_them(install: Install) -> None:
    engine(install, "alpha")
    entries = install("public", PUBLIC)
    asked = assembled(entries)
    assert [backend.name for backend in asked.backends] == ["alpha", "public"]
    assert "asked without an account: public" in as_text(describe(asked))
    quiet = assembled(entries, chain={"keyless": False})
    assert [backend.name for backend in quiet.backends] == ["alpha"]
    assert "public.example" not in as_text(describe(quiet))
    with pytest.raises(StartupError, match=r"public is asked without a key, which .* keyless = false forbids"):
        assembled(entries, chain={"keyless": False, "backends": ["public"]})


def test_queries_go_to_nobody_who_is_not_asked(install: Install) -> None:
    engine(install, "alpha")
    entries = engine(install, "beta")
    assembly = assembled(entries, chain={"backends": ["beta"]})
    assert set(assembly.origins) == {"beta"}


def test_a_route_orders_one_vertical_and_its_names_must_fit(install: Install) -> None:
    engine(install, "alpha")
    entries = install("keyed", KEYED)
    routed = assembled(entries, chain={"backends": ["alpha"], "routes": {"web": ["keyed", "alpha"]}})
    assert [backend.name for backend in routed.routes["web"]] == ["alpha"], "keyed lacks its key: passed over"
    keyed = assembled(entries, {"WEBSEARCH_KEYED__API_KEY": "k"}, chain={"routes": {"web": ["keyed"]}})
    assert [backend.name for backend in keyed.routes["web"]] == ["keyed"]
    for routes, problem in (
        ({"web": ["gamma"]}, r"\[chain.routes\] web: gamma is not installed"),
        ({"news": ["alpha"]}, r"\[chain.routes\] news: alpha does not search news"),
        (
            {"web": ["keyed"]},
            r"\[chain.routes\] web: none of them is configured: keyed: WEBSEARCH_KEYED__API_KEY not set",
        ),
        ({"pictures": ["alpha"]}, r"\[chain\] routes"),
    ):
        with pytest.raises(StartupError, match=problem):
            assembled(entries, chain={"routes": routes})


@pytest.mark.parametrize(
    ("name", "chain", "reason"),
    [
        ("keyed", {}, "WEBSEARCH_KEYED__API_KEY not set"),
        ("alpha", {"backends": ["public"]}, r"\[chain\] backends does not name it"),
        ("public", {"keyless": False}, r"\[chain\] keyless = false forbids it"),
        ("nobody", {}, "there is none of this name"),
    ],
)
async def test_a_call_that_names_a_backend_that_is_not_asked_is_told_why(
    install: Install, name: str, chain: dict[str, Any], reason: str
) -> None:
    engine(install, "alpha")
    install("public", PUBLIC)
    assembly = assembled(install("keyed", KEYED), chain=chain)
    async with running(assembly) as chain:
        with pytest.raises(InvalidRequest, match=reason):
            await chain.search(SearchRequest(query="q", backend=name))


VERTICALS = """
class Engine(SearchBackend):
    name = "{name}"
    verticals = {verticals}

    async def search(self, request):
        return []

@hookimpl
def websearch_search_backends():
    yield Engine()
"""
WEB_AND_NEWS = {"web": frozenset(), "news": frozenset()}


@pytest.mark.parametrize(
    ("verticals", "rests", "error", "state"),
    [
        (WEB_AND_NEWS, ["web"], PlanMismatch(), "resting: plan (web), 3600 s"),
        (WEB_AND_NEWS, ["news"], PlanMismatch(), ""),
        (WEB_AND_NEWS, ["web:text"], PlanMismatch(), ""),
        (WEB_AND_NEWS, ["news"], RateLimited(retry_after=34), "resting: rate_limited, 34 s"),
        (WEB_AND_NEWS, ["news"], AuthFailed(), "resting: auth until its settings change"),
        ({"news": frozenset()}, ["news"], PlanMismatch(), "resting: plan (news), 3600 s"),
        ({"news": frozenset(), "images": frozenset()}, ["news"], PlanMismatch(), ""),
        ({"news": frozenset(), "images": frozenset()}, ["news", "images"], PlanMismatch(), "resting: plan (news), "),
    ],
)
async def test_a_server_is_not_ready_while_its_only_engine_refuses_what_it_is_there_for(
    verticals: dict[str, Any], rests: list[str], error: BackendError, state: str, install: Install
) -> None:
    clock = FakeClock()
    entries = install("one", VERTICALS.format(name="one", verticals=verticals))
    assembly = assemble(Configuration({}, {}, "test"), installed=entries, clock=clock)
    source = assembly.chain.searching.sources["one"]

    async def refuses(_: Caller) -> Any:
        raise error

    async with running(assembly):
        assert assembly.readiness() == (True, {"one": "ready"})
        for kind in rests:
            with pytest.raises(type(error)):
                await source.call(refuses, Caller(), None, kind)
        ready, states = assembly.readiness()
        assert ready is not bool(state)
        assert states["one"].startswith(state or "ready")
        if source.rests()[0].seconds is not None:
            clock.advance(3600)
            assert assembly.readiness()[0], "the next call is a trial"


async def test_one_engine_that_can_be_asked_makes_a_server_ready(install: Install) -> None:
    install("one", VERTICALS.format(name="one", verticals=WEB_AND_NEWS))
    assembly = assembled(install("two", VERTICALS.format(name="two", verticals=WEB_AND_NEWS)))

    async def refuses(_: Caller) -> Any:
        raise PlanMismatch

    async with running(assembly):
        with pytest.raises(PlanMismatch):
            await assembly.chain.searching.sources["one"].call(refuses, Caller(), None, "web")
        ready, states = assembly.readiness()
    assert ready
    assert states["one"].startswith("resting: plan (web)")
    assert states["two"] == "ready"


@pytest.mark.parametrize("arguments", ["dict", "Holder"])
def test_a_tool_whose_arguments_cannot_be_published_stops_the_start_by_name(arguments: str, install: Install) -> None:
    entries = install(
        "odd",
        f"""
from pydantic import BaseModel

class Holder(BaseModel, arbitrary_types_allowed=True):
    held: Tool

class Odd(Tool):
    name = "odd"
    description = "Its arguments are of no kind that a model could send."
    arguments = {arguments}
    async def call(self, arguments, gateway):
        return ToolOutput(text="")

@hookimpl
def websearch_tools():
    yield Odd()
""",
    )
    with pytest.raises(StartupError, match=r"^plugin odd \(.*\): tool odd: arguments and output must be pydantic"):
        Protocol(assembled(entries))
