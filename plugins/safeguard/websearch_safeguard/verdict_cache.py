"""Verdicts that are kept: by content, policy, model and endpoint, for each tenant by itself. No text is in them."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import TYPE_CHECKING

from pydantic import ValidationError

from websearch_core import Caller, PluginContext

from .verdict_parser import CheckedVerdict

if TYPE_CHECKING:
    from .settings import SafeguardSettings

log = logging.getLogger(__name__)


class VerdictCache:
    """The verdict cache. The key tells whether two texts are equal, therefore no tenant shares it with another.

    Where the store fails, nothing is known and nothing is kept.
    """

    def __init__(self, ctx: PluginContext, settings: SafeguardSettings) -> None:
        self._ctx = ctx
        self._ttl_s = settings.cache_ttl_s

    async def get(self, caller: Caller, about: tuple[str, ...]) -> CheckedVerdict | None:
        """The verdict on this; None where there is none."""
        if not self._ttl_s:
            return None
        try:
            found = await self._ctx.store_of(caller).get(_key(about))
            return CheckedVerdict.model_validate_json(found) if found else None
        except ValidationError:
            return None
        except Exception as error:  # noqa: BLE001 - then it is asked again
            log.warning("a kept verdict was not read (%s)", type(error).__name__)
            return None

    async def put(self, caller: Caller, about: tuple[str, ...], checked: CheckedVerdict) -> None:
        """Keep it."""
        if not self._ttl_s:
            return
        try:
            await self._ctx.store_of(caller).set(_key(about), checked.model_dump_json().encode(), self._ttl_s)
        except Exception as error:  # noqa: BLE001 - the verdict holds all the same
            log.warning("a verdict was not kept (%s)", type(error).__name__)


def _key(about: tuple[str, ...]) -> str:
    return "verdict-" + hashlib.sha256(json.dumps(about).encode()).hexdigest()
