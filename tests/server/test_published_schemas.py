"""What models' providers take of the tools that are published, the packet's among them."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from websearch_core.server.published_schema import published
from websearch_core.testing import context

from .conftest import StandIn, serving

GOOGLE = frozenset(
    # Google's `Schema` (Gemini API reference, FunctionDeclaration.parameters) as the published lists need it
    (
        *("type", "description", "enum", "items", "properties", "required", "default"),
        *("minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength"),
    )
)


async def tools() -> list[dict[str, Any]]:
    from websearch_packet.plugin import websearch_outputs, websearch_tools

    ctx = context("packet")
    everything = StandIn(
        tools=tuple(websearch_tools(ctx)), outputs=tuple(websearch_outputs(ctx)), server={"tools": ["extract"]}
    )
    async with serving(everything) as client:
        return (await client.rpc("tools/list"))["result"]["tools"]


def schemas(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema in one, and where it stands."""
    yield path, schema
    for name, inner in schema.get("properties", {}).items():
        yield from schemas(inner, f"{path}.{name}")
    if "items" in schema:
        yield from schemas(schema["items"], f"{path}[]")
    for number, inner in enumerate(schema.get("anyOf", ())):
        yield from schemas(inner, f"{path}|{number}")


async def test_every_property_has_one_type_and_google_knows_every_keyword() -> None:
    found = await tools()
    assert {tool["name"] for tool in found} >= {"search", "fetch", "extract", "chunk", "compact"}
    for tool in found:
        for path, schema in schemas(tool["inputSchema"], tool["name"]):
            assert isinstance(schema.get("type"), str), f"{path} has no type"
            assert set(schema) <= GOOGLE, f"{path}: {set(schema) - GOOGLE}"
            assert "enum" not in schema or schema["type"] == "string", f"{path}: an enum is of strings"
            assert schema["type"] != "array" or "items" in schema, f"{path}: items of what?"
            assert schema["type"] == "object" or not {"properties", "required"} & set(schema), path
            assert set(schema.get("required", ())) <= set(schema.get("properties", ())), path
        for path, schema in schemas(tool.get("outputSchema", {"type": "object"}), tool["name"]):
            assert isinstance(schema.get("type"), str), f"{path} of the output has no type"


async def test_anthropic_takes_every_name_and_schema() -> None:
    for tool in await tools():
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool["name"])
        assert tool["inputSchema"]["type"] == "object"
        assert not {"oneOf", "allOf", "anyOf"} & set(tool["inputSchema"])
        for path, schema in schemas(tool["inputSchema"]):
            assert all(re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", name) for name in schema.get("properties", ())), path


async def test_openai_agents_makes_strict_schemas_of_them() -> None:
    # here, so that only the process that runs this test spends a second and a half on the import
    from agents.strict_schema import ensure_strict_json_schema

    for tool in await tools():
        strict = ensure_strict_json_schema(copy.deepcopy(tool["inputSchema"]))
        for path, schema in schemas(strict, tool["name"]):
            if schema["type"] == "object":
                assert schema["additionalProperties"] is False, path
                assert sorted(schema["required"]) == sorted(schema["properties"]), path


class Inner(BaseModel):
    name: str = Field(default="", description="of it")
    more: list[Inner] = []


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    kind: Literal["dog"]


class Pets(BaseModel):
    pet: Cat | Dog = Field(discriminator="kind")
    named: dict[str, str] = {"title": "kept"}


class Call(BaseModel):
    word: str | None = Field(default=None, max_length=5, description="if any")
    one: Inner | None = None
    many: list[Inner] = []
    title: str = "a title"
    either: int | str = 1


def test_a_models_schema_is_published_without_references_titles_and_nulls() -> None:
    inner = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "", "description": "of it"},
            "more": {"type": "array", "items": {"type": "object"}, "default": []},
        },
    }
    assert published(Call) == {
        "type": "object",
        "properties": {
            "word": {"type": "string", "maxLength": 5, "description": "if any"},
            "one": inner,
            "many": {"type": "array", "items": inner, "default": []},
            "title": {"type": "string", "default": "a title"},
            "either": {"anyOf": [{"type": "integer"}, {"type": "string"}], "default": 1},
        },
    }


@pytest.mark.parametrize("model", [Call, Inner, Pets])
def test_a_published_schema_points_nowhere(model: type[BaseModel]) -> None:
    assert "$ref" not in str(published(model))
    assert "$defs" not in str(published(model))


def test_a_default_is_published_as_it_is() -> None:
    assert published(Pets)["properties"]["named"]["default"] == {"title": "kept"}
