"""Every component of ours has a contract class: a plugin of ours cannot skip the kit."""

from __future__ import annotations

import ast
import inspect
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from websearch_core.contract import hookspecs
from websearch_core.contract.errors import MissingSetting
from websearch_core.contract.results import Lens
from websearch_core.startup.discover import KINDS
from websearch_core.stores.memory import MemoryStore
from websearch_core.stores.prefixed import PrefixedStore
from websearch_core.stores.sqlite import SqliteStore
from websearch_core.testing import context

ROOT = Path(__file__).parents[1]
OF_THE_CORE = (MemoryStore, PrefixedStore, SqliteStore)


def our_plugins(*rooms: str) -> list[EntryPoint]:
    """The plugins that this repository holds, as their packaging declares them."""
    projects = [
        tomllib.loads(path.read_text("utf-8"))["project"]
        for room in rooms
        for path in ROOT.glob(f"{room}/*/pyproject.toml")
    ]
    declared = [project.get("entry-points", {}).get(hookspecs.PROJECT, {}) for project in projects]
    return [EntryPoint(name, value, hookspecs.PROJECT) for table in declared for name, value in sorted(table.items())]


def components(plugin: str, module: ModuleType) -> Iterator[object]:
    """What its hooks yield when every setting that it needs is there."""
    environ: dict[str, str] = {}
    for hook in KINDS:
        implementation = getattr(module, hook, None)
        while implementation:
            ctx = context(plugin, environ=environ)
            arguments = [ctx] if inspect.signature(implementation).parameters else []
            try:
                yield from implementation(*arguments)
            except MissingSetting as missing:
                environ |= {name: "http://127.0.0.1:9" if "URL" in name else "x" for name in missing.names}
                continue
            break


def contracts(tests: Path) -> Iterator[type]:
    """The classes that contract classes in this file name as their `component`."""
    tree = ast.parse(tests.read_text(encoding="utf-8"))
    names = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and not node.level
        for alias in node.names
    }
    for cls in tree.body:
        if isinstance(cls, ast.ClassDef) and cls.name.startswith("Test"):
            bases = [ast.unparse(base) for base in cls.bases]
            declared = [
                ast.unparse(statement.value)
                for statement in cls.body
                if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value
                for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
                if ast.unparse(target) == "component"
            ]
            if any(base.endswith("Contract") for base in bases):
                for module, name in (names[component] for component in declared if component in names):
                    yield getattr(import_module(module), name)


def covered() -> set[type]:
    """Every class that some contract class of this repository is about."""
    files = [
        path for room in ("plugins/*/tests", "examples/*/tests", "tests") for path in ROOT.glob(f"{room}/**/test_*.py")
    ]
    return {cls for path in files if "Contract" in path.read_text(encoding="utf-8") for cls in contracts(path)}


def lacking(found: Iterable[object], having: set[type]) -> list[str]:
    """The components without a contract class; lenses are values and need none."""
    classes = {type(component) for component in found if not isinstance(component, Lens)}
    return sorted(f"{cls.__module__}.{cls.__name__}" for cls in classes - having)


@pytest.mark.parametrize("entry", our_plugins("plugins", "examples"), ids=lambda entry: entry.name)
def test_every_component_of_ours_has_a_contract_class(entry: EntryPoint) -> None:
    found = list(components(entry.name, entry.load()))
    assert lacking(found, covered()) == [], "write `class TestX(…Contract): component = X` in the plugin's tests"


def test_every_store_of_the_core_has_a_contract_class() -> None:
    assert set(OF_THE_CORE) <= covered()


def test_what_is_installed_is_what_is_checked() -> None:
    installed = {(entry.name, entry.value) for entry in entry_points(group=hookspecs.PROJECT)}
    assert {(entry.name, entry.value) for entry in our_plugins("plugins")} <= installed


def test_a_component_without_a_contract_class_is_named() -> None:
    class Unproven:
        pass

    assert lacking([Unproven(), Lens(name="x", description="x", domains=("x.example",))], covered()) == [
        f"{__name__}.Unproven"
    ]


def test_hooks_with_missing_settings_are_called_again_with_them() -> None:
    from pydantic import SecretStr

    from websearch_core import Settings, hookimpl

    class Keys(Settings):
        base_url: str
        api_key: SecretStr

    @hookimpl
    def websearch_search_backends(ctx: Any) -> Iterator[Mapping[str, str]]:
        settings = ctx.settings(Keys)
        yield {"url": settings.base_url}

    module = ModuleType("acme")
    module.websearch_search_backends = websearch_search_backends
    assert list(components("acme", module)) == [{"url": "http://127.0.0.1:9"}]
