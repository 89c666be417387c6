"""One event loop for every async test."""

from __future__ import annotations

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """The server runs on asyncio; so do the tests."""
    return "asyncio"
