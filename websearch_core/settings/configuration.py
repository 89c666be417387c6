"""websearch.toml and the environment, read once, into typed settings. An unknown key is an error that names it."""

from __future__ import annotations

import json
import logging
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import ValidationError

from ..contract.errors import MissingSetting, StartupError
from ..contract.settings import S, Settings
from .tables import (
    Cap,
    ChainSettings,
    LedgerSettings,
    NetSettings,
    PluginsSettings,
    ServerSettings,
    StoreSettings,
)

CORE_TABLES = ("chain", "server", "net", "store", "ledger", "plugins")
"""Tables of the core; no plugin may take one of these names."""

log = logging.getLogger(__name__)

_OWN = ("WEBSEARCH_CONFIG",)
"""Variables that belong to no table."""
_VARIABLE = re.compile(r"^WEBSEARCH_([A-Z0-9_]+?)__([A-Z0-9_]+)$")
_BLAMED = re.compile(r"(?:plugin \S+ \([^)]*\): )?\[((?:plugin\.)?[a-z0-9-]+)(?:\.(\w+))?\] (\w+)")
"""How a message begins that blames a setting: `[net] private: …`, `[chain.routes] news: …`."""


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
        self.environ = environ
        self.source = source
        self._read_plugins: set[str] = set()
        self._sources: dict[str, str] = {}
        """Table and key → the file or variable that the setting came from."""
        self.aliases_used: dict[str, str] = {}
        """Foreign variables that were taken: variable → table and key."""
        self.chain = self._read("chain", ChainSettings)
        self.server = self._read("server", ServerSettings)
        self.net = self._read("net", NetSettings)
        self.store = self._read("store", StoreSettings)
        self.ledger = self._read("ledger", LedgerSettings)
        self.plugins = self._read("plugins", PluginsSettings)

    def __reduce__(self) -> tuple[Any, ...]:
        """For a process that is to have the same settings, whatever the file says by then."""
        return Configuration, (self._tables, dict(self.environ), self.source)

    def for_plugin(self, plugin: str, model: type[S]) -> S:
        """The settings of one plugin. Raises `MissingSetting`, or `StartupError` naming the key and the rule."""
        self._read_plugins.add(plugin)
        return self._read(plugin, model)

    def unread_plugins(self, loaded: Iterable[str]) -> tuple[str, ...]:
        """Those of the loaded plugins that are configured here but never asked for their settings."""
        configured = {_slug(name) for name in self._tables.get("plugin", {})}
        configured |= {match[1] for variable in self.environ if (match := _VARIABLE.match(variable))}
        return tuple(name for name in loaded if _slug(name) in configured and name not in self._read_plugins)

    def check_plugins(self, known: frozenset[str]) -> None:
        """Every `[plugin.X]` table and `WEBSEARCH_X__…` variable belongs to an installed plugin, else StartupError."""
        for name in self._tables.get("plugin", {}):
            if name not in known:
                raise StartupError(f"{self.source}: [plugin.{name}]: no plugin of this name is installed")
        slugs = {_slug(name) for name in (*known, *CORE_TABLES)}
        for variable in self.environ:
            if variable.upper().startswith("WEBSEARCH_") and variable not in _OWN:
                _check_variable(variable, slugs)

    @property
    def data_dir(self) -> Path:
        """The folder for plugins' files; not created here."""
        if self.store.data_dir:
            return expanded(self.store.data_dir, "[store] data_dir")
        home = self.environ.get("XDG_DATA_HOME") or "~/.local/share"
        return expanded(home, "XDG_DATA_HOME") / "websearch"

    def blamed(self, error: StartupError) -> StartupError:
        """The same error; where it blames a setting, it says first which variable or file that came from."""
        if type(error) is StartupError and (match := _BLAMED.match(str(error))):
            table, inner, key = match.groups()
            if source := self._sources.get(f"[{table}] {inner or key}"):
                return StartupError(f"{source}: {error}")
        return error

    def _read(self, name: str, model: type[S]) -> S:
        core = name in CORE_TABLES
        where = f"[{name}]" if core else f"[plugin.{name}]"
        table: object = (self._tables if core else self._tables.get("plugin", {})).get(name, {})
        if not isinstance(table, dict):
            raise StartupError(f"{self.source}: {where} must be a table")
        values: dict[str, Any] = {**table}
        self._sources |= {f"{where} {field}": self.source for field in values}
        for variable, field in model.aliases.items():
            if (text := self.environ.get(variable)) and field not in values:
                values[field], self._sources[f"{where} {field}"] = _parsed(text, model, field), variable
                self.aliases_used[variable] = f"{where} {field}"
        prefix = _variable(name, "")
        for variable, text in self.environ.items():
            # empty is not set, as compose files leave what was not filled in
            if text and variable.startswith(prefix):
                field = variable[len(prefix) :].lower()
                if field not in model.model_fields:
                    raise StartupError(f"{variable}: {where} has no setting {field}; {_known(model)}")
                values[field], self._sources[f"{where} {field}"] = _parsed(text, model, field), variable
        if not values and not model.__pydantic_decorators__.model_validators:  # no validator need be built for defaults
            if missing := [field for field, info in model.model_fields.items() if info.is_required()]:
                raise MissingSetting(name, tuple(_variable(name, field) for field in missing))
            return model.model_construct()
        try:
            return model.model_validate(values)
        except ValidationError as error:
            raise self._explained(error, name, model, where) from None

    def _explained(self, error: ValidationError, name: str, model: type[Settings], where: str) -> StartupError:
        problems = error.errors(include_input=False, include_url=False, include_context=False)
        missing = tuple(_variable(name, str(p["loc"][0])) for p in problems if p["type"] == "missing")
        if missing and len(missing) == len(problems):
            return MissingSetting(name, missing)
        first = next(problem for problem in problems if problem["type"] != "missing")
        # a rule about several settings may be broken by any of those that were given
        given = {place: source for place, source in self._sources.items() if place.startswith(f"{where} ")}
        blamed = f"{where} {first['loc'][0]}" if first["loc"] else ""
        named = [given[blamed]] if blamed in given else given.values()
        source = ", ".join(dict.fromkeys(filter(None, named))) or self.source or "environment"
        path = ".".join(str(step) for step in first["loc"] if step != "[key]")  # pydantic's word for a wrong name
        place = f"{source}: {where} {path or '(the whole table)'}"
        if first["type"] == "extra_forbidden":
            inner = Cap if first["loc"][0] == "caps" and len(first["loc"]) > 2 else model
            return StartupError(f"{place}: unknown setting; {_known(inner)}")
        message = first["msg"].removeprefix("Value error, ").replace("a valid tuple", "a list")
        return StartupError(f"{place}: {message}")


