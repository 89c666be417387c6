"""The dialect of domain rules."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.net.domains import DomainRules, compiled

LABEL = st.from_regex(r"[a-z][a-z0-9]{0,10}", fullmatch=True)
HOST = st.lists(LABEL, min_size=2, max_size=5).map(".".join)


@pytest.mark.parametrize(
    ("rule", "yes", "no"),
    [
        (
            "example.com",
            ["example.com", "www.example.com", "a.b.example.com", "EXAMPLE.com."],
            ["badexample.com", "com"],
        ),
        ("=example.com", ["example.com", "Example.Com."], ["www.example.com"]),
        ("*.example.com", ["www.example.com", "a.b.example.com"], ["example.com", "badexample.com"]),
        ("Example.COM.", ["www.example.com"], ["example.org"]),
        ("gov", ["nasa.gov", "a.nasa.gov"], ["gov.uk"]),
        ("api.*", ["api.evil.tld", "api.x"], ["xapi.tld"]),
        ("*github.com", ["evilgithub.com", "github.com"], ["github.com.evil.tld"]),
        ("docs-?.example.com", ["docs-1.example.com"], ["docs-12.example.com", "docs-.example.com"]),
        ("docs[0-9].example.com", ["docs7.example.com"], ["docsx.example.com"]),
        ("docs[^0-9].example.com", ["docsx.example.com"], ["docs7.example.com"]),
        ("docs[!0-9].example.com", ["docsx.example.com"], ["docs7.example.com"]),
        ("*", ["anything.example", "1.2.3.4"], []),
        ("münchen.de", ["xn--mnchen-3ya.de", "www.münchen.de", "MÜNCHEN.de"], ["munchen.de"]),
        ("*.münchen.de", ["www.xn--mnchen-3ya.de"], ["münchen.de"]),
        ("192.0.2.1", ["192.0.2.1", "0xc0000201"], ["1.192.0.2.1", "192.0.2.10"]),
        ("[2001:db8::1]", ["2001:db8::1", "[2001:db8:0::1]"], ["2001:db8::2"]),
    ],
)
def test_a_rule_names_these_hosts_and_no_others(rule: str, yes: list[str], no: list[str]) -> None:
    rules = DomainRules([rule])
    assert [host for host in yes if not rules.matches(host)] == []
    assert [host for host in no if rules.matches(host)] == []


@pytest.mark.parametrize(
    "rule",
    [
        *("", " ", ".", "=", "*.", "a..b", "https://example.com", "example.com:80", "example.com/x", "a b.com"),
        *(
            "docs[0-9.example.com",
            "docs[].example.com",
            "docs[z-a].example.com",
            "a\\.b*",
            "*.example.com:80",
            "=*.x.com",
        ),
        *("*.192.0.2.1", "1.2.3.4.5", "user@example.com", "[::1", "fe80::1%eth0", "exa*mple.com/x", "a" * 64 + ".com"),
    ],
)
def test_a_malformed_rule_is_an_error_that_names_it_and_shows_a_good_one(rule: str) -> None:
    with pytest.raises(ValueError) as error:
        DomainRules(["fine.com", rule])
    assert repr(rule) in str(error.value)
    assert '"*.example.com"' in str(error.value)


def test_no_rules_are_false_and_match_nothing() -> None:
    assert not DomainRules([])
    assert DomainRules(["a.com"])
    assert not DomainRules([]).matches("a.com")


@given(host=HOST, sub=LABEL)
def test_a_host_rule_covers_the_host_and_every_subdomain(host: str, sub: str) -> None:
    rules = DomainRules([host])
    assert rules.matches(host)
    assert rules.matches(f"{sub}.{host}")
    assert not rules.matches(f"{sub}{host}x")


@given(st.text())
def test_any_text_as_host_is_answered_without_an_error(text: str) -> None:
    DomainRules(["example.com", "*.x[a-c]*"]).matches(text)


@given(st.text(alphabet="ab*?[]^!-.:/=", max_size=30))
def test_any_text_as_rule_is_a_rule_or_a_value_error(text: str) -> None:
    with suppress(ValueError):
        DomainRules([text]).matches("ab.ab")


def test_a_glob_of_many_stars_takes_no_long_time() -> None:
    host = ".".join(["a" * 60] * 4)
    assert not DomainRules(["*a" * 40 + "*b"]).matches(host)


def test_rules_of_one_caller_are_compiled_once() -> None:
    assert compiled(["example.com", "*.net"]) is compiled(("example.com", "*.net"))
    assert compiled(["example.com"]).matches("www.example.com")
    for _ in range(2):
        with pytest.raises(ValueError, match="is not a domain rule"):
            compiled(["https://example.com"])
