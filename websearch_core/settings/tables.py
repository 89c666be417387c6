"""The core's tables of websearch.toml, typed."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field, field_validator

from ..contract.models import Vertical
from ..contract.settings import Settings

_SHORT_NAMES = {"ddg": "duckduckgo"}
"""What other programs' variables call a backend."""


class ChainSettings(Settings):
    """`[chain]`: who is asked, in what order, and which filters must be there."""

    aliases: ClassVar[Mapping[str, str]] = {"LMCP_SEARCH_BACKEND": "backends"}

    backends: tuple[str, ...] = ()
    """Order of asking; empty: all that are configured, by priority."""
    routes: Mapping[Vertical, tuple[str, ...]] = {}
    """Per vertical, another order of asking than `backends`."""
    keyless: bool = True
    """Ask public services without an account of yours, where an installed plugin can: they see queries."""
    strategy: Literal["fallback", "fuse"] = "fallback"
    fuse: int = Field(default=2, ge=2, le=8)
    """How many backends `strategy = "fuse"` asks at once."""
    hedge: bool = False
    """With `fallback`: ask the next backend, too, when one is slower than nineteen in twenty of its answers so far."""
    thin_retry: bool = False
    """Ask once more without small words (the, of, …) when a search finds at most one hit."""
    fetchers: tuple[str, ...] = ()
    """Fetchers that are tried first, in this order; the rest follow by priority."""
    filters: tuple[str, ...] = ()
    """Filters that come first, in this order; the rest follow by priority. It orders; it never drops one."""
    require: tuple[str, ...] = ()
    """Filters without which the server does not start."""
    trust: tuple[str, ...] = ()
    """Trust policies that count; nobody is trusted by default."""
    on_failure: Mapping[str, Literal["block", "allow"]] = {}
    """Per filter: what its failure means. `allow` is shown in `websearch plugins` and in each answer."""
    filter_timeout_s: float = Field(default=10.0, gt=0)
    backend_timeout_s: float = Field(default=20.0, gt=0)
    backend_concurrency: int = Field(default=64, ge=1)
    """Calls in flight per backend."""
    cache_ttl_s: float = Field(default=3600.0, ge=0)
    """How long an answer is kept; 0: not at all."""
    negative_ttl_s: float = Field(default=30.0, ge=0)
    """How long an empty or failed answer is kept."""
    stale_if_error_s: float = Field(default=86_400.0, ge=0, le=86_400)
    """How long past its time a page is shown, with a note, where its site cannot be asked; a site may say less."""

    @field_validator("backends")
    @classmethod
    def _full_names(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_SHORT_NAMES.get(name, name) for name in value)

    @field_validator("routes")
    @classmethod
    def _of_names(cls, value: Mapping[Vertical, tuple[str, ...]]) -> Mapping[Vertical, tuple[str, ...]]:
        if empty := [vertical for vertical, names in value.items() if not names]:
            raise ValueError(f"{empty[0]}: name at least one backend, or leave the route out")
        return {vertical: tuple(_SHORT_NAMES.get(name, name) for name in names) for vertical, names in value.items()}


