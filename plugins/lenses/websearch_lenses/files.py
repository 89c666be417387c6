"""A lens's file, checked: TOML with `description`, `domains`, `goggle`, and `name` where it is not the file's."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from websearch_core import Lens, StartupError
from websearch_core.kit import DomainRules

CATALOG = "catalog"
"""The last part of the catalogue's address, which no lens may be called."""

_MUST = {
    "name": f"must be 1 to 64 characters of a-z, 0-9 and -, none of them first a -, and not {CATALOG}",
    "description": "must be one line of 1 to 300 printable characters that says what the lens is for",
    "domains": "must be a list of at most 100 domain rules",
    "goggle": "must be an https address of at most 500 characters",
}
"""Key → its rule."""


def read_lens(file: Path) -> Lens:
    """The lens in this file. Raises StartupError that names file, key and rule."""
    table = _table(file)
    if unknown := sorted(set(table) - set(_MUST)):
        raise StartupError(f"{file}: {unknown[0]}: unknown key; known: {', '.join(_MUST)}")
    if "description" not in table:
        raise _wrong(file, "description")
    try:
        lens = Lens.model_validate({"name": file.stem, **table})
    except ValidationError as error:
        raise _wrong(file, str(error.errors(include_input=False)[0]["loc"][0])) from None
    if lens.name == CATALOG:
        raise _wrong(file, "name")
    if not lens.description.isprintable() or not lens.description.strip():
        raise _wrong(file, "description")
    if not (lens.domains or lens.goggle):
        raise StartupError(f"{file}: domains: must name at least one, unless there is a goggle")
    return lens.model_copy(update={"domains": _domains(file, lens.domains)})


def _table(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise StartupError(f"{file}: cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StartupError(f"{file}: not valid TOML: {error}") from None
    except RecursionError:
        raise StartupError(f"{file}: not valid TOML: nested too deeply") from None


def _domains(file: Path, rules: tuple[str, ...]) -> tuple[str, ...]:
    """The rules in one spelling, each of them good, none there twice."""
    found: dict[str, None] = {}
    for rule in rules:
        try:
            DomainRules([rule])
        except ValueError as error:
            raise StartupError(f"{file}: domains: {error}") from None
        spelt = rule.strip().lower().removesuffix(".")
        if spelt in found:
            raise StartupError(f"{file}: domains: {spelt} is there twice; take one out")
        found[spelt] = None
    return tuple(found)


def _wrong(file: Path, key: str) -> StartupError:
    return StartupError(f"{file}: {key}: {_MUST[key]}")
