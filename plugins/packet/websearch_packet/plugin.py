"""Hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from websearch_core import KeyPool, Output, PluginContext, Prompt, Resource, Tool, hookimpl

from .settings import PacketSettings

if TYPE_CHECKING:
    from .packets.packet_maker import PacketMaker
    from .packets.packet_store import PacketStore


@hookimpl
def websearch_outputs(ctx: PluginContext) -> Iterator[Output]:
    """`fetch(output="packet")`."""
    from .output import PacketOutput

    yield PacketOutput(_packing(ctx, ctx.settings(PacketSettings)))


@hookimpl
def websearch_tools(ctx: PluginContext) -> Iterator[Tool]:
    """`extract`, `chunk`, `compact`: there when `[server] tools` names them."""
    from .tools.chunk import ChunkTool
    from .tools.compact import CompactTool
    from .tools.extract import ExtractTool

    settings = ctx.settings(PacketSettings)
    kept = _kept(ctx, settings)
    model = None
    if settings.llm_url:
        from .text.model_summary import SummaryModel

        keys = KeyPool(settings.llm_key, header="authorization", prefix="Bearer ") if settings.llm_key else None
        model = SummaryModel(ctx.api(settings.llm_url, keys=keys), settings.llm_model, settings.llm_timeout_s)
    yield ExtractTool(_packing(ctx, settings), ctx.clock, settings.answer_tokens)
    yield ChunkTool(kept, ctx.workers, settings.answer_tokens)
    yield CompactTool(kept, ctx.workers, model)


@hookimpl
def websearch_resources(ctx: PluginContext) -> Iterator[Resource]:
    """`webfetch://packet/{source_id}` and its like."""
    from .packets.packet_maker import KINDS
    from .resources import PacketResource

    kept = _kept(ctx, ctx.settings(PacketSettings))
    yield from (PacketResource(kept, kind) for kind in KINDS)


@hookimpl
def websearch_prompts() -> Iterator[Prompt]:
    """How to use them."""
    from .prompts import prompts

    yield from prompts()


def _kept(ctx: PluginContext, settings: PacketSettings) -> PacketStore:
    from .packets.packet_store import PacketStore

    return PacketStore(ctx.store_of, ctx.clock, settings.keep_s)


def _packing(ctx: PluginContext, settings: PacketSettings) -> PacketMaker:
    from .packets.packet_maker import PacketMaker

    return PacketMaker(_kept(ctx, settings), ctx.clock, ctx.workers)
