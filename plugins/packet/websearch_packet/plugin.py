"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import Field, model_validator

from websearch_core import KeyPool, OptionalKeys, Output, PluginContext, Prompt, Resource, Settings, Tool, hookimpl

if TYPE_CHECKING:
    from .kept import Kept
    from .packing import Packing


class PacketSettings(Settings):
    """`[plugin.packet]`."""

    keep_s: float = Field(default=3600.0, ge=0, le=7 * 86_400)
    """How long a packet can be read again; 0: none is kept."""
    answer_tokens: int = Field(default=12_000, ge=500)
    """What an answer of the tools `extract` and `chunk` may cost; it is at most `[server] max_output_tokens`."""
    llm_url: str = ""
    """What stands before `/chat/completions` of an OpenAI-compatible endpoint that may read pages; empty: none."""
    llm_model: str = ""
    """What the model is called there."""
    llm_key: OptionalKeys = ()
    llm_timeout_s: float = Field(default=20.0, gt=0)

    @model_validator(mode="after")
    def _whole(self) -> PacketSettings:
        if bool(self.llm_url) != bool(self.llm_model):
            raise ValueError("llm_url and llm_model are set together, or neither is")
        return self


@hookimpl
def websearch_outputs(ctx: PluginContext) -> Iterator[Output]:
    """`fetch(output="packet")`."""
    from .output import PacketOutput

    yield PacketOutput(_packing(ctx, ctx.settings(PacketSettings)))


@hookimpl
def websearch_tools(ctx: PluginContext) -> Iterator[Tool]:
    """`extract`, `chunk`, `compact`: there when `[server] tools` names them."""
    from .chunk import ChunkTool
    from .compact import CompactTool
    from .extract import ExtractTool

    settings = ctx.settings(PacketSettings)
    kept = _kept(ctx, settings)
    model = None
    if settings.llm_url:
        from .model import Model

        keys = KeyPool(settings.llm_key, header="authorization", prefix="Bearer ") if settings.llm_key else None
        model = Model(ctx.api(settings.llm_url, keys=keys), settings.llm_model, settings.llm_timeout_s)
    yield ExtractTool(_packing(ctx, settings), ctx.clock, settings.answer_tokens)
    yield ChunkTool(kept, ctx.workers, settings.answer_tokens)
    yield CompactTool(kept, ctx.workers, model)


@hookimpl
def websearch_resources(ctx: PluginContext) -> Iterator[Resource]:
    """`webfetch://packet/{source_id}` and its like."""
    from .packing import KINDS
    from .resources import KeptResource

    kept = _kept(ctx, ctx.settings(PacketSettings))
    yield from (KeptResource(kept, kind) for kind in KINDS)


@hookimpl
def websearch_prompts() -> Iterator[Prompt]:
    """How to use them."""
    from .prompts import prompts

    yield from prompts()


def _kept(ctx: PluginContext, settings: PacketSettings) -> Kept:
    from .kept import Kept

    return Kept(ctx.store_of, ctx.clock, settings.keep_s)


def _packing(ctx: PluginContext, settings: PacketSettings) -> Packing:
    from .packing import Packing

    return Packing(_kept(ctx, settings), ctx.clock, ctx.workers)
