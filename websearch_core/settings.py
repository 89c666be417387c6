"""websearch.toml and the environment, read once, into typed settings. An unknown key is an error that names it."""

from __future__ import annotations

import ipaddress
import json
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from .errors import MissingSetting, StartupError
from .models import Vertical

CORE_TABLES = ("chain", "server", "net", "store", "ledger", "plugins")
"""Tables of the core; no plugin may take one of these names."""

_VARIABLE = re.compile(r"^WEBSEARCH_([A-Z0-9_]+?)__([A-Z0-9_]+)$")


class Settings(BaseModel):
    """Base of a plugin's settings: frozen, and an unknown key stops the start.

    `[plugin.NAME]` in websearch.toml, overridden by `WEBSEARCH_NAME__KEY`, then by the variables in `aliases`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    aliases: ClassVar[Mapping[str, str]] = {}
    """Other environment variables that are understood: variable → field. The file and our own variables win over
    them: a stray variable of another program changes nothing that the operator wrote down."""


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


class ServerSettings(Settings):
    """`[server]`: where it listens, who may call, how much it answers."""

    aliases: ClassVar[Mapping[str, str]] = {"LISTEN_ADDR": "listen"}

    listen: str = "127.0.0.1:8089"
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
    pages: bool = False
    """Add tinfoil's `pages` to the answers of `fetch`."""
    max_output_tokens: int = Field(default=20_000, ge=500)
    deadline_s: float = Field(default=60.0, gt=0)
    max_in_flight: int = Field(default=1200, ge=1)
    rate_per_minute: int = Field(default=0, ge=0)
    """Tool calls per caller and minute; 0: no limit."""
    address_rate_per_minute: int = Field(default=0, ge=0)
    """Tool calls per client address and minute; 0: no limit."""

    @field_validator("listen")
    @classmethod
    def _host_and_port(cls, value: str) -> str:
        host, colon, port = value.rpartition(":")
        if not colon or not port.isdigit() or int(port) > 65_535:
            raise ValueError('must be "HOST:PORT", for example "127.0.0.1:8089"')
        return f"{host or '0.0.0.0'}:{port}"  # noqa: S104 - Go's ":8089" means every interface

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


class Cap(Settings):
    """The most that one backend or fetcher may cost: a call that would pass it goes to the next one."""

    usd_per_day: float | None = Field(default=None, ge=0)
    usd_per_month: float | None = Field(default=None, ge=0)
    units_per_day: float | None = Field(default=None, ge=0)
    """In the engine's own unit (requests, credits), which `websearch ledger` names."""
    units_per_month: float | None = Field(default=None, ge=0)
    tenant_usd_per_day: float | None = Field(default=None, ge=0)
    """For each tenant by itself."""
    tenant_units_per_day: float | None = Field(default=None, ge=0)


class LedgerSettings(Settings):
    """`[ledger]`: what calls cost, for how long that is kept, and how much they may cost. Days are UTC's."""

    keep_days: int = Field(default=100, ge=32)
    caps: Mapping[str, Cap] = {}
    """Backend or fetcher → its caps: `[ledger.caps.brave]`."""


class PluginsSettings(Settings):
    """`[plugins]`: which installed plugins are imported."""

    only: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()


S = TypeVar("S", bound=Settings)


