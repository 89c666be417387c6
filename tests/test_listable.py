"""Which search results may stand in an answer, by their addresses."""

from __future__ import annotations

import pytest

from websearch_core.chain.result_screen import listable
from websearch_core.contract.models import Hit
from websearch_core.contract.verdicts import ADDRESS_RULES
from websearch_core.net.policy import AddressPolicy
from websearch_core.settings.configuration import NetSettings


def policy(**settings: tuple[str, ...]) -> AddressPolicy:
    return AddressPolicy(NetSettings(**settings))


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://denied.example/page?secret=1", "the operator denies this site"),
        ("https://www.denied.example/", "the operator denies this site"),
        ("http://10.1.2.3/", "the address is not public (private)"),
        ("http://127.1:8080/admin", "the address is not public (loopback)"),
        ("http://0x7f000001/", "the address is not public (loopback)"),
        ("http://[::ffff:192.168.0.1]/", "the address is not public (IPv4-mapped private)"),
        ("http://169.254.169.254/latest/meta-data/", "the address is not public (link-local)"),
        ("https://localhost/", "the address is an internal name"),
        ("https://wiki.corp/", "the address is an internal name"),
        ("https://intranet/", "the address is an internal name"),
        ("https://93.184.216.34/", "the address is a number and not a name"),
        ("https://[2606:4700::1111]/", "the address is a number and not a name"),
        ("https://user:pass@example.com/", "addresses with a user name or password are refused"),
        ("ftp://example.com/", "only http and https addresses are read"),
    ],
)
def test_what_nobody_may_read_is_left_out_with_a_receipt(url: str, reason: str) -> None:
    found = listable((Hit(url="https://good.example/"), Hit(url=url, title="T")), policy(deny=("denied.example",)))
    assert [hit.url for hit in found.documents] == ["https://good.example/"]
    [receipt] = found.dropped
    assert receipt.by == ADDRESS_RULES
    assert reason in receipt.reason
    assert "secret" not in f"{receipt}{found.trail}"
    assert [(step.outcome, step.reason) for step in found.trail] == [("block", receipt.reason)]


def test_what_is_left_out_takes_nothing_after_it_along() -> None:
    hits = [
        Hit(url=url)
        for url in ("http://10.1.2.3/", "https://one.example/", "https://localhost/", "https://two.example/")
    ]
    found = listable(hits, policy())
    assert [hit.url for hit in found.documents] == ["https://one.example/", "https://two.example/"]
    assert len(found.dropped) == 2


def test_a_denied_site_behind_a_redirect_is_left_out() -> None:
    hit = Hit(url="https://good.example/", final_url="https://denied.example/")
    assert listable((hit,), policy(deny=("denied.example",))).documents == ()


@pytest.mark.parametrize(
    ("url", "settings"),
    [
        ("http://10.1.2.3/", {"private": ("10.1.0.0/16",)}),
        ("http://wiki.corp:8080/", {"private": ("wiki.corp:8080",)}),
        ("http://127.0.0.1:8099/", {"private": ("127.0.0.1:8099",)}),
        ("http://93.184.216.34/", {"allow": ("93.184.216.34",)}),
        ("https://files.websearch.invalid/1/notes.md", {}),
        ("https://bücher.example/straße", {}),
    ],
)
def test_what_the_operator_excepted_and_what_has_a_name_stays(url: str, settings: dict[str, tuple[str, ...]]) -> None:
    found = listable((Hit(url=url),), policy(**settings))
    assert ([hit.url for hit in found.documents], found.dropped, found.notes) == ([url], (), ())


def test_pictures_from_addresses_that_nobody_may_read_are_left_out_alone() -> None:
    good = {"image": "https://img.example/a.png", "favicon": "https://a.example/i.ico"}
    bad = {"image": "http://192.168.0.1/a.png", "favicon": "http://localhost/i.ico"}
    hits = (Hit(url="https://a.example/", **good), Hit(url="https://b.example/", **bad))
    kept, emptied = listable(hits, policy()).documents
    assert (kept.image, kept.favicon) == (good["image"], good["favicon"])
    assert (emptied.image, emptied.favicon) == ("", "")


def test_what_only_the_allowlist_keeps_from_being_read_stays_and_is_named() -> None:
    hosts = [f"site{number}.example" for number in range(7)]
    found = listable(
        [Hit(url=f"https://{host}/") for host in ("docs.example", *hosts)], policy(allow=("docs.example",))
    )
    assert len(found.documents) == 8
    [note] = found.notes
    assert note.startswith("unreadable here")
    assert "docs.example" not in note
    assert note.endswith("site4.example and 2 more")
