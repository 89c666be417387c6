"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from pydantic import Field, model_validator

from websearch_core import Command, KeyPool, OptionalKeys, PluginContext, Settings, TrustPolicy, hookimpl
from websearch_core.kit import MissingSetting

if TYPE_CHECKING:
    from .policy import PopularityPolicy
    from .ranking import Ranking

_HOUR_S = 3600.0
_DAY_S = 24 * _HOUR_S


class PopularitySettings(Settings):
    """`[plugin.popularity]`: whose list of popular domains counts, and for how long."""

    aliases: ClassVar[Mapping[str, str]] = {"CLOUDFLARE_API_TOKEN": "api_token"}

    api_token: OptionalKeys = ()
    """Of Cloudflare, with the permission to read Radar; not set: its list is not used."""
    base_url: str = "https://api.cloudflare.com"
    bucket: Literal[200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000] = 500000
    """How many domains are popular. The fewer, the less is trusted."""
    list_file: str = ""
    """The operator's own list: one domain a line, `#` begins a comment."""
    sources: tuple[Literal["radar", "file"], ...] = ()
    """Which lists count; not set: those that are configured."""
    refresh_hours: float = Field(default=24, ge=1, le=168)
    max_age_days: float = Field(default=7, gt=0, le=60)
    """An older list of Radar's is not believed: then nobody is trusted."""
    audit_sample: float = Field(default=0.01, ge=0, le=1)
    """The share of trusted documents that is judged all the same."""

    @model_validator(mode="after")
    def _named_sources_are_configured(self) -> Self:
        for source, key, there in self._configured():
            if source in self.sources and not there:
                raise ValueError(f"sources names {source}, so {key} must be set")
        return self

    @model_validator(mode="after")
    def _refreshed_before_too_old(self) -> Self:
        if self.max_age_days * _DAY_S < self.refresh_hours * _HOUR_S:
            raise ValueError("max_age_days is less than refresh_hours: every list would be too old before the next")
        return self

    @property
    def used(self) -> tuple[str, ...]:
        """The lists that count; empty: nobody can be trusted."""
        return self.sources or tuple(source for source, _, there in self._configured() if there)

    def _configured(self) -> tuple[tuple[str, str, bool], ...]:
        return ("radar", "api_token", bool(self.api_token)), ("file", "list_file", bool(self.list_file))


@hookimpl
def websearch_trust_policies(ctx: PluginContext) -> Iterator[TrustPolicy]:
    """The policy, when there is a list: without one it could trust nobody, and `[chain] trust` must not name it."""
    settings = ctx.settings(PopularitySettings)
    if not settings.used:
        raise MissingSetting(ctx.plugin, ("WEBSEARCH_POPULARITY__API_TOKEN",), left_alone=True)
    yield _policy(ctx, settings)


@hookimpl
def websearch_commands(ctx: PluginContext) -> Iterator[Command]:
    """`websearch popularity`."""
    from .command import PopularityCommand

    settings = ctx.settings(PopularitySettings)
    yield PopularityCommand(lambda: _policy(ctx, settings))


def _policy(ctx: PluginContext, settings: PopularitySettings) -> PopularityPolicy:
    import random
    from pathlib import Path

    from .audit import Audit
    from .own_list import own_list
    from .policy import PopularityPolicy

    chance = random.SystemRandom().random
    ranking = _ranking(ctx, settings, chance) if "radar" in settings.used else None
    own = own_list(Path(settings.list_file).expanduser()) if "file" in settings.used else None
    return PopularityPolicy(ranking, own, Audit(ctx.store, settings.audit_sample, chance))


def _ranking(ctx: PluginContext, settings: PopularitySettings, chance: Callable[[], float]) -> Ranking:
    from .list_file import ListFile
    from .radar_client import MAX_BYTES, radar_ranking
    from .ranking import Ranking

    keys = KeyPool(settings.api_token, header="authorization", prefix="Bearer ")
    api = ctx.api(settings.base_url, keys=keys, max_bytes=MAX_BYTES)
    return Ranking(
        ListFile(ctx.data_dir, settings.bucket, settings.max_age_days * _DAY_S),
        ctx.clock,
        ctx.workers,
        partial(radar_ranking, api, settings.bucket),
        bucket=settings.bucket,
        refresh_s=settings.refresh_hours * _HOUR_S,
        chance=chance,
    )