class ServerSettings(Settings):
    """`[server]`: where it listens, who may call, how much it answers."""

    aliases: ClassVar[Mapping[str, str]] = {"LISTEN_ADDR": "listen"}

    listen: str = "127.0.0.1:8089"
    workers: int = Field(default=1, ge=1, le=64)
    """Processes that serve the port together; more than one need a store that they share, and Linux."""
    insecure: bool = False
    """Listen beyond loopback without a token."""
    tokens: Mapping[str, str] = {}
    """Tenant → SHA-256 of its bearer token, in hex (`websearch token new`)."""
    allowed_hosts: tuple[str, ...] = ()
    """Host headers that are accepted besides loopback's."""
    allowed_origins: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks of reverse proxies whose `X-Forwarded-For` says who calls."""
    floor: tuple[str, ...] | None = None
    """Filter families that a header cannot weaken; not set: the families of `[chain] require`."""
    spotlight: Literal["text", "all", "off"] = "text"
    """Where a stranger's text stands between marks that are new in each answer: in the text for the model, also in the
    fields of the structured answer, or nowhere."""
    datamark: bool = False
    """Join the words of marked text by a sign, which makes it harder still to take for instructions."""
    tools: tuple[str, ...] = ()
    """Tools of plugins that are off unless they are named here; the others are always there."""
    pages: bool = False
    """Add tinfoil's `pages` to the answers of `fetch`."""
    max_output_tokens: int = Field(default=20_000, ge=500)
    deadline_s: float = Field(default=60.0, gt=0)
    max_in_flight: int = Field(default=1200, ge=1)
    rate_per_minute: int = Field(default=0, ge=0)
    """Tool calls per caller and minute; 0: no limit."""
    address_rate_per_minute: int = Field(default=0, ge=0)
    """Tool calls per client address and minute; 0: no limit."""

    def share(self, most: int) -> int:
        """Of a limit that holds for all processes, what one of them keeps."""
        return max(1, most // self.workers)

    @field_validator("listen")
    @classmethod
    def _host_and_port(cls, value: str) -> str:
        host, colon, port = value.rpartition(":")
        if not colon or not port.isdigit() or int(port) > 65_535:
            raise ValueError('must be "HOST:PORT", for example "127.0.0.1:8089"')
        return f"{host or '0.0.0.0'}:{port}"  # noqa: S104 - Go's ":8089" means every interface

    @field_validator("tokens")
    @classmethod
    def _hashes(cls, value: Mapping[str, str]) -> Mapping[str, str]:
        for tenant, digest in value.items():
            if not re.fullmatch(r"[0-9a-fA-F]{64}", digest):
                raise ValueError(
                    f"{tenant} must be the SHA-256 of a token, 64 hex digits; `websearch token new` prints one"
                )
        return value

    @field_validator("allowed_hosts")
    @classmethod
    def _names(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if any(re.search(r"[/@?#\s]", entry) for entry in value):
            raise ValueError('each must be HOST or HOST:PORT, for example "search.example.com"')
        return value

    @field_validator("allowed_origins")
    @classmethod
    def _origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(entry == "null" or re.fullmatch(r"[a-z][a-z0-9+.-]*://[^/@?#\s]+", entry) for entry in value):
            raise ValueError('each must be scheme and host, without a path, for example "https://app.example.com"')
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _addresses(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for entry in value:
            try:
                ipaddress.ip_network(entry)
            except ValueError:
                raise ValueError(
                    'each must be an address or a network, for example "10.0.0.7" or "10.0.0.0/24"'
                ) from None
        return value


class NetSettings(Settings):
    """`[net]`: which addresses may be fetched, through whom, and how much."""

    allow: tuple[str, ...] = ()
    """Domain rules; empty: every public host."""
    deny: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    """Exact exceptions to the refusal of private addresses: networks, addresses, host:port or address:port."""
    proxy: str = ""
    """http://host:port for everything outgoing; not set: HTTPS_PROXY and HTTP_PROXY are read."""
    no_proxy: tuple[str, ...] = ()
    proxy_dns: bool = False
    """Send names to the proxy instead of checked addresses: then the proxy must check them."""
    ca_file: str = ""
    user_agent: str = "websearch/0.1 (web reader for language models)"
    allow_downgrade: bool = False
    """Follow a redirect from https to http."""
    max_bytes: int = Field(default=10_000_000, ge=1)
    timeout_s: float = Field(default=20.0, gt=0)
    per_host: int = Field(default=4, ge=1)
    """Requests in flight to one host."""
    pace_s: float = Field(default=0.0, ge=0)
    """Least seconds between two requests to one host."""
    respect_robots: bool = False
    """Obey robots.txt (RFC 9309) also for pages that somebody asked for; crawls always do."""

    @field_validator("user_agent")
    @classmethod
    def _one_line(cls, value: str) -> str:
        if not (value.isascii() and value.isprintable() and value == value.strip()):
            raise ValueError("must be one line of printable ASCII, without spaces at its ends")
        return value


class StoreSettings(Settings):
    """`[store]`: where the cache and counters live."""

    use: str = ""
    """Name of a store that a plugin brings; empty: memory, or SQLite when `path` is set."""
    path: str = ""
    """A SQLite file, shared by the processes of one machine."""
    max_bytes: int = Field(default=32_000_000, ge=1)
    data_dir: str = ""
    """Where plugins keep files; not set: the platform's data folder for websearch."""


Amount = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
"""Of money or units."""


class Cap(Settings):
    """The most that one backend or fetcher may cost: a call that would pass it goes to the next one."""

    usd_per_day: Amount | None = None
    usd_per_month: Amount | None = None
    units_per_day: Amount | None = None
    """In the engine's own unit (requests, credits), which `websearch ledger` names."""
    units_per_month: Amount | None = None
    tenant_usd_per_day: Amount | None = None
    """For each tenant by itself."""
    tenant_units_per_day: Amount | None = None


class LedgerSettings(Settings):
    """`[ledger]`: what calls cost, for how long that is kept, and how much they may cost. Days are UTC's."""

    keep_days: int = Field(default=100, ge=32)
    caps: Mapping[str, Cap] = {}
    """Backend or fetcher → its caps: `[ledger.caps.brave]`."""


class PluginsSettings(Settings):
    """`[plugins]`: which installed plugins are imported."""

    only: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()
