"""One event loop for async tests, how many examples are tried, and a wire across the way out of this machine."""

from __future__ import annotations

import gc
import ipaddress
import os
import sys
from collections.abc import Generator, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# An example may take as long as the machine needs. A change must pass HYPOTHESIS_PROFILE=full.
settings.register_profile("full", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("full"), max_examples=25)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests stay to the end: the garbage collector need not look through them again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture
def anyio_backend() -> str:
    """The server runs on asyncio; so do the tests."""
    return "asyncio"


_left: list[str] = []
"""Who was called, or asked about, that is not on this machine, in the running test."""


def _stays_here(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event in ("socket.connect", "socket.sendto") and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    else:
        return
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host or ""
    if "." not in name.rstrip(".") and ":" not in name:  # no public name is a single label
        return
    if name.endswith((".localhost", ".invalid", ".test")):
        return
    try:
        here = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        here = None
    if here is None or not (here.is_loopback or here.is_unspecified):
        _left.append(name)
        raise OSError(f"a test wanted to reach {name}")


@pytest.fixture(autouse=True)
def _nothing_left_this_machine() -> Iterator[None]:
    _left.clear()
    yield
    if _left:
        pytest.fail(f"the test wanted to reach {_left}")


sys.addaudithook(_stays_here)
