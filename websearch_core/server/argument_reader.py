"""Reads what models really send into a pydantic model: for the core's tools and for plugins' alike."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from ..contract.errors import WebsearchError
from .published_schema import published

M = TypeVar("M", bound=BaseModel)
Note = Callable[[str], None]
"""Told what was put right, in words that follow the argument's name; never the value."""

_PRINTABLE = re.compile(r"[A-Za-z0-9_.:-]{1,40}")
_WHOLE = re.compile(r"[+-]?\d{1,12}(\.0+)?")
_MARKDOWN_LINK = re.compile(r"\[[^\[\]]*\]\(")
_WORDS = {"true": True, "yes": True, "false": False, "no": False}
_MOST_LINES = 20
"""Of an error: a list may be wrong in thousands of places."""
_MOST_ITEMS = 10_000
"""Of a list whose schema has no `maxItems`: each item that is wrong costs time."""
_SAID_BY_SCHEMA = frozenset(
    (
        *("string_type", "string_too_short", "string_too_long", "literal_error", "enum", "bool_type", "bool_parsing"),
        *("int_type", "int_parsing", "int_parsing_size", "int_from_float", "finite_number", "greater_than_equal"),
        "less_than_equal",
        *("list_type", "tuple_type", "set_type", "frozen_set_type", "too_short", "too_long"),
        *("dict_type", "model_type", "model_attributes_type", "dataclass_type", "is_instance_of"),
    )
)
"""What pydantic calls the problems that `rule_of` has words for."""
_RULES = {
    "missing": "is required",
    "string_unicode": "must be valid Unicode",
    "zoneinfo_str": "must be a time zone",
    "byte_size_unit": "must be a size with its unit",
    "import_error": "must be the path of a Python object",
}
"""Of these pydantic's own words have the value, or are hard to read. What it says of others never has the value."""


class ArgumentError(WebsearchError):
    """The arguments cannot be used. One line for each: the argument, its rule, a good example; never the value."""


class RuleError(ValueError):
    """The value breaks the argument's rule; the text is the rule, constant, without the value."""


