"""The tool `compact`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field, model_validator

from websearch_core import BackendError, Gateway, Page, Tool, ToolOutput
from websearch_core.kit import MarkedText, Workers, estimate_tokens

from ..choices import Mode, Preserved
from ..packets.packet_store import PacketStore
from .packet_input import Given, GivenChunks, PacketText, joined, source_of

if TYPE_CHECKING:
    from ..text.model_summary import SummaryModel

_LONG = 10_000
_BY_MODEL = frozenset(("map_reduce", "question_focused"))
_SUMMARY = 0.7
_SAID = 0.6
"""Of an answer: the rest is for what is left out."""
_SMALLEST = 50


class CompactCall(BaseModel, defer_build=True):
    """What to shorten, and how."""

    source_id: str | None = Field(default=None, description="of a packet fetched before", max_length=64)
    packet: Given | None = Field(default=None, description="or the packet itself")
    chunks: GivenChunks | None = Field(default=None, description="or what the tool chunk gave")
    max_tokens: int = Field(default=1000, ge=_SMALLEST, le=50_000, description="of the result")
    mode: Mode = Field(
        default="structural",
        description="whole sections; the sentences that say most; a share of each part; what answers question",
    )
    question: str = Field(default="", max_length=1000, description="for question_focused")
    preserve: list[Preserved] = Field(
        default=["numbers", "dates", "names"], description="what is kept before other things"
    )

    @model_validator(mode="after")
    def _one(self) -> CompactCall:
        if sum(given is not None for given in (self.source_id, self.packet, self.chunks)) != 1:
            raise ValueError("give one of source_id, packet and chunks")
        return self


class CompactTool(Tool):
    """A page in short."""

    name = "compact"
    title = "Shorten a page"
    description = (
        "Shortens a fetched page (packet or chunks) to so many tokens; each sentence names the block that it is from."
    )
    arguments = CompactCall
    optional = True

    def __init__(self, kept: PacketStore, workers: Workers, model: SummaryModel | None = None) -> None:
        """Without a model nothing leaves this machine."""
        self._kept = kept
        self._workers = workers
        self._model = model
        if model is None:
            self.stays = frozenset({"packet", "chunks", "question"})

    async def call(self, arguments: BaseModel, gateway: Gateway) -> ToolOutput:
        """Summary, key points, quotes, and what is missing."""
        call = CompactCall.model_validate(arguments)
        given = call.packet
        if call.chunks is not None:
            about = {"source_id": call.chunks.source_id, "original_url": call.chunks.original_url}
            given = Given(content=joined(call.chunks.chunks), **about)
        source = await source_of(call.source_id, given, self._kept, gateway)
        most = int(min(call.max_tokens, max(gateway.answer_tokens * _SAID, _SMALLEST)))
        warnings = [f"max_tokens is {most} here: an answer holds no more"] if most < call.max_tokens else []
        call = call.model_copy(update={"max_tokens": most})
        parts = source.parts(call.chunks.chunks) if call.chunks is not None else ()
        how = (source.content, call.max_tokens, call.mode, call.question, tuple(call.preserve), parts)
        made = await self._workers.run(_compacted, *how) if len(source.content) >= _LONG else _compacted(*how)
        made["by"] = "heuristics"
        if self._model is not None and call.mode in _BY_MODEL:
            from ..text.model_summary import UntrustedAnswer

            try:
                made = await self._by_model(self._model, source, call, gateway)
            except (BackendError, UntrustedAnswer) as error:
                reason = error.code if isinstance(error, BackendError) else str(error)
                made["warnings"].append(f"the model was not used, the text's own sentences were: {reason}")
        made["warnings"] += warnings
        tokens = made.pop("est_tokens")
        data = {
            "source_id": source.source_id,
            "original_url": source.url,
            "mode": call.mode,
            "compacted": made,
            "est_tokens": tokens,
        }
        return ToolOutput(text=_text(made) or "(nothing)", structured=data, untrusted=True)

    async def _by_model(
        self, model: SummaryModel, source: PacketText, call: CompactCall, gateway: Gateway
    ) -> dict[str, Any]:
        from ..text.extractive_summary import ExtractiveSummary, finished
        from ..text.model_summary import UntrustedAnswer

        room = int(call.max_tokens * _SUMMARY)
        told = await model.condensed(source.content, room, call.question, gateway.caller.deadline)
        kept: list[dict[str, Any]] = []
        for one in told.sentences:
            room -= round(estimate_tokens(one["text"])) + 4
            if room < 0:
                break
            kept.append(one)
        summary = "\n".join(one["text"] for one in kept)
        inspected = await gateway.inspect((Page.from_markdown(summary, url=f"urn:websearch:{source.source_id}"),))
        if not inspected.documents:
            raise inspected.dropped[0].error()
        if not kept or inspected.documents[0].body != summary:
            raise UntrustedAnswer("the filters changed what the model said, or nothing of it fits")
        warnings = (
            [f"{told.refused} sentences of the model were not borne out and are left out"] if told.refused else []
        )
        if len(kept) < len(told.sentences):
            warnings.append("the summary was cut to fit")
        made = finished(
            MarkedText(source.content), kept, ExtractiveSummary([], [], warnings), call.max_tokens, lambda _: 0.0
        )
        return {**made, "by": "model"}


def _compacted(
    content: str, max_tokens: int, mode: Mode, question: str, preserve: Collection[str], parts: Sequence[int]
) -> dict[str, Any]:
    from ..text.extractive_summary import compacted

    return compacted(content, max_tokens, mode, question, preserve, parts)


def _text(made: dict[str, Any]) -> str:
    parts = [made["summary"]]
    for label, name in (("Key points", "key_points"), ("Quotes", "important_quotes")):
        if made[name]:
            parts.append("\n".join([f"{label}:", *(f"- {one['text']} [{one['citation']}]" for one in made[name])]))
    if remarks := [*made["omissions"], *made["warnings"]]:
        parts.append("\n".join(["Left out:", *(f"- {line}" for line in remarks)]))
    return "\n\n".join(part for part in parts if part)
