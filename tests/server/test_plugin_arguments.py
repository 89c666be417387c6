"""What a plugin's model says of arguments that do not fit it."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

import pytest
from pydantic import BaseModel, Field

from websearch_core.server.argument_reader import ArgumentError, ArgumentReader


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]


class Arguments(BaseModel):
    sorts: list[Literal["new", "old"]] = []
    tags: list[str] = []
    few: list[str] = Field([], max_length=3)
    pair: list[str] = Field(["a", "b"], min_length=2)
    since: dt.date | None = None
    code: str = Field("AB", max_length=4, pattern="^[A-Z]+$")
    word: str = Field("word", min_length=3)
    even: int = Field(2, ge=0, le=10, multiple_of=2)
    frame: Literal["1M", "1m"] = "1m"
    counts: dict[str, int] = {}
    zone: ZoneInfo | None = None
    pet: Annotated[Cat | Dog, Field(discriminator="kind")] | None = None


READER = ArgumentReader(Arguments)


def refusal(**arguments: Any) -> str:
    with pytest.raises(ArgumentError) as caught:
        READER.read(arguments)
    return str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"sorts": ["best"]}, "sorts.0: must be one of new, old"),
        ({"tags": ["a", 7]}, "tags.1: must be text"),
        ({"tags": 7}, "tags: must be a list"),
        ({"few": ["a", 7]}, "few.1: must be text"),
        ({"few": ["a", "b", "c", "d"]}, "few: must be a list of 0 to 3 items"),
        ({"pair": ["a"]}, "pair: List should have at least 2 items"),
        ({"since": "yesterday"}, "since: Input should be a valid date"),
        ({"code": "abc"}, "code: String should match pattern"),
        ({"code": "ABCDE"}, "code: must be text of 0 to 4 characters"),
        ({"word": "a"}, "word: String should have at least 3 characters"),
        ({"even": 3}, "even: Input should be a multiple of 2"),
        ({"pet": {"kind": "cat", "lives": "x"}}, "pet.cat.lives: Input should be a valid integer"),
        ({"pet": 5}, "pet: must be an object"),
    ],
)
def test_the_rule_that_is_told_is_the_one_that_was_broken(arguments: dict[str, Any], line: str) -> None:
    assert refusal(**arguments).startswith(line)


@pytest.mark.parametrize(
    "arguments", [{"pet": {"kind": "my secret"}}, {"counts": {"my secret\n- note": "x"}}, {"zone": "my secret\n- note"}]
)
def test_no_refusal_has_a_value_or_a_name_that_cannot_be_printed(arguments: dict[str, Any]) -> None:
    assert "secret" not in refusal(**arguments)


def test_a_refusal_of_very_many_items_stays_short() -> None:
    text = refusal(tags=[1] * 1000)
    assert len(text.splitlines()) == 21
    assert text.endswith("and more, 1000 in all")


@pytest.mark.parametrize("items", [["a"] * 10_001, [1] * 400_000, "[" + "1," * 400_000 + "1]"])
def test_a_list_whose_schema_has_no_maximum_is_refused_before_its_items_are_looked_at(items: object) -> None:
    assert refusal(tags=items) == "tags: must be a list of at most 10,000 items"
    assert len(READER.read({"tags": ["a"] * 10_000})[0].tags) == 10_000


def test_options_that_differ_in_case_alone_stay_what_they_are() -> None:
    assert READER.read({"frame": "1M"})[0].frame == "1M"
    assert READER.read({"frame": "1m"})[0].frame == "1m"


def test_one_of_several_models_may_come_as_json_in_a_text() -> None:
    arguments, notes = READER.read({"pet": '{"kind": "dog"}'})
    assert arguments.pet == Dog(kind="dog")
    assert notes == ["pet: a JSON string was read as an object"]


def test_json_in_a_text_is_held_to_unicode_like_the_call_itself() -> None:
    assert refusal(tags='["\\ud800"]') == "tags: must be a list, not a string with broken JSON"
