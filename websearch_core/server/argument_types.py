"""The kinds of argument: each knows its JSON schema and how to read what a model really sends."""

# ruff: noqa: D102 - Kind documents the two methods that all of them have
from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any, Protocol, cast

from .countries import ASSIGNED, USUAL_MISTAKES

Note = Callable[[str], None]
"""Told what was put right, in words that follow the argument's name; never the value."""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})?")
_WHOLE = re.compile(r"[+-]?\d{1,12}(\.0+)?")
_DOMAIN_RULE = (
    'each must be a host, or a pattern of hosts: "example.com", "=example.com", "*.example.com", "docs-*.example.com"'
)
_BETWEEN_ADDRESSES = re.compile(r",?\s+")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,5}")


class RuleError(ValueError):
    """The value breaks the argument's rule; the text is the rule, constant, without the value."""


class ArgumentType(Protocol):
    """How one kind of argument is published and read."""

    def schema(self) -> dict[str, Any]:
        """Its JSON schema, without description or default."""
        ...

    def read(self, value: object, note: Note) -> Any:
        """The value that was meant. Raises RuleError."""
        ...


@dataclass(frozen=True, slots=True)
class Text:
    """One text, trimmed."""

    longest: int

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}

    def read(self, value: object, note: Note) -> str:
        if isinstance(value, int | float) and not isinstance(value, bool):
            note("a number was read as text")
            value = str(value)
        text = _plain(value, f"must be text of 1 to {self.longest:,} characters")
        if not text or len(text) > self.longest:
            raise RuleError(f"must be text of 1 to {self.longest:,} characters")
        return text


@dataclass(frozen=True, slots=True)
class Integer:
    """A whole number, at most `most`. With `low_means`, anything below `least` is read as that number."""

    least: int
    most: int
    low_means: int | None = None

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}

    def read(self, value: object, note: Note) -> int:
        rule = f"must be a whole number from {self.least} to {self.most}"
        if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
            note("text was read as a number")
            value = int(float(value))
        elif isinstance(value, float) and value.is_integer():
            note("read as a whole number")
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise RuleError(rule)
        if value < self.least and self.low_means is not None:
            note(f"below {self.least}, so {self.low_means} was used")
            return self.low_means
        if value < self.least:
            raise RuleError(rule)
        if value > self.most:
            note(f"above {self.most}, so {self.most} was used")
        return min(value, self.most)


