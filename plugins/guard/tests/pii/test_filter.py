import json
import logging

import pytest

from websearch_core import Allow, Block, FetchRequest, Outgoing, Rewrite, SearchRequest
from websearch_core.kit import Part
from websearch_core.testing import RequestFilterContract
from websearch_guard.pii.filter import PersonalData
from websearch_guard.pii.kinds import KINDS

MASKING = dict.fromkeys(KINDS, "mask")


class Said(Outgoing):
    main_part = "words"
    words: str
    note: str = ""

    @property
    def parts(self):
        return tuple(Part(name, text) for name in ("words", "note") if (text := getattr(self, name)))


class TestBlocking(RequestFilterContract):
    component = PersonalData
    allowed = ("weather in Oslo", "Barack Obama born August 4, 1961", "isbn 978-3-16-148410-0", "support@github.com")
    blocked = (
        "my ssn is 219-44-7710",
        "is card 4532 0151 1283 0366 stolen",
        "who owns jade.miller42@yahoo.com",
        "passport number A77560858 lost",
        "ghp_Ae2LDmJqYq9XVNOGfi8f2oadRVJGiPWmH2tQ",
    )

    def filter(self, ctx):
        return PersonalData()


class TestMasking(RequestFilterContract):
    component = PersonalData
    allowed = ("weather in Oslo",)
    rewritten = {
        "identity theft 219-44-7710 what to do": "identity theft what to do",
        "has joseph.miller14@yahoo.com been pwned": "has been pwned",
        "refund to visa 4532 0151 1283 0366 not received": "refund to visa not received",
    }

    def filter(self, ctx):
        return PersonalData(MASKING)


async def test_findings_say_where_in_the_part_that_was_given() -> None:
    query = "identity theft 219-44-7710 or 4532 0151 1283 0366 what to do"
    verdict = await PersonalData(MASKING).check(SearchRequest(query=query))
    assert isinstance(verdict, Rewrite)
    assert [(f.kind, f.field, query[f.start : f.end]) for f in verdict.findings] == [
        ("government_id", "query", "219-44-7710"),
        ("payment_card", "query", "4532 0151 1283 0366"),
    ]
    assert verdict.parts == (Part("query", "identity theft or what to do"),)


@pytest.mark.parametrize("query", ["219-44-7710", "my ssn is 219-44-7710", "219-44-7710 and 219-44-7711"])
async def test_a_query_of_which_nothing_is_left_is_not_sent(query: str) -> None:
    assert isinstance(await PersonalData(MASKING).check(SearchRequest(query=query)), Block)


async def test_each_class_has_its_own_action() -> None:
    judge = PersonalData({"phone": "mask", "email": "allow"})
    text = "reverse lookup 617-682-5990 owner name of jade.miller42@yahoo.com"
    verdict = await judge.check(SearchRequest(query=text))
    assert isinstance(verdict, Rewrite)
    assert verdict.parts == (Part("query", "reverse lookup owner name of jade.miller42@yahoo.com"),)
    blocked = await judge.check(SearchRequest(query=f"{text} ssn 219-44-7710"))
    assert isinstance(blocked, Block)
    assert blocked.reason == "the request contains a government id number; leave it out and ask again"


async def test_an_address_cannot_be_masked() -> None:
    request = FetchRequest(url="https://example.com/people?email=jade.miller42%40yahoo.com")
    assert isinstance(await PersonalData(MASKING).check(request), Block)


@pytest.mark.parametrize(
    "request_",
    [
        SearchRequest(query="news", allowed_domains=("example.org", "219-44-7710.example.com")),
        SearchRequest(query="news", excluded_domains=("jade-miller42.4532015112830366.example.com",)),
        SearchRequest(query="news", goggle="https://example.com/?ssn=219447710"),
        FetchRequest(url="https://example.com/", allowed_domains=("219-44-7710.example.com",)),
        Said(words="news", note="call me at +1 617 682 5990"),
        Said(words="news", note="https://example.com/?q=219-44-7710"),
    ],
)
async def test_every_part_is_judged(request_: Outgoing) -> None:
    verdict = await PersonalData().check(request_)
    assert isinstance(verdict, Block)
    assert {finding.field for finding in verdict.findings}.isdisjoint({"query", "words"} - {"url"})


async def test_parts_without_findings_stay_as_they_are() -> None:
    verdict = await PersonalData(MASKING).check(
        Said(words="  two  spaces ", note="reach jade.miller42@yahoo.com today")
    )
    assert isinstance(verdict, Rewrite)
    assert verdict.parts == (Part("words", "  two  spaces "), Part("note", "reach today"))


async def test_what_was_found_is_repeated_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for actions in ({}, MASKING):
        verdict = await PersonalData(actions).check(SearchRequest(query="passport number A77560858 lost in Rome"))
        assert not isinstance(verdict, Allow)
        told = verdict.reason + json.dumps([finding._asdict() for finding in verdict.findings]) + caplog.text
        assert "A77560858" not in told
        assert "Rome" not in told


@pytest.mark.parametrize("text", ["born 1/2/1990 " * 140, "https://example.com/?q=" + "4155550132+" * 700])
async def test_what_is_too_much_to_be_checked_is_not_sent(text: str) -> None:
    verdict = await PersonalData(MASKING).check(Said(words=text))
    assert isinstance(verdict, Block)
    assert verdict.reason == "the request is too long to be checked for personal data; shorten it"


@pytest.mark.parametrize(
    "url", ["https://example.com/a b?ssn=219447710", "//[::1", "https://[", "http://%zz/%", "", "\x00"]
)
async def test_a_malformed_address_gets_a_verdict(url: str) -> None:
    verdict = await PersonalData().check(Said(words="news", note=url))
    assert isinstance(verdict, Block if "ssn" in url else Allow)
