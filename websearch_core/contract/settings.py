"""The base of every settings table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """Base of a plugin's settings: frozen, and an unknown key stops the start.

    `[plugin.NAME]` in websearch.toml, overridden by `WEBSEARCH_NAME__KEY`, then by the variables in `aliases`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, defer_build=True)

    aliases: ClassVar[Mapping[str, str]] = {}
    """Other environment variables that are understood: variable → field. The file and our own variables win over
    them: a stray variable of another program changes nothing that the operator wrote down."""


S = TypeVar("S", bound=Settings)
