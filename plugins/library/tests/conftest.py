"""A library in a temporary folder, and the context that the core would hand to the plugin."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from websearch_core import PluginContext
from websearch_core.testing.fakes import FakeClock, context
from websearch_library.index.library import Library


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "library.db"


@pytest.fixture
async def library(file: Path, clock: FakeClock) -> AsyncIterator[Library]:
    library = Library(file, clock)
    await library.open()
    yield library
    await library.aclose()


@pytest.fixture
async def ctx(tmp_path: Path, file: Path, clock: FakeClock) -> AsyncIterator[PluginContext]:
    made = context("library", {"path": str(file), "pace_s": 0}, clock=clock, data_dir=tmp_path)
    yield made
    await made.web.aclose()
