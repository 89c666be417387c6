"""What a client is offered while an argument is typed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from mcp_types import PromptReference, ResourceTemplateReference

from websearch_core.contract.mcp_components import Gateway, Prompt, Resource
from websearch_core.server.completion import MOST, completing, completion


class Fixed(Resource):
    name = "fixed"
    uri = "acme://rules"
    description = "The rules."

    async def read(self, uri: str, gateway: Gateway) -> str:
        return "rules"


class Template(Fixed):
    name = "template"
    uri = "acme://rules/{topic}"


class Check(Prompt):
    name = "check"
    description = "Checks a claim."
    arguments: Mapping[str, str] = {"claim": "what is claimed"}

    async def render(self, arguments: Mapping[str, str], gateway: Gateway) -> str:
        return arguments["claim"]


FIXED, TEMPLATE, CHECK = Fixed(), Template(), Check()


@pytest.mark.parametrize(
    ("ref", "argument", "who"),
    [
        (ResourceTemplateReference(uri="acme://rules/{topic}"), "topic", TEMPLATE),
        (ResourceTemplateReference(uri="acme://rules/{topic}"), "other", None),
        (ResourceTemplateReference(uri="acme://rules/citing"), "topic", None),
        (ResourceTemplateReference(uri="acme://rules"), "topic", None),
        (ResourceTemplateReference(uri="acme://other/{topic}"), "topic", None),
        (ResourceTemplateReference(uri="check"), "claim", None),
        (PromptReference(name="check"), "claim", CHECK),
        (PromptReference(name="check"), "topic", None),
        (PromptReference(name="other"), "claim", None),
    ],
)
def test_only_who_has_the_argument_is_asked(
    ref: ResourceTemplateReference | PromptReference, argument: str, who: object
) -> None:
    assert completing(ref, argument, [FIXED, TEMPLATE], [CHECK]) is who


def test_values_that_hold_it_are_offered_those_that_begin_so_first_else_in_their_order() -> None:
    assert completion(["wide", "docs", "Devops", "law", "docs"], "D") == {
        "values": ["docs", "Devops", "wide"],
        "total": 3,
        "hasMore": False,
    }
    assert completion(["docs", "law"], "")["values"] == ["docs", "law"]
    assert completion((), "d") == {"values": [], "total": 0, "hasMore": False}


@pytest.mark.parametrize(("count", "more"), [(MOST, False), (MOST + 1, True)])
def test_an_answer_has_at_most_a_hundred_values_and_says_how_many_there_are(count: int, more: bool) -> None:
    found = completion((f"v{number}" for number in range(count)), "v")
    assert (len(found["values"]), found["total"], found["hasMore"]) == (MOST, count, more)
