"""The plugin's settings; imports little."""

from __future__ import annotations

from pydantic import Field, model_validator

from websearch_core import OptionalKeys, Settings


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
