"""Startup is strict: whatever is wrong with a plugin is named with plugin, package, version and remedy."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable
from importlib.metadata import EntryPoint
from typing import Any, cast

import pytest

from websearch_core import RequestFilter, StartupError
from websearch_core.contract.clock import SystemClock
from websearch_core.settings.configuration import Configuration
from websearch_core.startup.assemble import assemble
from websearch_core.startup.discover import Registry, discover
from websearch_core.startup.plugin_context import ConfiguredContext

Install = Callable[..., list[EntryPoint]]

FILTER = """
class Judge(RequestFilter):
    name = "judge"
    async def check(self, request):
        return Allow()

@hookimpl
def websearch_request_filters():
    yield Judge()
"""


def found(
    entries: list[EntryPoint], tables: dict[str, dict[str, Any]] | None = None, environ: dict[str, str] | None = None
) -> Registry:
    configuration = Configuration(tables or {}, environ or {})
    nothing = cast("Any", None)

    def make(plugin: str) -> ConfiguredContext:
        return ConfiguredContext(
            plugin, configuration, SystemClock(), shared_store=lambda: nothing, web=nothing, workers=nothing
        )

    return discover(configuration, make, entries)


def test_a_component_is_known_with_the_package_that_brought_it(install: Install) -> None:
    registry = found(install("guard", FILTER, package="acme-guard", version="2.3"))
    (entry,) = registry.components
    assert (entry.kind, entry.component.name) == ("RequestFilter", "judge")
    assert str(entry.plugin) == "plugin guard (acme-guard 2.3)"


def test_two_packages_with_one_plugin_name_stop_the_start(install: Install) -> None:
    install("guard", FILTER, package="acme-guard")
    with pytest.raises(StartupError, match=r"acme-guard 1\.0 and evil-guard 6\.6.*Uninstall one") as caught:
        found(install("guard", FILTER, package="evil-guard", version="6.6"))
    assert "guard" in str(caught.value)


@pytest.mark.parametrize(
    "needs",
    ["websearch-core>=99.1", "websearch-core (>=99.1,<100)", "Websearch_Core[testing]~=99.1", "websearch-core>99.0"],
)
def test_a_plugin_that_needs_a_newer_core_is_refused_by_name(install: Install, needs: str) -> None:
    newer = "import websearch_core.of_the_future\n"
    entries = install("guard", newer, package="acme-guard", version="2.3", needs=f"Requires-Dist: {needs}\n")
    with pytest.raises(StartupError, match=r"plugin guard \(acme-guard 2\.3\) needs websearch-core.*99\.\d.*Upgrade"):
        found(entries)
    assert found(entries, {"plugins": {"disable": ["guard"]}}).components == []


@pytest.mark.parametrize(
    "needs",
    ["websearch-core>=0.1,<0.2", "websearch-core", "websearch-core>=99; extra == 'next'", "websearch-core-x>=99"],
)
def test_a_plugin_that_this_core_is_enough_for_is_loaded(install: Install, needs: str) -> None:
    assert found(install("guard", FILTER, needs=f"Requires-Dist: {needs}\n")).components


def test_a_check_that_is_not_async_is_refused_by_name(install: Install) -> None:
    with pytest.raises(StartupError, match=r"plugin guard \(acme-guard 1\.0\): Judge judge: check must be async"):
        found(install("guard", FILTER.replace("async def", "def")))


def test_a_check_that_is_decorated_stays_async(install: Install) -> None:
    decorated = """
    import functools

    def counted(function):
        @functools.wraps(function)
        def counting(*given):
            return function(*given)
        return counting
    """
    source = textwrap.dedent(decorated) + FILTER.replace("    async def", "    @counted\n    async def")
    assert found(install("guard", source)).components


def test_a_check_that_is_a_partial_of_one_that_is_decorated_stays_async(install: Install) -> None:
    source = (
        FILTER
        + """
@functools.wraps(Judge.check)
def counting(*given):
    return Judge.asked(*given)

