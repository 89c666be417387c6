"""Settings and hook; imports little."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from websearch_core import DocumentFilter, PluginContext, Settings, hookimpl


class GuardModelSettings(Settings):
    """`[plugin.guard-model]`: what is done with what the model is sure of."""

    action: Literal["excise", "drop", "annotate"] = "excise"
    """What two witnesses say is cut out (`excise`), takes its document with it (`drop`), or is marked (`annotate`)."""
    threshold: float | None = Field(default=None, gt=0, lt=1)
    """From which score on something is removed, whoever says so; not set: as calibrated."""
    top_k: int = Field(default=64, ge=1, le=256)
    """Of each document, so many windows at most are read, those that look worst first; further ones are marked."""
    threads: int = Field(default=1, ge=1, le=16)
    """How many cores one batch of windows may use."""


@hookimpl
def websearch_document_filters(ctx: PluginContext) -> Iterator[DocumentFilter]:
    """The encoder, after guard."""
    from .filter import ModelFilter

    settings = ctx.settings(GuardModelSettings)
    yield ModelFilter(settings.action, settings.threshold, settings.top_k, settings.threads)