class Configuration:
    """All settings of one start: the file's tables, overridden by the environment."""

    def __init__(self, tables: Mapping[str, Mapping[str, Any]], environ: Mapping[str, str], source: str = "") -> None:
        """`tables` is the parsed file; `source` is its name, for messages."""
        unknown = sorted(set(tables) - {*CORE_TABLES, "plugin"})
        if unknown:
            raise StartupError(f"{source}: unknown table [{unknown[0]}]; known: {', '.join(CORE_TABLES)}, plugin.NAME")
        for name, table in tables.items():
            if not isinstance(table, dict):
                raise StartupError(f"{source}: {name} must be a table: [{name}]")
        self._tables = tables
        self._environ = environ
        self.source = source
        self._read_plugins: set[str] = set()
        self.aliases_used: dict[str, str] = {}
        """Foreign variables that were taken: variable → table and key."""
        self.chain = self._read("chain", ChainSettings, "[chain]")
        self.server = self._read("server", ServerSettings, "[server]")
        self.net = self._read("net", NetSettings, "[net]")
        self.store = self._read("store", StoreSettings, "[store]")
        self.ledger = self._read("ledger", LedgerSettings, "[ledger]")
        self.plugins = self._read("plugins", PluginsSettings, "[plugins]")

    def for_plugin(self, plugin: str, model: type[S]) -> S:
        """The settings of one plugin. Raises `MissingSetting`, or `StartupError` naming the key and the rule."""
        self._read_plugins.add(plugin)
        return self._read(plugin, model, f"[plugin.{plugin}]")

    def unread_plugins(self, loaded: Iterable[str]) -> tuple[str, ...]:
        """Those of the loaded plugins that are configured here but never asked for their settings."""
        configured = {_slug(name) for name in self._tables.get("plugin", {})}
        configured |= {match[1] for variable in self._environ if (match := _VARIABLE.match(variable))}
        return tuple(name for name in loaded if _slug(name) in configured and name not in self._read_plugins)

    def check_plugins(self, known: frozenset[str]) -> None:
        """Every `[plugin.X]` table and `WEBSEARCH_X__…` variable belongs to an installed plugin, else StartupError."""
        for name in self._tables.get("plugin", {}):
            if name not in known:
                raise StartupError(f"{self.source}: [plugin.{name}]: no plugin of this name is installed")
        slugs = {_slug(name) for name in (*known, *CORE_TABLES)}
        for variable in self._environ:
            match = _VARIABLE.match(variable)
            if match and match[1] not in slugs:
                raise StartupError(f"{variable}: no plugin named {match[1].lower()} is installed; unset it")
            if not match:
                # one underscore too few would leave a filter unrequired without a word
                for slug in slugs:
                    if variable.startswith(start := f"WEBSEARCH_{slug}_"):
                        right = f"WEBSEARCH_{slug}__{variable[len(start) :]}"
                        raise StartupError(f"{variable}: two underscores part table and key: {right}")

    @property
    def data_dir(self) -> Path:
        """The folder for plugins' files; not created here."""
        if self.store.data_dir:
            return expanded(self.store.data_dir, "[store] data_dir")
        home = self._environ.get("XDG_DATA_HOME") or "~/.local/share"
        return expanded(home, "XDG_DATA_HOME") / "websearch"

    @property
    def environ(self) -> Mapping[str, str]:
        """The environment that was read."""
        return self._environ

    def _read(self, name: str, model: type[S], where: str) -> S:
        holder = self._tables if name in CORE_TABLES else self._tables.get("plugin", {})
        table: object = holder.get(name, {})
        if not isinstance(table, dict):
            raise StartupError(f"{self.source}: {where} must be a table")
        values: dict[str, Any] = {**table}
        for variable, field in model.aliases.items():
            if (text := self._environ.get(variable)) and field not in values:
                values[field] = _parsed(text, model, field)
                self.aliases_used[variable] = f"{where} {field}"
        prefix = f"WEBSEARCH_{_slug(name)}__"
        for variable, text in self._environ.items():
            # empty is not set, as compose files leave what nobody filled in
            if text and variable.startswith(prefix):
                field = variable[len(prefix) :].lower()
                if field not in model.model_fields:
                    raise StartupError(f"{variable}: {where} has no setting {field}; {_known(model)}")
                values[field] = _parsed(text, model, field)
        try:
            return model.model_validate(values)
        except ValidationError as error:
            raise self._explained(error, name, model, where) from None

    def _explained(self, error: ValidationError, name: str, model: type[Settings], where: str) -> StartupError:
        problems = error.errors(include_input=False, include_url=False, include_context=False)
        missing = tuple(
            f"WEBSEARCH_{_slug(name)}__{str(p['loc'][0]).upper()}" for p in problems if p["type"] == "missing"
        )
        if missing and len(missing) == len(problems):
            return MissingSetting(name, missing)
        first = next(problem for problem in problems if problem["type"] != "missing")
        key = ".".join(str(part) for part in first["loc"]) or "(the whole table)"
        place = f"{self.source or 'environment'}: {where} {key}"
        if first["type"] == "extra_forbidden":
            return StartupError(f"{place}: unknown setting; {_known(model)}")
        return StartupError(f"{place}: {first['msg'].removeprefix('Value error, ')}")


def load(path: str | None = None, environ: Mapping[str, str] | None = None) -> Configuration:
    """Read `path`, or $WEBSEARCH_CONFIG, or ./websearch.toml where there is one. Raises StartupError."""
    env = os.environ if environ is None else environ
    named = path or env.get("WEBSEARCH_CONFIG")
    file = Path(named or "websearch.toml")
    if not named and not file.exists():
        return Configuration({}, env)
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise StartupError(f"{file}: cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StartupError(f"{file}: not valid TOML: {error}") from None
    except RecursionError:
        raise StartupError(f"{file}: not valid TOML: nested too deeply") from None
    return Configuration(tables, env, str(file))


def expanded(path: str, where: str) -> Path:
    """A path with `~` replaced. Raises StartupError naming the setting."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise StartupError(f"{where}: there is no home folder for {path.partition('/')[0]}") from None


def _slug(name: str) -> str:
    return re.sub(r"[^A-Z0-9]+", "_", name.upper())


def _known(model: type[Settings]) -> str:
    return f"known: {', '.join(sorted(model.model_fields)) or 'none'}"


def _parsed(text: str, model: type[Settings], field: str) -> Any:
    """An environment variable's text: JSON for lists and tables, commas for lists, else the text itself."""
    if text[:1] in "[{":
        try:
            return json.loads(text)
        except (json.JSONDecodeError, RecursionError):
            return text
    annotation = str(model.model_fields[field].annotation)
    if annotation.startswith(("tuple", "list", "frozenset")) or "tuple[" in annotation:
        return [item.strip() for item in text.split(",") if item.strip()]
    return text
