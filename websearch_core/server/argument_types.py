"""The types of the two tools' arguments that need more than JSON Schema says: domains, addresses, dates, countries."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from typing import Annotated, Any, TypeGuard, cast

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, ValidationInfo, WithJsonSchema

from .argument_reader import RuleError
from .countries import ASSIGNED, USUAL_MISTAKES

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})?")
_DATE_RULE = "must be a day (ISO 8601) or a time with its zone (RFC 3339)"
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,5}")
_DOMAIN_RULE = (
    'each must be a host, or a pattern of hosts: "example.com", "=example.com", "*.example.com", "docs-*.example.com"'
)
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://")
_BETWEEN_DOMAINS = re.compile(r"[\s,]+")
_BETWEEN_ADDRESSES = re.compile(r",?\s+")
_AUTOLINK = re.compile(r"<(https?://[^<>\s]+)>", re.IGNORECASE)
_LINK = re.compile(r"!?\[[^\[\]]*\]\(<?(https?://[^<>\s]+?)>?\)", re.IGNORECASE)


def noted(info: ValidationInfo, text: str) -> None:
    """Say what was put right in the argument that is being read."""
    cast("list[str]", info.context).append(f"{info.field_name}: {text}")


def _text(given: object) -> str:
    return given.strip() if isinstance(given, str) else ""


def _country(given: object, info: ValidationInfo) -> str:
    code = _text(given).upper()
    if code in USUAL_MISTAKES:
        code = USUAL_MISTAKES[code]
        noted(info, f"read as {code}")
    if code not in ASSIGNED:
        raise RuleError("must be a two-letter country code (ISO 3166-1)")
    return code


def _language(given: object, info: ValidationInfo) -> str:
    tag = _text(given)
    if "_" in tag:
        noted(info, "underscores were read as hyphens")
        tag = tag.replace("_", "-")
    if not _LANGUAGE.fullmatch(tag):
        raise RuleError("must be a language tag (BCP 47)")
    first, *rest = tag.split("-")
    return "-".join([first.lower(), *(part.upper() if len(part) == 2 else part for part in rest)])


def _start(given: object, info: ValidationInfo) -> datetime:
    """A moment, or the midnight with which a day begins, in UTC."""
    text = _text(given)
    try:
        if _DAY.fullmatch(text):
            return datetime.combine(datetime.fromisoformat(text), time(), UTC)
        if not _MOMENT.fullmatch(text):
            raise RuleError(_DATE_RULE)
        moment = datetime.fromisoformat(text.upper())
        if moment.tzinfo is None:
            noted(info, "a time without a zone was read as UTC")
            return moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise RuleError(_DATE_RULE) from None


def _end(given: object, info: ValidationInfo) -> datetime:
    """The same; a day lasts to its last microsecond."""
    moment = _start(given, info)
    is_day = _DAY.fullmatch(_text(given))
    return moment + timedelta(days=1, microseconds=-1) if is_day else moment


def _hosts(given: object, info: ValidationInfo) -> object:
    """The rules that stand in the texts, however they are parted; a whole address stands for its host."""
    if not _are_texts(given):
        return given
    words = [word for text in given for word in _BETWEEN_DOMAINS.split(text.lower()) if word]
    if given and not words:
        raise RuleError(_DOMAIN_RULE)  # commas alone are no rule, and no rule would mean any site
    rules = [_SCHEME.sub("", word).split("/", 1)[0] for word in words]
    if rules != words:
        noted(info, "only the hosts were used")
    return rules


def _compiling(rules: tuple[str, ...]) -> tuple[str, ...]:
    from ..net.domains import compiled

    try:
        compiled(rules)
    except ValueError:  # its text names the rule: good for an operator, not for an answer to a model
        raise RuleError(_DOMAIN_RULE) from None
    return tuple(dict.fromkeys(rules))


def _addresses(given: object, info: ValidationInfo) -> object:
    """Several addresses in one text are several; each is taken out of the Markdown that it may stand in."""
    if not _are_texts(given):
        return given
    found: list[str] = []
    for text in given:
        words = _BETWEEN_ADDRESSES.split(text.strip())
        several = len(words) > 1 and all(word.lower().startswith(("http://", "https://")) for word in words)
        found += [*words[:-1], words[-1].rstrip(",")] if several else [text]
    bare = [match[1] if (match := _AUTOLINK.fullmatch(text) or _LINK.fullmatch(text)) else text for text in found]
    if bare != found:
        noted(info, "an address was taken out of its Markdown")
    return bare


def _are_texts(given: object) -> TypeGuard[list[str]]:
    return isinstance(given, list) and all(isinstance(item, str) for item in cast("list[object]", given))


Phrase = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1000)]
Country = Annotated[str, BeforeValidator(_country)]
Language = Annotated[str, BeforeValidator(_language)]
Start = Annotated[datetime, BeforeValidator(_start)]
End = Annotated[datetime, BeforeValidator(_end)]
Domains = Annotated[
    tuple[Annotated[str, StringConstraints(max_length=255)], ...],
    Field(max_length=100),
    BeforeValidator(_hosts),
    AfterValidator(_compiling),
]
Addresses = Annotated[
    tuple[Annotated[str, StringConstraints(strip_whitespace=True, max_length=8192)], ...],
    Field(min_length=1, max_length=20),
    BeforeValidator(_addresses),
]
Age = Annotated[int, Field(ge=-1, le=1_000_000)]


def one_of(names: tuple[str, ...]) -> Any:
    """The type of a text that is one of these names; another one of the same form is read, for a better answer."""
    rule = f"must be one of {', '.join(names)}" if names else "there is nothing to choose from here: leave it out"

    def known(given: str, info: ValidationInfo) -> str:
        name = given.lower()
        if not re.fullmatch(r"[a-z0-9-]{1,64}", name):
            raise RuleError(rule)
        if name not in names:
            noted(info, "not among those that are offered")
        return name

    schema = WithJsonSchema({"type": "string", **({"enum": list(names)} if names else {})})
    return Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(known), schema]