@dataclass(frozen=True, slots=True)
class Boolean:
    """Yes or no."""

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def read(self, value: object, note: Note) -> bool:
        if isinstance(value, str) and (word := value.strip().lower()) in ("true", "false", "yes", "no"):
            note("text was read as true or false")
            return word in ("true", "yes")
        if not isinstance(value, bool):
            raise RuleError("must be true or false")
        return value


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words, in any case."""

    options: tuple[str, ...]

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.options)}

    def read(self, value: object, note: Note) -> str:
        rule = f"must be one of {', '.join(self.options)}"
        word = _plain(value, rule).lower()
        if word in self.options:
            return word
        spaced = re.sub(r"[_-]+", " ", word)
        if spaced in self.options:
            note("read with spaces")
            return spaced
        raise RuleError(rule)


@dataclass(frozen=True, slots=True)
class Name:
    """One of a few names; another one of the same form is read, too, for a better answer than the list."""

    known: tuple[str, ...]

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.known)}

    def read(self, value: object, note: Note) -> str:
        rule = f"must be one of {', '.join(self.known)}"
        name = _plain(value, rule).lower()
        if name not in self.known:
            note("not among those that are offered")
        if not re.fullmatch(r"[a-z0-9-]{1,64}", name):
            raise RuleError(rule)
        return name


@dataclass(frozen=True, slots=True)
class Country:
    """ISO 3166-1 alpha-2, in any case."""

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}

    def read(self, value: object, note: Note) -> str:
        rule = "must be a two-letter country code (ISO 3166-1)"
        code = _plain(value, rule).upper()
        if code in USUAL_MISTAKES:
            code = USUAL_MISTAKES[code]
            note(f"read as {code}")
        if code not in ASSIGNED:
            raise RuleError(rule)
        return code


@dataclass(frozen=True, slots=True)
class Language:
    """A BCP 47 tag: the language in lower case, a region in upper case."""

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}

    def read(self, value: object, note: Note) -> str:
        rule = "must be a language tag (BCP 47)"
        tag = _plain(value, rule)
        if "_" in tag:
            note("underscores were read as hyphens")
            tag = tag.replace("_", "-")
        if not _LANGUAGE.fullmatch(tag):
            raise RuleError(rule)
        first, *rest = tag.split("-")
        return "-".join([first.lower(), *(part.upper() if len(part) == 2 else part for part in rest)])


@dataclass(frozen=True, slots=True)
class DateTime:
    """An ISO day or an RFC 3339 time. As an `end`, a plain day lasts to its last microsecond."""

    end: bool = False

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}

    def read(self, value: object, note: Note) -> datetime:
        rule = "must be a day (ISO 8601) or a time with its zone (RFC 3339)"
        text = _plain(value, rule)
        try:
            if _DAY.fullmatch(text):
                midnight = datetime.combine(datetime.fromisoformat(text), time(), UTC)
                return midnight + timedelta(days=1, microseconds=-1) if self.end else midnight
            if not _MOMENT.fullmatch(text):
                raise RuleError(rule)
            moment = datetime.fromisoformat(text.upper())
            if moment.tzinfo is None:
                note("a time without a zone was read as UTC")
                return moment.replace(tzinfo=UTC)
            return moment.astimezone(UTC)
        except (ValueError, OverflowError):
            raise RuleError(rule) from None


@dataclass(frozen=True, slots=True)
class TextList:
    """A list of texts: also a JSON list within a string, or one text alone."""

    least: int
    most: int
    longest: int

    def schema(self) -> dict[str, Any]:
        bounds = {"minItems": self.least} if self.least else {}
        return {"type": "array", "items": {"type": "string"}, **bounds, "maxItems": self.most}

    def read(self, value: object, note: Note) -> tuple[str, ...]:
        rule = f"must be a list of {self.least} to {self.most} texts, none over {self.longest:,} characters"
        if isinstance(value, str):
            value = list_of(value.strip(), note, self._split)
        if not isinstance(value, list | tuple):
            raise RuleError(rule)
        given = [_plain(item, rule) for item in cast("list[object]", value)]
        items = tuple(item for item in given if item)
        if len(items) < len(given):
            note("blank items were left out")
        if not self.least <= len(items) <= self.most or any(len(item) > self.longest for item in items):
            raise RuleError(rule)
        return items

    def _split(self, text: str) -> list[str]:
        """Several addresses in one text are several; anything else is one item."""
        words = _BETWEEN_ADDRESSES.split(text)
        if len(words) == 1 or not all(word.lower().startswith(("http://", "https://")) for word in words):
            return [text]
        return [*words[:-1], words[-1].rstrip(",")]


@dataclass(frozen=True, slots=True)
class Domains(TextList):
    """A list of domain rules in the one dialect; a whole address stands for its host."""

    least: int = 0
    most: int = 100
    longest: int = 255

    def read(self, value: object, note: Note) -> tuple[str, ...]:
        from ..net.domains import compiled

        given = TextList.read(self, value, note)
        rules = tuple(dict.fromkeys(_host(item.lower()) for item in given))
        if any(rule not in item.lower() or "/" in item for rule, item in zip(rules, given, strict=False)):
            note("only the hosts were used")
        try:
            compiled(rules)
        except ValueError:  # its text names the rule: good for an operator, not for an answer to a model
            raise RuleError(_DOMAIN_RULE) from None
        return rules

    def _split(self, text: str) -> list[str]:
        return [word for word in re.split(r"[\s,]+", text) if word]


def list_of(text: str, note: Note, split: Callable[[str], list[str]] = lambda text: [text]) -> object:
    """What is in a text that stands where a list should: JSON, or one text alone. Raises RuleError."""
    if not text.startswith("["):
        note("a single text was read as a list")
        return split(text)
    note("a JSON string was read as a list")
    return json_of(text, "must be a list, not a string with broken JSON")


def json_of(text: str, rule: str) -> object:
    """What this JSON says. Raises RuleError with the rule."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise RuleError(rule) from None


def _plain(value: object, rule: str) -> str:
    """A text that can be sent on: a lone surrogate from a JSON escape cannot."""
    if not isinstance(value, str):
        raise RuleError(rule)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise RuleError("must be valid Unicode") from None
    return value.strip()


def _host(rule: str) -> str:
    return re.sub(r"^[a-z][a-z0-9+.-]*://", "", rule).split("/", 1)[0]
