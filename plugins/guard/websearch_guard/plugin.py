"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from pydantic import Field

from websearch_core import DocumentFilter, PluginContext, RequestFilter, Settings, hookimpl

from .pii.kinds import Action, Kind

Family = Literal[
    "addressed",
    "authority",
    "exfiltration",
    "extraction",
    "memory",
    "misinformation",
    "override",
    "recommendation",
    "redirect",
    "role",
    "secrecy",
    "system_tag",
    "tool",
    "turn",
    "wording",
]
"""Of rules; `wording` is what the model finds and no rule names."""

InjectionAction = Literal["excise", "drop", "annotate"]


class GuardSettings(Settings):
    """`[plugin.guard]`: what is done with what is found. There is nothing to switch a filter off."""

    engines: tuple[str, ...] = ()
    """Whose search operators are made plain words (`duckduckgo`, `searxng`, …); empty: all that are known."""
    different_values: int = Field(default=30, ge=0)
    """How many values of one parameter may go to one place before it looks like smuggling; 0: not counted."""
    window_s: float = Field(default=600.0, gt=0)
    """Within so many seconds."""
    pii: Mapping[Kind, Action] = {}
    """Class of personal data → `block`, `mask` or `allow`, where that is not to be blocked."""
    injection: InjectionAction = "excise"
    """What two witnesses say is cut out (`excise`), takes its document with it (`drop`), or is marked (`annotate`)."""
    injection_families: Mapping[Family, InjectionAction] = {}
    """The same for one family of rules (`secrecy`, `exfiltration`, …)."""
    injection_threshold: float | None = Field(default=None, gt=0, lt=1)
    """From which score on something is removed, whoever says so; not set: as calibrated."""


@hookimpl
def websearch_request_filters(ctx: PluginContext) -> Iterator[RequestFilter]:
    """Personal data and secrets, operators that lead elsewhere, data that is smuggled out."""
    from .exfiltration import GuardExfiltration
    from .operators import GuardOperators
    from .pii.filter import PersonalData

    settings = ctx.settings(GuardSettings)
    yield PersonalData(settings.pii)
    yield GuardOperators(settings.engines)
    yield GuardExfiltration(ctx.clock, different_values=settings.different_values, window_s=settings.window_s)


@hookimpl
def websearch_document_filters(ctx: PluginContext) -> Iterator[DocumentFilter]:
    """Hidden text, then instructions to an AI."""
    from .hidden import HiddenFilter
    from .injection.filter import InjectionFilter

    settings = ctx.settings(GuardSettings)
    yield HiddenFilter(ctx.workers)
    families: dict[str, InjectionAction] = {str(name): action for name, action in settings.injection_families.items()}
    yield InjectionFilter(ctx.workers, settings.injection, families, settings.injection_threshold)