class ArgumentReader(Generic[M]):
    """Reads the arguments of one tool. Validators find the list of notes in their `info.context`."""

    def __init__(self, model: type[M], aliases: Mapping[str, str] = {}, unpublished: Collection[str] = ()) -> None:
        """`aliases`: another server's name → ours; `unpublished` are keywords that the published schema leaves out."""
        schema = published(model)
        self._model = model
        self._aliases = aliases
        self._properties: Mapping[str, Any] = schema.get("properties", {})
        self._required = frozenset[str](schema.get("required", ()))
        fields = {field.alias or name: field for name, field in model.model_fields.items()}
        self._examples = {name: field.examples[0] for name, field in fields.items() if field.examples}
        self.names = frozenset(fields)
        """The arguments that the model knows, those that are not published among them."""
        self.schema = published(model, unpublished)
        """The published input schema."""

    def read(self, raw: Mapping[str, Any]) -> tuple[M, list[str]]:
        """What was meant, and notes on what was put right. Raises ArgumentError."""
        values: dict[str, Any] = {}
        named: dict[str, str] = {}
        notes: list[str] = []
        wrong: dict[str, str] = {}
        empty: list[str] = []
        unknown: list[str] = []
        for given, value in raw.items():
            name = self._aliases.get(given, given)
            if name not in self.names:
                unknown.append(given)
                continue
            schema = self._properties.get(name, {})
            if _is_nothing(value, schema) and name not in self._required:
                empty.append(given)
                continue
            if given != name:
                notes.append(f"{given}: read as {name}")
            try:
                meant = _mended(value, schema, lambda text, name=name: notes.append(f"{name}: {text}"))
            except RuleError as error:
                wrong[name] = self._line(name, str(error))
                continue
            before, first = values.setdefault(name, meant), named.setdefault(name, given)
            if before is not meant and not self._same(name, before, meant):
                wrong[given] = f"{given}: says something else than {first}; give one of the two"
        try:
            arguments = self._model.model_validate(values, context=notes)
        except ValidationError as error:
            problems = error.errors(include_input=False, include_url=False)
            for problem in problems[:_MOST_LINES]:
                if not problem["loc"] and wrong:
                    continue  # a rule between arguments, one of which could not be read
                name, rule = self._explained(problem)
                wrong.setdefault(name, self._line(name, rule))
            if len(problems) > _MOST_LINES:
                wrong[""] = f"and more, {len(problems)} in all"
            raise ArgumentError("\n".join(wrong.values())) from None
        if wrong:
            raise ArgumentError("\n".join(wrong.values()))
        if empty:
            notes.append(f"empty, so taken as not given: {', '.join(empty)}")
        if unknown:
            notes.append(_ignored(unknown))
        return arguments, notes

    def _same(self, name: str, one: object, other: object) -> bool:
        """Whether the model reads two values of an argument alike, such as `"de"` and `"DE"`."""
        if one == other:
            return True
        validator, empty = self._model.__pydantic_validator__, self._model.model_construct()
        try:
            first, second = (
                getattr(validator.validate_assignment(empty.model_copy(), name, value, context=[]), name)
                for value in (one, other)
            )
        except ValidationError:
            return False
        return first == second

    def _explained(self, problem: Mapping[str, Any]) -> tuple[str, str]:
        """The argument, or the place in it, and the rule that its value breaks."""
        schema: Mapping[str, Any] = {"properties": self._properties}
        place: list[str] = []
        for step in problem["loc"]:
            if isinstance(step, int):
                if "maxLength" in schema.get("items", {}) and "maxItems" in schema:
                    break  # the list's own rule says what its texts must be
                place.append(str(step))
                schema = schema.get("items", {})
            elif "anyOf" in schema or "oneOf" in schema:
                place.append(step)  # pydantic's name of one of the types
                schema = {}
            else:
                known = schema.get("properties", {})
                place.append(step if step in known else _shown(step))  # a table's names are the caller's words
                schema = known.get(step, {})
        return ".".join(place) or "arguments", _said(problem, schema)

    def _line(self, name: str, rule: str) -> str:
        example = self._examples.get(name)
        return f"{name}: {rule}" if example is None else f"{name}: {rule}; for example {json.dumps(example)}"


