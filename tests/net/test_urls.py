"""Addresses in every spelling."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.kit import InvalidRequest, Refused
from websearch_core.net import urls
from websearch_core.net.urls import Target, join, parse


def spellings(ip: IPv4Address) -> list[str]:
    value = int(ip)
    a, b, c, d = ip.packed
    return [
        str(ip),
        f"{ip}.",
        str(value),
        hex(value),
        hex(value).upper(),
        f"0{value:o}",
        f"{a}.{value & 0xFFFFFF}",
        f"{a}.{b}.{value & 0xFFFF}",
        f"0x{a:x}.0x{b:x}.0{c:o}.{d}",
        f"0{a:o}.0{b:o}.0{c:o}.0{d:o}",
        f"000000{a:o}.{b}.{c}.0x0000{d:X}",
        "".join(chr(ord("\uff10") + int(digit)) if digit.isdigit() else "。" for digit in str(ip)),
        f"{a}%2E{b}%2e{c}.{d}",
    ]


@given(st.ip_addresses(v=4))
def test_every_spelling_of_an_ipv4_literal_is_the_same_address(ip: IPv4Address) -> None:
    for spelling in spellings(ip):
        target = parse(f"http://{spelling}/")
        assert (spelling, target.literal, target.host) == (spelling, ip, str(ip))


@pytest.mark.parametrize(
    "host",
    [
        "256.1.1.1",
        "1.2.3.4.5",
        "1.2.3.256",
        "0x100000000",
        "4294967296",
        "09.1.1.1",
        "a.1",
        "example.0x7f",
        "0o177.1",
        "0x0x7f.1",
    ],
)
def test_a_host_that_ends_in_a_number_and_is_no_address_is_invalid(host: str) -> None:
    with pytest.raises(InvalidRequest):
        parse(f"http://{host}/")


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("HTTP://EXAMPLE.com", "http://example.com/"),
        ("  https://example.com.:443/a?b#c ", "https://example.com/a?b"),
        ("http://example.com:8080", "http://example.com:8080/"),
        ("https://münchen.de/straße?q=ü", "https://xn--mnchen-3ya.de/stra%C3%9Fe?q=%C3%BC"),
        ("http://ex%61mple.com/", "http://example.com/"),
        ("http://loc\u00adalhost.example.com/", "http://localhost.example.com/"),
        ("http://\uff45\uff58\uff41\uff4d\uff50\uff4c\uff45.com/", "http://example.com/"),
        ("http://example.com/a/../b/./c", "http://example.com/b/c"),
        ("http://example.com/a/%2e%2E/b/..", "http://example.com/"),
        ("http://example.com\\@evil.com/", "http://example.com/@evil.com/"),
        ('http://example.com/a b"<>', "http://example.com/a%20b%22%3C%3E"),
        ("http://example.com/100%", "http://example.com/100%"),
        ("http://example.com?a=1", "http://example.com/?a=1"),
        ("http://[2606:4700:0:0::1111]:81/x", "http://[2606:4700::1111]:81/x"),
        ("http://a_b.example.com/", "http://a_b.example.com/"),
    ],
)
def test_an_address_is_read_as_browsers_do(url: str, normal: str) -> None:
    assert parse(url).url == normal
    assert parse(normal).url == normal


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://example.com/", "file:///etc/passwd", "javascript:alert(1)", "gopher://x/", "data:text/html,x"),
        *("http://user@example.com/", "http://user:secret@example.com/", "http://@example.com/", "http://a@b@c.com/"),
    ],
)
def test_other_schemes_and_user_names_are_refused(url: str) -> None:
    with pytest.raises(Refused):
        parse(url)


@pytest.mark.parametrize(
    "url",
    [
        *(
            "",
            "example.com",
            "//example.com/",
            "http:example.com",
            "http:/example.com",
            "http://",
            "http:///x",
            "http://.",
        ),
        *("http://a..b/", "http://exa mple.com/", "http://example.com:99999/", "http://example.com:0/", "http://a:b/"),
        *("http://[::1/", "http://[::1%25eth0]/", "http://[fe80::1%eth0]/", "http://::1/", "http://[1.2.3.4]/"),
        *(
            "http://exa\nmple.com/",
            "http://example.com/\0x",
            "http://%ff.com/",
            "http://a%00b.com/",
            "http://a/b\ud800",
        ),
        *("http://" + "a" * 64 + ".com/", "http://" + "a." * 130 + "com/", "http://x.com/" + "a" * 9000),
        *("http://x.com/" + "ü" * 3000, "http://x.com:\uff18\uff10/", "http://xn--\u2260.com/", "http://a|b.com/"),
    ],
)
def test_what_is_no_address_is_invalid(url: str) -> None:
    with pytest.raises(InvalidRequest):
        parse(url)


@given(st.text())
def test_any_text_is_an_address_or_one_of_our_errors(text: str) -> None:
    for candidate in (text, f"http://{text}", f"https://example.com/{text}"):
        try:
            target = parse(candidate)
        except (InvalidRequest, Refused):
            continue
        assert target.url.isascii()
        assert parse(target.url) == target


PIECES = st.sampled_from(
    (
        *("a", "www.", "b-c.", "d_e.", "example.com", "com", "0x1", "1.2", "9", "A", "ü", ".", "..", "/", "/.", "%2e"),
        *("%2F", "//", "?", "#", "'", '"', "\\", "&x=1", "[", "|", "^", "`", "{", "+", " ", ":80", "@", "\n", "x" * 64),
    )
)


@given(st.sampled_from(("http://", "https://", "HTTP://")), st.lists(PIECES, max_size=8).map("".join))
def test_a_plain_address_is_read_as_any_other(scheme: str, rest: str) -> None:
    def outcome(read: Callable[[str], Target]) -> object:
        try:
            return read(scheme + rest)
        except (InvalidRequest, Refused) as error:
            return type(error), str(error)

    assert outcome(urls.parse) == outcome(urls._read)


@pytest.mark.parametrize(
    ("reference", "url"),
    [
        ("/x", "https://example.com/x"),
        ("x?y", "https://example.com/a/x?y"),
        ("../x", "https://example.com/x"),
        ("?q", "https://example.com/a/b?q"),
        ("//other.com/x", "https://other.com/x"),
        ("\\\\other.com\\x", "https://other.com/x"),
        ("http://other.com", "http://other.com/"),
        ("", "https://example.com/a/b"),
    ],
)
def test_a_reference_is_read_against_its_page(reference: str, url: str) -> None:
    assert join(parse("https://example.com/a/b"), reference).url == url


@pytest.mark.parametrize(
    ("url", "fine"),
    [
        (f"http://example.com/{'a' * (8192 - 19)}", True),
        (f"http://example.com/{'a' * (8192 - 18)}", False),
        (f"http://example.com/?b={'ü' * 1361}", True),  # six characters each, as sent
        (f"http://example.com/?b={'ü' * 2100}", False),
        (f"http://{'a' * 63}.example.com/", True),
        (f"http://{'a' * 64}.example.com/", False),
        (f"http://{'.'.join(['a' * 49] * 5)}.co/", True),
        (f"http://{'.'.join(['a' * 49] * 5)}.com/", True),
        (f"http://{'.'.join(['a' * 50] * 5)}.com/", False),
        ("http://example.com:1/", True),
        ("http://example.com:0/", False),
        ("http://example.com:65535/", True),
        ("http://example.com:65536/", False),
        ("http://example.com:/", True),
        ("http://[::1/", False),
        ("http://::1/", False),
    ],
)
def test_addresses_at_the_limits_of_their_parts(url: str, fine: bool) -> None:
    if fine:
        assert parse(url).url
    else:
        with pytest.raises(InvalidRequest):
            parse(url)
