"""Hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from websearch_core import Command, DocumentFilter, KeyPool, PluginContext, RequestFilter, hookimpl
from websearch_core.kit import MissingSetting

from .settings import SafeguardSettings

if TYPE_CHECKING:
    from .judge import Judge


@hookimpl
def websearch_request_filters(ctx: PluginContext) -> Iterator[RequestFilter]:
    """What leaves: personal data."""
    settings = _usable(ctx)
    from .pii_filter import SafeguardPiiFilter
    from .policies import of_family

    judge = _judge(ctx, settings)
    yield SafeguardPiiFilter(ctx, judge, of_family("pii", settings.policies_dir), settings)


@hookimpl
def websearch_document_filters(ctx: PluginContext) -> Iterator[DocumentFilter]:
    """What a model reads: instructions to it."""
    settings = _usable(ctx)
    from .injection_filter import SafeguardInjectionFilter
    from .policies import of_family

    judge = _judge(ctx, settings)
    yield SafeguardInjectionFilter(ctx, judge, of_family("injection", settings.policies_dir), settings)


@hookimpl
def websearch_commands(ctx: PluginContext) -> Iterator[Command]:
    """`websearch policies`."""
    from .command import PoliciesCommand

    yield PoliciesCommand(ctx.settings(SafeguardSettings).policies_dir)


def _usable(ctx: PluginContext) -> SafeguardSettings:
    """The settings. Raises MissingSetting: where nobody has set anything the plugin is off, not forgotten."""
    settings = ctx.settings(SafeguardSettings)
    if settings.lacks_key:
        names = ("WEBSEARCH_SAFEGUARD__API_KEY",)
        raise MissingSetting(ctx.plugin, names, left_alone=not settings.model_fields_set)
    return settings


def _judge(ctx: PluginContext, settings: SafeguardSettings) -> Judge:
    from .endpoint import Endpoint, explain
    from .judge import Judge
    from .verdict_cache import VerdictCache

    keys = KeyPool(settings.api_key, header="authorization", prefix="Bearer ") if settings.api_key else None
    endpoint = Endpoint(ctx.api(settings.base_url, keys=keys, explain=explain), ctx.clock, settings)
    return Judge(endpoint, VerdictCache(ctx, settings), ctx.clock, settings)
