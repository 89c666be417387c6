"""The table of metadata at the head of a Markdown file: YAML between `---`, TOML between `+++`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any, cast

_YAML = re.compile(r"\A---[ \t]*\n(.{0,20000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TOML = re.compile(r"\A\+\+\+[ \t]*\n(.{0,20000}?)\n\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL)
_KEY = re.compile(r"^([A-Za-z][\w-]{0,40})[ \t]*:(?:[ \t]+(.*))?$")
_ITEM = re.compile(r"^[ \t]*-[ \t]+(.*)$")


def split(text: str) -> tuple[dict[str, str], str]:
    """The table's top-level texts by lower-case key, and the document without it.

    Of YAML this reads what front matter is made of: scalars, quotes and lists of scalars. A block that starts like
    front matter and is not (a thematic break) stays in the document.
    """
    text = text.removeprefix("\ufeff")
    if match := _TOML.match(text):
        try:
            return _flat(tomllib.loads(match[1])), text[match.end() :]
        except tomllib.TOMLDecodeError:
            return {}, text
    match = _YAML.match(text)
    table = _yaml(match[1]) if match else None
    return (table, text[match.end() :]) if match and table else ({}, text)


def _yaml(block: str) -> dict[str, str] | None:
    table: dict[str, str] = {}
    key = ""
    for line in block.split("\n"):
        if match := _KEY.match(line):
            key = match[1].lower()
            table[key] = _scalar(match[2] or "")
        elif item := _ITEM.match(line):
            if not key:
                return None
            table[key] = ", ".join(part for part in (table[key], _scalar(item[1])) if part)
        elif line.strip() and not line.startswith((" ", "\t", "#", "}", "]")):
            return None
    return table


def _scalar(value: str) -> str:
    value = value.strip()
    if value.startswith("[") and value.endswith("]"):
        return ", ".join(part for item in value[1:-1].split(",") if (part := _scalar(item)))
    if len(value) > 1 and value[0] in "\"'" and value.endswith(value[0]):
        return value[1:-1]
    return "" if value in {"|", ">", "|-", ">-", "null", "~"} else value.split(" #")[0].strip()


def _flat(table: Mapping[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, list):
            found[key.lower()] = ", ".join(str(item) for item in cast("list[object]", value) if isinstance(item, str))
        elif not isinstance(value, Mapping):
            found[key.lower()] = str(value)
    return found