Judge.asked = Judge.check
Judge.check = functools.partial(counting, None)
"""
    )
    assert found(install("guard", "import functools\n" + source)).components


def test_one_package_seen_twice_on_the_path_counts_once(install: Install) -> None:
    entries = install("guard", FILTER)
    assert len(found([*entries, *entries]).components) == 1


def test_two_components_with_one_name_stop_the_start(install: Install) -> None:
    install("one", FILTER)
    with pytest.raises(StartupError, match=r"two components are named judge.*acme-one.*acme-two"):
        found(install("two", FILTER))


def test_request_and_document_filters_share_their_names(install: Install) -> None:
    install("one", FILTER)
    other = """
    class Reader(DocumentFilter):
        name = "judge"
        async def check(self, documents, caller):
            return [Allow() for _ in documents]

    @hookimpl
    def websearch_document_filters():
        yield Reader()
    """
    with pytest.raises(StartupError, match="two components are named judge"):
        found(install("two", other))


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("import nowhere_to_be_found", "does not load: ModuleNotFoundError"),
        ("raise RuntimeError('broken')", "does not load: RuntimeError"),
        ("@hookimpl\ndef websearch_filters():\n    yield 1", "websearch_filters"),
        ("@hookimpl\ndef websearch_tools(context):\n    yield 1", "Argument(s) {'context'}"),
        ("@hookimpl\ndef websearch_tools():\n    yield 1", "must yield Tool instances, not int"),
        ("@hookimpl\ndef websearch_tools():\n    return 1/0", "websearch_tools fails: ZeroDivisionError"),
        (FILTER.replace('"judge"', '"Judge!"'), "needs a name"),
        (FILTER.replace("    async def check(self, request):\n        return Allow()\n", ""), "abstract"),
    ],
    ids=[
        "missing import",
        "raises",
        "misspelt hook",
        "wrong argument",
        "wrong type",
        "hook raises",
        "bad name",
        "abstract",
    ],
)
def test_a_broken_plugin_stops_the_start_and_is_named(install: Install, source: str, problem: str) -> None:
    with pytest.raises(StartupError) as caught:
        found(install("broken", source, package="acme-broken", version="0.9"))
    message = str(caught.value)
    assert problem in message
    assert "plugin broken (acme-broken 0.9)" in message


def test_a_plugin_that_does_not_load_comes_with_the_remedy(install: Install) -> None:
    with pytest.raises(StartupError, match=r'\[plugins\] disable = \["broken"\]'):
        found(install("broken", "import nowhere_to_be_found"))


@pytest.mark.parametrize(
    ("hook", "source", "problem"),
    [
        ("websearch_search_backends", 'verticals = {"wbe": frozenset()}', "verticals: wbe is not known"),
        (
            "websearch_search_backends",
            'verticals = {"web": frozenset({"langauge"})}',
            "verticals: langauge is not known",
        ),
        ("websearch_extractors", "", "needs media_types"),
        ("websearch_tools", 'description = "d"', "needs arguments"),
        ("websearch_resources", 'description = "d"', "needs uri"),
    ],
)
def test_what_would_fail_at_the_first_request_stops_the_start(
    install: Install, hook: str, source: str, problem: str
) -> None:
    kind = {
        "websearch_search_backends": "SearchBackend",
        "websearch_extractors": "Extractor",
        "websearch_tools": "Tool",
        "websearch_resources": "Resource",
    }[hook]
    code = f"""
    class Made({kind}):
        name = "made"
        {source or "pass"}
        async def search(self, request): return []
        async def extract(self, download): ...
        async def call(self, arguments, gateway): ...
        async def read(self, uri, gateway): ...
    @hookimpl
    def {hook}():
        yield Made()
    """
    with pytest.raises(StartupError, match=problem):
        found(install("made", code))


def test_two_resources_with_one_address_stop_the_start(install: Install) -> None:
    code = """
    def made(n):
        class Made(Resource):
            name = n
            uri = "x://one"
            description = "d"
            async def read(self, uri, gateway): ...
        return Made()
    @hookimpl
    def websearch_resources():
        yield made("a")
        yield made("b")
    """
    with pytest.raises(StartupError, match="two components are named x://one"):
        found(install("made", code))


@pytest.mark.parametrize("plugins", [{"disable": ["broken"]}, {"only": ["guard"]}])
def test_a_disabled_plugin_is_listed_but_never_imported(install: Install, plugins: dict[str, list[str]]) -> None:
    install("guard", FILTER)
    registry = found(install("broken", "raise RuntimeError", module="never_imported"), {"plugins": plugins})
    assert "never_imported" not in sys.modules
    assert [(plugin.name, plugin.disabled) for plugin in registry.plugins] == [("broken", True), ("guard", False)]


@pytest.mark.parametrize("key", ["only", "disable"])
def test_an_unknown_name_in_plugins_stops_the_start(install: Install, key: str) -> None:
    with pytest.raises(StartupError, match=rf"\[plugins\] {key}: no plugin named gaurd"):
        found(install("guard", FILTER), {"plugins": {key: ["gaurd"]}})


NEEDS_KEY = """
from pydantic import SecretStr
class Engine(Settings):
    api_key: SecretStr

