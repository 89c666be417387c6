"""What all contract classes share: a context, declared exceptions, and the rule that no standard test is overridden."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from websearch_core.contract.context import PluginContext
from websearch_core.contract.interfaces import Component
from websearch_core.startup.discover import KINDS, required
from websearch_core.testing.fakes import FakeClock, context

C = TypeVar("C", bound=Component)
SLUG = re.compile(r"[a-z0-9][a-z0-9-]*")


class Contract(ABC, Generic[C]):
    """Inherit one of the kinds, name the class `Test…`, fill in what it asks for; pytest does the rest."""

    pytestmark = pytest.mark.anyio

    component: ClassVar[type[Component]]
    """The class under contract: CI looks here for components of ours that have none."""
    plugin: ClassVar[str] = "test"
    """The plugin's name, when the component reads settings."""
    names: ClassVar[re.Pattern[str]] = SLUG
    """What a component of this kind may be called."""
    expected_failures: ClassVar[Mapping[str, str]] = {}
    """Test name (with or without its `[id]`) → why this component cannot pass it. It must then fail."""

    @abstractmethod
    def make(self, ctx: PluginContext) -> C:
        """The component, as the plugin's hook would make it."""

    def settings(self) -> Mapping[str, Any]:
        """The plugin's settings table."""
        return {}

    @pytest.fixture
    def anyio_backend(self) -> str:
        """The server runs on asyncio."""
        return "asyncio"

    @pytest.fixture
    def clock(self) -> FakeClock:
        """The component's time: it moves when the test moves it."""
        return FakeClock()

    @pytest.fixture
    def ctx(self, tmp_path: Path, clock: FakeClock) -> PluginContext:
        """What the component's hook is handed."""
        return context(self.plugin, self.settings(), clock=clock, data_dir=tmp_path)

    @pytest.fixture
    async def made(self, ctx: PluginContext) -> AsyncIterator[C]:
        """The component, started; closed after the test."""
        component = self.make(ctx)
        await component.start()
        component.warm()
        component.warm_later()
        yield component
        await component.aclose()
        await ctx.aclose()
        await ctx.web.aclose()

    @pytest.fixture(autouse=True)
    def declared_exceptions(self, request: pytest.FixtureRequest) -> None:
        """A declared exception must fail, and says why."""
        for name in (request.node.name, request.node.name.partition("[")[0]):
            if name in self.expected_failures:
                request.applymarker(pytest.mark.xfail(reason=self.expected_failures[name], strict=True))
                return

    async def test_no_standard_test_is_overridden(self) -> None:
        """What a component cannot do is declared in `expected_failures`, with the reason; it is not redefined."""
        standard = _standard_tests(type(self))
        overridden = [name for name, test in standard.items() if getattr(type(self), name) is not test]
        assert not overridden, f"overridden: {overridden}; name them in expected_failures with the reason instead"
        unknown = [name for name in self.expected_failures if not hasattr(self, name.partition("[")[0])]
        assert not unknown, f"expected_failures names no such test: {unknown}"
        unexplained = [name for name, reason in self.expected_failures.items() if not reason.strip()]
        assert not unexplained, f"expected_failures gives no reason for {unexplained}"

    async def test_the_component_is_of_the_declared_class_and_well_named(self, made: C) -> None:
        """`component` is what `make` makes; it has what a start asks of it."""
        assert type(made) is self.component, f"component = {type(made).__name__} is missing on {type(self).__name__}"
        assert self.names.fullmatch(made.name), f"name {made.name!r} does not match {self.names.pattern}"
        for kind in KINDS.values():
            missing = [name for name in required(kind) if isinstance(made, kind) and not getattr(made, name, None)]
            assert not missing, f"{kind.__name__} {made.name} needs {missing[0]}"

    async def test_making_it_twice_is_harmless(self, made: C, ctx: PluginContext) -> None:
        """Construction is cheap and shares nothing; an object that was never started can be closed."""
        other = self.make(ctx)
        assert other is not made
        await other.aclose()


def _standard_tests(cls: type) -> dict[str, Callable[..., Any]]:
    """The tests of the kit's own classes, nearest class first."""
    found: dict[str, Callable[..., Any]] = {}
    for base in cls.__mro__:
        if base.__module__.startswith("websearch_core.testing."):
            for name, value in vars(base).items():
                if name.startswith("test_"):
                    found.setdefault(name, value)
    return found
