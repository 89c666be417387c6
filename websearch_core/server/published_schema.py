"""A pydantic model as the JSON schema that models' providers take: every property typed, nothing points elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

from pydantic import BaseModel

_LEFT_OUT = ("title", "$defs", "discriminator")
"""Titles are made of names and only cost tokens; definitions are put where they are meant, so nothing can name them."""
_VALUES = ("default", "examples", "enum")
"""What holds values and no schemas."""


def published(model: type[BaseModel], left_out: Collection[str] = ()) -> dict[str, Any]:
    """The schema without references, titles, nulls and the keywords in `left_out`.

    An argument that may be null is published as one that may be left out. Google refuses a whole list of tools for one
    property without a type, and many clients read no `$ref`. A model that holds itself is published as any object.
    """
    schema = model.model_json_schema()
    return cast("dict[str, Any]", _plain(schema, schema.get("$defs", {}), (*_LEFT_OUT, *left_out), ()))


def _plain(schema: Any, definitions: Mapping[str, Any], left_out: Collection[str], within: tuple[str, ...]) -> Any:
    if isinstance(schema, list):
        return [_plain(item, definitions, left_out, within) for item in cast("list[Any]", schema)]
    if not isinstance(schema, Mapping):
        return schema
    table = dict(cast("Mapping[str, Any]", schema))
    if (reference := table.pop("$ref", None)) is not None:
        name = str(reference).rpartition("/")[2]
        if name in within:
            return {"type": "object"}
        return _plain({**definitions[name], **table}, definitions, left_out, (*within, name))
    variants = [one for one in table.get("anyOf", ()) if one != {"type": "null"}]
    if len(variants) == 1:
        del table["anyOf"]
        return _plain({**variants[0], **table}, definitions, left_out, within)
    if table.get("default", "") is None:
        del table["default"]
    if "const" in table:
        table["enum"] = [table.pop("const")]
    return {
        key: {name: _plain(field, definitions, left_out, within) for name, field in value.items()}
        if key == "properties"
        else value
        if key in _VALUES
        else _plain(value, definitions, left_out, within)
        for key, value in table.items()
        if key not in left_out
    }
