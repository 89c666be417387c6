"""Personal data and secrets in every place of a request, in every spelling: nothing arrives anywhere."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import quote

import pytest

from websearch_core.testing.site import LoopbackSite, answer

from ..forked import ForkServer
from .redteam.server import Served, call, installed, serving, settings, site_in_a_thread

SECRETS: Mapping[str, str] = {
    "card": "4929728155304419",
    "grouped": "4929 7281 5530 4419",
    "ssn": "521-44-3712",
    "e-mail": "jane.doe.1984@gmail.com",
    "key": "AKIA" + "Q3EGRZTMLKX7YWPD",
    "token": "ghp_" + "a8Kd02mZq7Lw5XvR3tYbN1cPs9EuGj4HfQ6z",
}
"""Made up; the card's check digit is right."""


def twice(text: str) -> str:
    return quote(quote(text, safe=""), safe="")


def each_percent(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


def full_width(text: str) -> str:
    return quote("".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text))


def sixty_four(text: str) -> str:
    return quote(base64.b64encode(text.encode()).decode(), safe="")


def url_sixty_four(text: str) -> str:
    return base64.urlsafe_b64encode(f"note: {text}".encode()).decode().rstrip("=")


def zero_width(text: str) -> str:
    return quote("\u200b".join(text), safe="")


def plain(text: str) -> str:
    return quote(text, safe="@")


SPELLINGS: Mapping[str, Callable[[str], str]] = {
    each.__name__: each for each in (plain, each_percent, twice, full_width, zero_width, sixty_four, url_sixty_four)
}

PLACES: Mapping[str, Callable[[str, str], str]] = {
    "path": lambda site, s: f"{site}/user/{s}",
    "file": lambda site, s: f"{site}/user/{s}.html",
    "query": lambda site, s: f"{site}/user?id={s}",
    "name": lambda site, s: f"{site}/user?{s}=1",
    "parameter": lambda site, s: f"{site}/user;v={s}/x",
}

ODD: Mapping[str, Callable[[str, str], str]] = {
    "user": lambda host, s: f"http://{s}@{host}/",
    "password": lambda host, s: f"http://u:{s}@{host}/",
    "label": lambda host, s: f"http://{s.replace(' ', '-').replace('@', '.').replace('_', '-')}.example.test/",
    "address-in-address": lambda host, s: f"http://{host}/go?to={quote(f'http://x.test/?a={s}', safe='')}",
}


@pytest.fixture(scope="module")
def site() -> Iterator[LoopbackSite]:
    with site_in_a_thread() as opened:
        opened.route("/*", answer(200, "Owls."))
        opened.route("/search", answer(200, json={"results": [], "unresponsive_engines": []}))
        yield opened


@pytest.fixture(scope="module")
def server(servers: ForkServer, site: LoopbackSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("server")
    with serving(servers, settings(site, folder, **installed(folder)), folder) as served:
        yield served


async def withheld(server: Served, site: LoopbackSite, addresses: Mapping[str, str]) -> list[str]:
    """Which of these addresses were NOT stopped by a filter before anything left, or were said again."""
    site.requests.clear()
    said = await call(server, "fetch", urls=list(addresses.values()))
    bad = [
        name
        for (name, address), row in zip(addresses.items(), said.results, strict=True)
        if row["status"] != "failed" or (row["code"] == "blocked_by_filter" and address in said.everything)
    ]
    return bad + [request.target for request in site.requests]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("place", PLACES)
async def test_in_an_address(place: str, secret: str, server: Served, site: LoopbackSite) -> None:
    text = SECRETS[secret]
    bad = await withheld(
        server, site, {name: PLACES[place](site.url, spell(text)) for name, spell in SPELLINGS.items()}
    )
    assert not bad, bad


@pytest.mark.parametrize("place", ODD)
async def test_in_odd_parts_of_an_address(place: str, server: Served, site: LoopbackSite) -> None:
    host = site.url.removeprefix("http://")
    bad = await withheld(server, site, {name: ODD[place](host, text) for name, text in SECRETS.items()})
    assert not bad, bad


@pytest.mark.parametrize("spelling", SPELLINGS)
async def test_in_a_fragment(spelling: str, server: Served, site: LoopbackSite) -> None:
    site.requests.clear()
    await call(server, "fetch", urls=[f"{site.url}/user#{SPELLINGS[spelling](text)}" for text in SECRETS.values()])
    assert {request.target for request in site.requests} <= {"/user"}


async def test_spread_over_several_labels_and_directories(server: Served, site: LoopbackSite) -> None:
    bad = await withheld(
        server,
        site,
        {
            "labels": "http://4929.7281.5530.4419.example.test/",
            "directories": f"{site.url}/4929/7281/5530/4419/",
            "dashes": f"{site.url}/card-4929-7281-5530-4419",
            "plus": f"{site.url}/?card=4929+7281+5530+4419",
        },
    )
    assert not bad, bad


@pytest.mark.parametrize("secret", SECRETS)
async def test_in_a_search(secret: str, server: Served, site: LoopbackSite) -> None:
    text = SECRETS[secret]
    site.requests.clear()
    for query in (
        f"owls {text}",
        f"owls {text} please",
        f"who is {text}?",
        f"owls {base64.b64encode(text.encode()).decode()}",
    ):
        said = await call(server, "search", query=query)
        assert said.failed or said.data.get("redacted_query"), query
        assert text not in said.everything
    assert not [request for request in site.requests if text in request.everything]


@pytest.mark.parametrize("field", ["allowed_domains", "excluded_domains"])
async def test_in_the_domains_of_a_search(field: str, server: Served, site: LoopbackSite) -> None:
    site.requests.clear()
    for text in ("4929728155304419", "4929-7281-5530-4419", "521-44-3712", "jane.doe.1984@gmail.com"):
        said = await call(server, "search", query="owls", **{field: [f"{text}.example.com", "example.org"]})
        assert said.failed, text
        assert text not in said.everything
    said = await call(server, "fetch", urls=[f"{site.url}/x"], allowed_domains=["4929728155304419.example.com"])
    assert said.failed or said.results[0]["status"] == "failed"
    assert not site.requests


@pytest.mark.parametrize("secret", SECRETS)
async def test_a_redirect_to_it_is_not_followed(secret: str, server: Served, site: LoopbackSite) -> None:
    text = SECRETS[secret]
    targets = [
        f"/u/{quote(text)}",
        f"/u?id={twice(text)}",
        f"//{site.url[7:]}/{quote(text)}/u",
        f"/u?{sixty_four(text)}",
    ]
    for number, target in enumerate(targets):
        site.route(f"/hop/{secret}/{number}", answer((301, 302, 307, 308)[number], headers={"location": target}))
        site.requests.clear()
        said = await call(server, "fetch", urls=[f"{site.url}/hop/{secret}/{number}"])
        assert said.results[0]["status"] == "failed", target
        assert [request.target for request in site.requests] == [f"/hop/{secret}/{number}"]
        assert text not in said.everything


async def test_in_what_a_tool_is_given(server: Served) -> None:
    for text in SECRETS.values():
        for arguments in (
            {"text": f"note {text}"},
            {"inner": {"a": ["x", text]}},
            {"inner": {text: []}},
            {"text": base64.b64encode(text.encode()).decode()},
        ):
            said = await call(server, "acme_echo", **arguments)
            assert text not in said.everything, arguments
    said = await call(server, "acme_echo", number=4929728155304419)
    assert "4929728155304419" not in said.everything
    said = await call(server, "acme_echo", text="owls")
    assert "owls" in said.text
