"""The pytest plugin that comes with websearch-core: two fixtures, and readable assertions in the contract classes."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .fakes import FakeClock
    from .site import LoopbackSite

pytest.register_assert_rewrite("websearch_core.testing.contracts")


def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: object) -> None:
    """A contract class with gaps is an error: pytest would leave it out without a word, and nothing would be tested."""
    if isinstance(obj, type) and name.startswith("Test") and hasattr(obj, "expected_failures") and (gaps := _gaps(obj)):
        raise collector.CollectError(
            f"{name} does not fill in: {', '.join(sorted(gaps))}; docs/hooks.md says what each is"
        )


def _gaps(contract: type) -> set[str]:
    """Its abstract methods, and the attributes that it declares without a value."""
    declared = {
        name
        for base in contract.__mro__
        for name, kind in inspect.get_annotations(base).items()
        if "ClassVar" in str(kind) and not hasattr(contract, name)
    }
    return declared | set(getattr(contract, "__abstractmethods__", ()))


@pytest.fixture
def clock() -> FakeClock:
    """Time that the test moves by hand."""
    from .fakes import FakeClock

    return FakeClock()


@pytest.fixture
async def loopback_site() -> AsyncIterator[LoopbackSite]:
    """A web site on 127.0.0.1 that the test scripts."""
    from .site import LoopbackSite

    async with LoopbackSite() as site:
        yield site
