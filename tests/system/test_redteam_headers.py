"""Headers that switch filters: repeated, spaced, in mixed case, conflicting, nonsense; and the floor below them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from websearch_core.testing.site import LoopbackSite, answer

from ..forked import ForkServer
from .redteam.hostile import BEFORE, PAYLOAD
from .redteam.server import Served, post, serving, settings, site_in_a_thread, tool_call

CARD = "4929 7281 5530 4419"
TINFOIL, OURS = "X-Tinfoil-Tool-{}-Check", "X-Websearch-{}-Check"

OFF: Sequence[Sequence[tuple[str, str]]] = [
    [(TINFOIL, "false")],
    [(OURS, "0")],
    [(TINFOIL.upper(), "FaLsE")],
    [(TINFOIL.lower(), "  false\t ")],
    [(TINFOIL, "false"), (TINFOIL, "false")],
    [(TINFOIL, "false"), (OURS, "0")],
    [(TINFOIL, "nonsense"), (TINFOIL, "false")],
]
"""What switches a family off where the operator lets callers do that."""

ON: Sequence[Sequence[tuple[str, str]]] = [
    [],
    [(TINFOIL, "true")],
    [(TINFOIL, "false"), (TINFOIL, "true")],
    [(TINFOIL, "true"), (TINFOIL, "false")],
    [(TINFOIL, "false"), (OURS, "true")],
    [(OURS, "1"), (TINFOIL, "false")],
    [(TINFOIL, "false"), (TINFOIL, "false"), (TINFOIL.swapcase(), " TRUE ")],
    *([(TINFOIL, value)] for value in ("", "no", "off", "-1", "00", "none", "null", '"false"', "false;q=1")),
    [(TINFOIL, "false,false")],
    [(TINFOIL, "false, true")],
    [(TINFOIL.replace("-", "_"), "false")],
    [(f"{TINFOIL}s", "false")],
    [("X-Tinfoil-Tool-Hidden-Check", "false")],
]
"""What does not."""


@pytest.fixture(scope="module")
def site() -> Iterator[LoopbackSite]:
    with site_in_a_thread() as opened:
        opened.route("/page", answer(200, f"{BEFORE}\n\n{PAYLOAD}\n"))
        opened.route("/search", answer(200, json={"results": [], "unresponsive_engines": []}))
        yield opened


@pytest.fixture(scope="module")
def strict(servers: ForkServer, site: LoopbackSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The guards are required: their families are the floor."""
    folder = tmp_path_factory.mktemp("strict")
    with serving(servers, settings(site, folder), folder) as served:
        yield served


@pytest.fixture(scope="module")
def lenient(servers: ForkServer, site: LoopbackSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The guards are required, but callers may go without."""
    folder = tmp_path_factory.mktemp("lenient")
    with serving(servers, settings(site, folder, WEBSEARCH_SERVER__FLOOR="[]"), folder) as served:
        yield served


def named(headers: Sequence[tuple[str, str]], family: str) -> list[tuple[str, str]]:
    return [(name.replace("{}", family), value) for name, value in headers]


async def instruction_is_removed(server: Served, site: LoopbackSite, headers: Sequence[tuple[str, str]]) -> bool:
    status, text = await post(server, tool_call("fetch", urls=[f"{site.url}/page"]), headers)
    assert (status, BEFORE in text) == (200, True)
    return PAYLOAD not in text


async def card_stays(server: Served, site: LoopbackSite, headers: Sequence[tuple[str, str]]) -> bool:
    """Whether the card's number does not leave."""
    site.requests.clear()
    status, text = await post(server, tool_call("search", query=f"owls {CARD}", max_age_hours=0), headers)
    assert status == 200
    left = any("5530" in request.everything for request in site.requests)
    assert left or "5530" not in text
    return not left


@pytest.mark.parametrize("headers", [*ON, *OFF], ids=str)
async def test_nothing_weakens_the_floor(
    headers: Sequence[tuple[str, str]], strict: Served, site: LoopbackSite
) -> None:
    assert await instruction_is_removed(strict, site, named(headers, "Injection"))
    assert await card_stays(strict, site, named(headers, "PII"))


@pytest.mark.parametrize("headers", ON, ids=str)
async def test_no_trick_switches_a_filter_off(
    headers: Sequence[tuple[str, str]], lenient: Served, site: LoopbackSite
) -> None:
    assert await instruction_is_removed(lenient, site, named(headers, "Injection"))
    assert await card_stays(lenient, site, named(headers, "PII"))


@pytest.mark.parametrize("headers", OFF, ids=str)
async def test_without_a_floor_a_caller_switches_one_family_and_not_the_other(
    headers: Sequence[tuple[str, str]], lenient: Served, site: LoopbackSite
) -> None:
    assert not await instruction_is_removed(lenient, site, named(headers, "Injection"))
    assert await instruction_is_removed(lenient, site, named(headers, "PII"))
    assert not await card_stays(lenient, site, named(headers, "PII"))
    assert await card_stays(lenient, site, named(headers, "Injection"))


async def test_hidden_text_has_no_switch(lenient: Served, site: LoopbackSite) -> None:
    site.route("/hidden", answer(200, "".join(f"{letter}\u200b" for letter in "secret")))
    off = [(name, "false") for family in ("Hidden", "PII", "Injection") for name in (TINFOIL.format(family),)]
    _, text = await post(lenient, tool_call("fetch", urls=[f"{site.url}/hidden"]), off)
    assert "secret" in text
    assert "\\u200b" not in text
    assert "\u200b" not in text