def _said(problem: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    match problem["type"]:
        case kind if kind in _RULES:
            return _RULES[kind]
        case "value_error":
            return str(problem["msg"]).removeprefix("Value error, ")
        case "union_tag_invalid":  # pydantic's own words have the value
            return "{discriminator} must be one of {expected_tags}".format_map(problem["ctx"])
        case kind:
            return (rule_of(schema) if kind in _SAID_BY_SCHEMA else "") or problem["msg"]


def rule_of(schema: Mapping[str, Any]) -> str:
    """What a value must be to fit this schema, in words; empty where pydantic knows better."""
    if schema.get("enum"):
        return f"must be one of {', '.join(map(str, schema['enum']))}"
    match schema.get("type") or _shared_type(schema):
        case "string" if "maxLength" in schema:
            return f"must be text of {schema.get('minLength', 0)} to {schema['maxLength']:,} characters"
        case "string" if "minLength" not in schema:
            return "must be text"
        case "integer" if {"minimum", "maximum"} <= schema.keys():
            return f"must be a whole number from {schema['minimum']} to {schema['maximum']}"
        case "boolean":
            return "must be true or false"
        case "array" if "maxItems" in schema:
            longest = schema.get("items", {}).get("maxLength")
            each = f" texts, none over {longest:,} characters" if longest else " items"
            return f"must be a list of {schema.get('minItems', 0)} to {schema['maxItems']}{each}"
        case "array" if "minItems" not in schema:
            return "must be a list"
        case "object":
            return "must be an object"
        case _:
            return ""


def _mended(value: Any, schema: Mapping[str, Any], note: Note) -> Any:
    """The value as the schema wants it, where it is plain what was meant. Raises RuleError."""
    kind = schema.get("type") or _shared_type(schema)
    if kind == "string":
        if isinstance(value, str):
            return _word(value, schema["enum"], note) if "enum" in schema else value
        if isinstance(value, int | float) and not isinstance(value, bool):
            note("a number was read as text")
            return str(value)
    elif kind == "integer":
        return _whole(value, schema, note)
    elif kind == "array":
        return _list(value, schema, note)
    elif kind == "boolean" and isinstance(value, str) and (word := value.strip().lower()) in _WORDS:
        note("text was read as true or false")
        return _WORDS[word]
    elif kind == "object" and isinstance(value, str):
        note("a JSON string was read as an object")
        return _json(value, "must be an object")
    return value


def _shared_type(schema: Mapping[str, Any]) -> str | None:
    """The one type of what may stand here, such as one of several models."""
    types = {one.get("type") for one in (*schema.get("anyOf", ()), *schema.get("oneOf", ()))}
    return types.pop() if len(types) == 1 else None


def _word(value: str, options: Sequence[Any], note: Note) -> str:
    """One of the options, in any case, with `_` or `-` for a space; else the value."""
    if value in options:
        return value
    known = {str(option).lower(): option for option in options}
    word = value.strip().lower()
    spaced = re.sub(r"[_-]+", " ", word)
    if word not in known and spaced in known:
        note("read with spaces")
        word = spaced
    return known.get(word, value)


def _whole(value: Any, schema: Mapping[str, Any], note: Note) -> Any:
    """A whole number, at most the schema's maximum. True and false are refused: Python takes them for numbers."""
    if isinstance(value, bool):
        raise RuleError(rule_of(schema) or "must be a whole number")
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        note("text was read as a number")
        value = int(float(value))
    elif isinstance(value, float) and value.is_integer():
        note("read as a whole number")
        value = int(value)
    most = schema.get("maximum")
    if isinstance(value, int) and most is not None and value > most:
        note(f"above {most}, so {most} was used")
        return most
    return value


def _list(value: Any, schema: Mapping[str, Any], note: Note) -> Any:
    """A JSON list within a string, or one text alone, is a list, too; blank texts are no items."""
    if isinstance(value, str):
        text = value.strip()
        is_json = text.startswith("[") and not _MARKDOWN_LINK.match(text)
        note("a JSON string was read as a list" if is_json else "a single text was read as a list")
        value = _json(text, "must be a list, not a string with broken JSON") if is_json else [text]
    if not isinstance(value, list):
        return value
    given = items = cast("list[object]", value)
    if len(given) > _MOST_ITEMS and "maxItems" not in schema:
        raise RuleError(f"must be a list of at most {_MOST_ITEMS:,} items")
    if schema.get("items", {}).get("type") == "string":
        items = [item for item in given if not isinstance(item, str) or item.strip()]
    if len(items) < len(given):
        note("blank items were left out")
    if len(items) > schema.get("maxItems", len(items)) and "uniqueItems" not in schema:
        raise RuleError(rule_of(schema))  # before each of very many items is looked at
    return items


def _json(text: str, rule: str) -> Any:
    try:
        return from_json(text)  # as strict as what reads the call: no lone surrogate, nothing endlessly deep
    except ValueError:
        raise RuleError(rule) from None


def _is_nothing(value: object, schema: Mapping[str, Any]) -> bool:
    """Whether a value means "not given", as models say it, and is neither an option nor the default."""
    says_nothing = value is None or (isinstance(value, str) and value.strip().lower() in ("", "null", "none"))
    return says_nothing and value not in (*schema.get("enum", ()), schema.get("default", ...))


def _ignored(names: Sequence[str]) -> str:
    """The note that names the arguments nobody knows."""
    shown = [_shown(name) for name in names[:10]]
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    return f"unknown arguments were ignored: {', '.join(shown)}{more}"


def _shown(name: str) -> str:
    return name if _PRINTABLE.fullmatch(name) else "(unprintable)"
