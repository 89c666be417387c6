"""The time limit of the work that is under way, which stands still while a worker process is waited for."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

TIMEOUT: ContextVar[asyncio.Timeout | None] = ContextVar("TIMEOUT", default=None)
"""Set where a filter or an extractor is limited; read where a worker is waited for."""
