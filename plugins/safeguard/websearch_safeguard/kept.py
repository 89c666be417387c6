"""Verdicts that are kept: by content, policy, model and endpoint, for each tenant by itself. No text is in them."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from websearch_core import Caller, PluginContext

if TYPE_CHECKING:
    from .plugin import SafeguardSettings


class Span(BaseModel):
    """A piece of one part of what was judged: offsets are code points within that part."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    field: str
    start: int
    end: int


class Judgement(BaseModel):
    """What a policy model decided about one excerpt, verified."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    violation: bool
    category: str
    confidence: float
    spans: tuple[Span, ...] = ()


class Kept:
    """The verdict cache. The key tells whether two texts are equal, therefore no tenant shares it with another."""

    def __init__(self, ctx: PluginContext, settings: SafeguardSettings) -> None:
        self._ctx = ctx
        self._ttl_s = settings.cache_ttl_s

    async def get(self, caller: Caller, about: tuple[str, ...]) -> Judgement | None:
        """The verdict on this; None where there is none."""
        if not self._ttl_s:
            return None
        found = await self._ctx.store_of(caller).get(_key(about))
        try:
            return Judgement.model_validate_json(found) if found else None
        except ValidationError:
            return None

    async def put(self, caller: Caller, about: tuple[str, ...], judgement: Judgement) -> None:
        """Keep it."""
        if self._ttl_s:
            await self._ctx.store_of(caller).set(_key(about), judgement.model_dump_json().encode(), self._ttl_s)


def _key(about: tuple[str, ...]) -> str:
    return "verdict-" + hashlib.sha256(json.dumps(about).encode()).hexdigest()
