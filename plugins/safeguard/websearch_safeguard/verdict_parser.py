"""Reads the judge's answer. What is not a whole and consistent verdict on exactly what was asked is `Malformed`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from .datamarking import Fence, found
from .endpoint import Malformed
from .policies import NONE

MOST_CHARS = 20_000
_MOST_STARTS = 64
_REASONING = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL)
_FINAL = re.compile(r"\A.*<\|channel\|>final[^<]*<\|message\|>", re.DOTALL)
_UNFINISHED = re.compile(r"<think|<\|channel\|>")
"""Of reasoning that never came to an end: what it holds are drafts. No quote holds these, for no text is shown so."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("a name is said twice")
    return values


_DECODER = json.JSONDecoder(object_pairs_hook=_once)


class RawVerdict(BaseModel):
    """One verdict as the model wrote it."""

    model_config = ConfigDict(frozen=True, strict=True)

    violation: bool
    category: Annotated[str, StringConstraints(max_length=100)]
    confidence: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    quote: Annotated[str, StringConstraints(max_length=2_000)]
    nonce: Annotated[str, StringConstraints(max_length=100)]


_VERDICTS = TypeAdapter(list[RawVerdict])


def schema(categories: Sequence[str], count: int) -> Mapping[str, Any]:
    """What the answer must look like: a verdict, or for several texts `{"verdicts": [...]}`."""
    properties: dict[str, Any] = {
        "violation": {"type": "boolean"},
        "category": {"type": "string", "enum": [*categories, NONE]},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "quote": {"type": "string"},
        "nonce": {"type": "string"},
    }
    verdict = _strict(properties)
    return verdict if count == 1 else _strict({"verdicts": {"type": "array", "items": verdict}})


def _strict(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [*properties],
        "additionalProperties": False,
    }


class CheckedVerdict(BaseModel):
    """A verdict with the right nonce that does not contradict itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    violation: bool
    category: str
    confidence: float
    place: tuple[int, int] | None = None
    """Where the text holds what is quoted; None: nowhere. The verdict then holds for nothing but a control."""


def verdicts(answer: str, fences: Sequence[Fence], categories: Sequence[str]) -> list[CheckedVerdict]:
    """One for each fence, in order. Raises `Malformed`."""
    if len(answer) > MOST_CHARS:
        raise Malformed("the model's answer is too long to be a verdict")
    final = _FINAL.sub("", _REASONING.sub("", answer))
    if _UNFINISHED.search(final):
        raise Malformed("the model's answer ends within its reasoning")
    readings = [said for value in _objects(final) if (said := _said(value)) is not None]
    if not readings or any(reading != readings[0] for reading in readings):
        raise Malformed("the model's answer holds no verdict, or several that differ")
    said = readings[0]
    if [one.nonce for one in said] != [fence.nonce for fence in fences]:
        raise Malformed("the model's verdicts are not about the texts that it was shown")
    return [_checked(one, fence, categories) for one, fence in zip(said, fences, strict=True)]


def _checked(said: RawVerdict, fence: Fence, categories: Sequence[str]) -> CheckedVerdict:
    if not said.violation:
        if said.category != NONE:
            raise Malformed("the model's verdict contradicts itself")
        return CheckedVerdict(violation=False, category=NONE, confidence=said.confidence)
    if said.category not in categories:
        raise Malformed("the model's verdict names no category of the policy")
    place = found(said.quote, fence.text)
    return CheckedVerdict(violation=True, category=said.category, confidence=said.confidence, place=place)


def _objects(text: str) -> Iterator[Any]:
    """Each JSON value that begins at a bracket, fenced or between prose; not those within another."""
    at = 0
    for _ in range(_MOST_STARTS):
        start = min((place for bracket in "{[" if (place := text.find(bracket, at)) >= 0), default=-1)
        if start < 0:
            return
        try:
            value, at = _DECODER.raw_decode(text, start)
            yield value
        except (ValueError, RecursionError):
            at = start + 1


def _said(value: Any) -> list[RawVerdict] | None:
    """The verdicts in this value: one, a list of them, or an object that holds the list."""
    match value:
        case {"verdicts": inner}:
            value = inner
        case {"violation": _}:
            value = [value]
        case _:
            pass
    try:
        return _VERDICTS.validate_python(value)
    except ValidationError:
        return None