def _check_variable(variable: str, slugs: Iterable[str]) -> None:
    """A variable that is not read may have been meant to stop queries from leaving: it is never passed over."""
    name = variable.upper()
    if match := _VARIABLE.match(name):
        if name != variable:
            raise StartupError(f"{variable}: settings are named in capitals: {name}")
        if match[1] not in slugs:
            name = match[1].lower()
            raise StartupError(f"{variable}: no plugin named {name} is installed; install it, or unset the variable")
        return
    for slug in slugs:
        if name.startswith(start := f"WEBSEARCH_{slug}_"):
            right = f"WEBSEARCH_{slug}__{name[len(start) :]}"
            raise StartupError(f"{variable}: two underscores part table and key: {right}")
    log.warning("%s is not read: a setting's variable is WEBSEARCH_TABLE__KEY; unset it", variable)


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


def _variable(table: str, field: str) -> str:
    return f"WEBSEARCH_{_slug(table)}__{field.upper()}"


def _known(model: type[Settings]) -> str:
    return f"known: {', '.join(sorted(model.model_fields)) or 'none'}"


def _parsed(text: str, model: type[Settings], field: str) -> Any:
    """An environment variable's text: JSON for lists and tables, commas for lists, else the text itself."""
    if text[:1] in "[{":
        try:
            return json.loads(text)
        except (json.JSONDecodeError, RecursionError):
            return text
    annotation = model.model_fields[field].annotation
    named = str(annotation)
    if named.startswith(("tuple", "list", "frozenset")) or "tuple[" in named:
        return [_chosen(item.strip(), annotation) for item in text.split(",") if item.strip()]
    return _chosen(text, annotation)


def _chosen(text: str, annotation: Any) -> Any:
    """The choice that this text names: a number among them is not found by its digits otherwise."""
    if get_origin(annotation) is Literal:
        return next((choice for choice in get_args(annotation) if str(choice) == text.strip()), text)
    found = (_chosen(text, inner) for inner in get_args(annotation))
    return next((choice for choice in found if choice is not text), text)
