"""The names that plugin authors import: at the top, in the kit, and those that still work for one release."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest

import websearch_core
from websearch_core import Hit, SearchBackend, SearchRequest, kit
from websearch_core.testing.components import FakeBackend

MOVED = {name: (kit, name) for name in kit.__all__}
RENAMED = {
    "Api": (websearch_core, "EngineClient"),
    "Connection": (kit, "RawConnection"),
    "Robots": (kit, "RobotsRules"),
    "Drift": (kit, "UnexpectedResponse"),
    "Web": (kit, "GuardedClient"),
}


@pytest.mark.parametrize("room", [websearch_core, kit], ids=["top", "kit"])
def test_no_public_name_is_a_module_beside_it(room: ModuleType) -> None:
    modules = {module.name for module in pkgutil.iter_modules(room.__path__)}
    assert not modules & set(room.__all__), "importing the module would take the name's place"
    assert not any(isinstance(getattr(room, name), ModuleType) for name in room.__all__)


def test_each_name_has_one_place() -> None:
    assert not set(websearch_core.__all__) & set(kit.__all__)


@pytest.mark.parametrize("old", [*sorted(MOVED), *RENAMED])
def test_an_old_name_still_works_and_says_where_it_is_now(old: str) -> None:
    room, today = {**MOVED, **RENAMED}[old]
    with pytest.warns(DeprecationWarning, match=rf"websearch_core\.{old} goes with 0\.2: import {today} from"):
        found = getattr(websearch_core, old)
    assert found is getattr(room, today)


@pytest.mark.parametrize("room", [websearch_core, kit], ids=["top", "kit"])
def test_a_name_that_never_was_is_an_error(room: ModuleType) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nonsense'"):
        _ = room.Nonsense


def test_what_a_plugin_author_imports_loads_no_server_and_no_command_line() -> None:
    code = (
        "import sys, websearch_core, websearch_core.kit as kit\n"
        "[getattr(room, name) for room in (websearch_core, kit) for name in room.__all__]\n"
        "print(*sorted(name for name in sys.modules if name.startswith('websearch_core.')))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {name.split(".")[1] for name in loaded} & {"server", "cli", "startup", "testing"}


ATTRIBUTES = [
    ("ceiling", "max_results", 20),
    ("joins", "always_merged", True),
    ("lineage", "index_owner", "bing"),
    ("narrow", "is_corpus", True),
    ("sites", "max_site_operators", 4),
]


@pytest.mark.parametrize(("old", "new", "value"), ATTRIBUTES)
def test_a_backend_that_declares_an_old_attribute_works_and_hears_the_new_name(old: str, new: str, value: Any) -> None:
    class Backend(SearchBackend):
        async def search(self, request: SearchRequest) -> Sequence[Hit]:
            return ()

    said = rf"Old\.{old} goes with 0\.2: name it {new}"
    with pytest.warns(DeprecationWarning, match=said) as warned:
        made = type("Old", (Backend,), {old: value})()
    assert warned[0].filename == __file__
    assert getattr(made, new) == value
    with pytest.warns(DeprecationWarning, match=said) as warned:
        assert getattr(made, old) == value
    assert warned[0].filename == __file__
    assert type("Younger", (type(made),), {})().max_results == made.max_results, "and is told once"


@pytest.mark.parametrize(("old", "new", "value"), ATTRIBUTES)
def test_a_backend_that_has_an_old_attribute_from_a_mixin_works(old: str, new: str, value: Any) -> None:
    mixin = type("Mixin", (), {old: value})
    with pytest.warns(DeprecationWarning, match=rf"Old\.{old} goes with 0\.2: name it {new}"):
        mixed = type("Old", (mixin, FakeBackend), {})
    assert getattr(mixed, new) == value


@pytest.mark.parametrize(("old", "new", "value"), ATTRIBUTES)
def test_a_backend_that_sets_an_old_attribute_works_and_hears_the_new_name(old: str, new: str, value: Any) -> None:
    with pytest.warns(DeprecationWarning, match=rf"FakeBackend\.{old} goes with 0\.2: name it {new}"):
        made = FakeBackend(**{old: value})
    assert getattr(made, new) == value


def test_a_backend_that_has_an_old_attribute_as_a_property_works() -> None:
    with pytest.warns(DeprecationWarning, match="joins goes"):

        class Library(FakeBackend):
            @property
            def joins(self) -> bool:
                return bool(self.hits)

    assert Library(hits=[Hit(url="https://a.example/")]).always_merged
    assert not Library().always_merged
