"""The times alone: for a machine that does nothing else, while what is found does not depend on that."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

from . import injection, model, pii
from .data import rows
from .production import running
from .rows import Row


async def measure(data: Path) -> AsyncIterator[Row]:
    """The rows that the other groups have, too; `data` is the folder of development data."""
    for row in await pii.times([row["text"] for row in rows(data / "queries-ordinary.jsonl.gz")]):
        yield row
    async with running("guard") as chain:
        for row in await injection.times(chain, [row["text"] for row in rows(data / "pages-clean.jsonl.gz")]):
            yield row
    async with running("guard", "guard-model") as chain:
        for row in await model.costs(chain, data):
            yield row