class Backend(SearchBackend):
    name = "engine"
    async def search(self, request):
        return []

class Judge(RequestFilter):
    name = "judge"
    async def check(self, request):
        return Allow()

@hookimpl
def HOOK(ctx):
    ctx.settings(Engine)
    yield COMPONENT()
"""


def test_a_backend_without_its_key_is_off_with_the_variable_to_set(install: Install) -> None:
    source = NEEDS_KEY.replace("HOOK", "websearch_search_backends").replace("COMPONENT", "Backend")
    registry = found(install("engine", source))
    assert registry.components == []
    assert [(off.kind, off.reason) for off in registry.off] == [("SearchBackend", "WEBSEARCH_ENGINE__API_KEY not set")]


def test_a_filter_without_its_key_stops_the_start(install: Install) -> None:
    source = NEEDS_KEY.replace("HOOK", "websearch_request_filters").replace("COMPONENT", "Judge")
    with pytest.raises(StartupError, match="WEBSEARCH_ENGINE__API_KEY not set"):
        found(install("engine", source))


def test_a_filter_that_was_left_alone_is_off_until_somebody_requires_it(install: Install) -> None:
    source = """
from websearch_core import hookimpl
from websearch_core.kit import MissingSetting

@hookimpl
def websearch_document_filters(ctx):
    raise MissingSetting("engine", ("WEBSEARCH_ENGINE__API_KEY",), left_alone=True)
    yield
"""
    entries = install("engine", source)
    registry = found(entries)
    assert [(off.kind, off.reason) for off in registry.off] == [("DocumentFilter", "WEBSEARCH_ENGINE__API_KEY not set")]
    required = Configuration({"chain": {"require": ["engine-judge"]}}, {}, "test")
    with pytest.raises(StartupError, match=r"engine-judge; off: engine \(WEBSEARCH_ENGINE__API_KEY not set\)"):
        assemble(required, installed=entries)


def test_an_unknown_setting_of_a_plugin_stops_the_start(install: Install) -> None:
    source = NEEDS_KEY.replace("HOOK", "websearch_search_backends").replace("COMPONENT", "Backend")
    tables = {"plugin": {"engine": {"api_key": "k", "apikey": "k"}}}
    with pytest.raises(StartupError, match=r"\[plugin.engine\] apikey: unknown setting; known: api_key"):
        found(install("engine", source), tables)


def test_settings_for_a_plugin_that_takes_none_stop_the_start(install: Install) -> None:
    with pytest.raises(StartupError, match="guard takes no settings"):
        found(install("guard", FILTER), {"plugin": {"guard": {"strict": True}}})


def test_a_plugin_cannot_take_a_table_of_the_core(install: Install) -> None:
    with pytest.raises(StartupError, match="plugin chain"):
        found(install("chain", FILTER))


def test_components_come_by_priority_then_by_name(install: Install) -> None:
    source = """
    def made(n, p):
        class Judge(RequestFilter):
            name = n
            priority = p
            async def check(self, request):
                return Allow()
        return Judge()

    @hookimpl
    def websearch_request_filters():
        yield made("late", 90)
        yield made("b", 50)
        yield made("a", 50)
        yield made("early", 1)
    """
    registry = found(install("many", source))
    assert [judge.name for judge in registry.of(RequestFilter)] == ["early", "a", "b", "late"]


@pytest.mark.parametrize(
    "source", ["import sys\nsys.exit(3)", "@hookimpl\ndef websearch_tools():\n    raise SystemExit"]
)
def test_a_plugin_that_ends_the_process_is_named_like_any_other_that_fails(install: Install, source: str) -> None:
    with pytest.raises(StartupError, match=r"plugin quitter \(acme-quitter 1\.0\).*SystemExit"):
        found(install("quitter", source))


def test_what_a_plugin_prints_while_it_loads_is_not_on_stdout(
    install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    found(
        install(
            "talker", "print('at import')\n@hookimpl\ndef websearch_tools():\n    print('in a hook')\n    return []"
        )
    )
    assert capsys.readouterr() == ("", "at import\nin a hook\n")
