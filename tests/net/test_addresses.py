"""The table of address classes, as properties."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from websearch_core.net.addresses import Exceptions, why_refused

REFUSED_V4 = {
    "0.0.0.0/8": "unspecified",
    "10.0.0.0/8": "private",
    "100.64.0.0/10": "carrier-grade NAT",
    "127.0.0.0/8": "loopback",
    "169.254.0.0/16": "link-local",
    "172.16.0.0/12": "private",
    "192.0.0.0/24": "reserved",
    "192.0.2.0/24": "documentation",
    "192.88.99.0/24": "reserved",
    "192.168.0.0/16": "private",
    "198.18.0.0/15": "benchmarking",
    "198.51.100.0/24": "documentation",
    "203.0.113.0/24": "documentation",
    "224.0.0.0/4": "multicast",
    "240.0.0.0/4": "reserved",
}
REFUSED_V6 = {
    "::/96": None,
    "64:ff9b:1::/48": "local NAT64",
    "100::/64": "discard",
    "2001::/32": "Teredo",
    "2001:2::/48": "benchmarking",
    "2001::/23": None,
    "2001:db8::/32": "documentation",
    "3fff::/20": "documentation",
    "5f00::/16": "reserved",
    "4000::/3": "reserved",
    "fc00::/7": "unique local",
    "fe80::/10": "link-local",
    "fec0::/10": "site-local",
    "ff00::/8": "multicast",
}
V4 = st.ip_addresses(v=4)


def within(network: str) -> st.SearchStrategy[IPv4Address | IPv6Address]:
    return st.ip_addresses(network=network)


@pytest.mark.parametrize("network", REFUSED_V4)
def test_every_address_of_a_refused_ipv4_network_is_refused_by_its_class(network: str) -> None:
    @given(within(network))
    def holds(ip: IPv4Address | IPv6Address) -> None:
        assert why_refused(ip) == REFUSED_V4[network]

    holds()
    for edge in (IPv4Network(network)[0], IPv4Network(network)[-1]):
        assert why_refused(edge) == REFUSED_V4[network]


@pytest.mark.parametrize("network", REFUSED_V6)
def test_every_address_of_a_refused_ipv6_network_is_refused(network: str) -> None:
    @given(within(network))
    def holds(ip: IPv4Address | IPv6Address) -> None:
        reason = why_refused(ip)
        assert reason is not None
        assert REFUSED_V6[network] in (None, reason)

    holds()
    for edge in (IPv6Network(network)[0], IPv6Network(network)[-1]):
        assert why_refused(edge) is not None


@given(V4)
def test_what_python_calls_not_global_is_refused(ip: IPv4Address) -> None:
    if not ip.is_global or ip.is_multicast or ip.is_reserved:
        assert why_refused(ip) is not None


@given(st.ip_addresses(v=6))
def test_what_python_calls_not_global_is_refused_in_ipv6(ip: IPv6Address) -> None:
    # Pythons differ on addresses that embed another; those are judged by it, see the next test
    embeds = ip.ipv4_mapped or ip.sixtofour or ip in IPv6Network("64:ff9b::/96")
    if embeds:
        return
    if not ip.is_global or ip.is_multicast or ip.is_site_local:
        assert why_refused(ip) is not None


@pytest.mark.parametrize(
    ("form", "shift"), [("::ffff:0:0", 0), ("64:ff9b::", 0), ("2002::", 80)], ids=["mapped", "NAT64", "6to4"]
)
def test_an_embedded_ipv4_address_is_judged_as_itself(form: str, shift: int) -> None:
    @given(V4)
    def holds(ip: IPv4Address) -> None:
        outer = IPv6Address(int(IPv6Address(form)) | int(ip) << shift)
        assert (why_refused(outer) is None) == (why_refused(ip) is None)

    holds()


@given(V4)
def test_forms_that_nobody_routes_are_refused_whatever_they_embed(ip: IPv4Address) -> None:
    assert why_refused(IPv6Address(int(ip))) is not None
    teredo = int(IPv6Address("2001::")) | 0x0808_0808 << 64 | (int(ip) ^ 0xFFFF_FFFF)
    assert why_refused(IPv6Address(teredo)) is not None


@pytest.mark.parametrize(
    "text", ["8.8.8.8", "1.1.1.1", "93.184.215.14", "2606:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8"]
)
def test_public_addresses_are_not_refused(text: str) -> None:
    from ipaddress import ip_address

    assert why_refused(ip_address(text)) is None


def test_an_address_with_a_zone_is_refused() -> None:
    assert why_refused(IPv6Address("2606:4700::1%eth0")) == "scoped"


@pytest.mark.parametrize(
    ("entry", "address", "port", "host", "allowed"),
    [
        ("10.1.0.0/16", "10.1.255.1", 443, "", True),
        ("10.1.0.0/16", "10.2.0.1", 443, "", False),
        ("10.1.2.3", "10.1.2.3", 1, "", True),
        ("127.0.0.1:8099", "127.0.0.1", 8099, "", True),
        ("127.0.0.1:8099", "127.0.0.1", 8098, "", False),
        ("127.0.0.1:8099", "127.0.0.2", 8099, "", False),
        ("127.0.0.1:8099", "::ffff:127.0.0.1", 8099, "", False),
        ("[::1]:8099", "::1", 8099, "", True),
        ("[::1]:8099", "::1", 80, "", False),
        ("::1", "::1", 80, "", True),
        ("fd00::/8", "fd12::1", 80, "", True),
        ("wiki.corp:8080", "10.0.0.1", 8080, "wiki.corp", True),
        ("wiki.corp:8080", "10.0.0.1", 80, "wiki.corp", False),
        ("wiki.corp", "10.0.0.1", 80, "wiki.corp", True),
        ("wiki.corp", "10.0.0.1", 80, "a.wiki.corp", False),
    ],
)
def test_exceptions_are_exact(entry: str, address: str, port: int, host: str, allowed: bool) -> None:
    from ipaddress import ip_address

    assert Exceptions([entry]).allows(ip_address(address), port, host) is allowed


@pytest.mark.parametrize(
    "entry",
    [
        "0.0.0.0/0",
        "::/0",
        "10.0.0.0/7",
        "10.1.0.1/16",
        "",
        "10.1.2.3:0",
        "10.1.2.3:x",
        "10.1.2.3:",
        "[::1]:",
        "[::1]:70000",
        "*.corp",
        "http://x",
    ],
)
def test_a_malformed_or_far_too_wide_exception_is_an_error_that_names_it(entry: str) -> None:
    with pytest.raises(ValueError) as error:
        Exceptions([entry])
    assert repr(entry) in str(error.value)


@given(V4, V4)
def test_no_exceptions_allow_nothing(ip: IPv4Address, other: IPv4Address) -> None:
    assume(ip != other)
    assert not Exceptions([]).allows(ip, 80)
    assert not Exceptions([str(other)]).allows(ip, 80)
