"""What is read of an address, and what is not read at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_popularity.url_place import UrlPlace, host_name, place

LABEL = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?", fullmatch=True)
HOST = st.builds(lambda labels, top: ".".join([*labels, top]), st.lists(LABEL, min_size=1, max_size=4), st.just("test"))


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://example.com/", "example.com"),
        ("HTTPS://EXAMPLE.COM", "example.com"),
        ("https://example.com./a", "example.com"),
        ("https://example.com:443/a", "example.com"),
        ("http://example.com:80", "example.com"),
        ("https://example.com:", "example.com"),
        ("https://example.com?q=1", "example.com"),
        ("https://example.com#top", "example.com"),
        ("https://b\u00fccher.example/", "xn--bcher-kva.example"),
        ("https://XN--BCHER-KVA.example/", "xn--bcher-kva.example"),
        ("https://stra\u00dfe.example/", "xn--strae-oqa.example"),
        ("https://\uff45xample.com/", "example.com"),
        ("https://example\u3002com/", "example.com"),
        ("https://_dmarc.example.com/", "_dmarc.example.com"),
    ],
)
def test_a_host_has_one_spelling(address: str, host: str) -> None:
    found = place(address)
    assert found is not None
    assert found.host == host


@pytest.mark.parametrize(
    "address",
    [
        "https://user@example.com/",
        "https://user:word@example.com/",
        "https://example.com:8443/",
        "https://example.com:80/",
        "http://example.com:443/",
        "https://example.com:443443/",
        "https://example.com:x/",
        "https://example.com../",
        "https://.example.com/",
        "https://a..example.com/",
        "https://127.0.0.1/",
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://example.0x7f/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://localhost/",
        "https://ex%61mple.com/",
        "https://example.com\\@other.test/",
        "https://exa\tmple.com/",
        "https://exa mple.com/",
        "https://example.com/a\nb",
        "https:/example.com/",
        "https:example.com",
        "//example.com/",
        "ftp://example.com/",
        "javascript://example.com/%0aalert(1)",
        "https://",
        "",
        "https://-example.com/",
        "https://example-.com/",
        "https://" + "a" * 64 + ".com/",
        "https://" + "a." * 127 + "com/",
        "https://example.com/" + "a" * 9000,
        "https://\u200b.com/",
        "https://e.test/a/../x",
        "https://e.test/forum/1/..%2f..%2fnews",
        "https://e.test/forum/1/%2e%2e/%2e%2e/news",
        "https://e.test/forum/1/..;/..;/news",
        "https://e.test/a%2525252fforum",
        "https://e.test/a?to=%2525252f%2525252fother.test",
        "https://e.test/forum%00/x",
        "https://e.test/forum%C2%A0/x",
        "https://e.test/\u202emurof",
        "https://e.test/forum/1/..%255C..%255Cnews",
    ],
)
def test_what_could_be_read_in_two_ways_is_not_read(address: str) -> None:
    assert place(address) is None


@pytest.mark.parametrize(
    ("address", "segments", "query"),
    [
        ("https://e.test/A/B.html", ("a", "b.html"), ""),
        ("https://e.test/%77iki/x", ("wiki", "x"), ""),
        ("https://e.test/%2577iki/x", ("wiki", "x"), ""),
        ("https://e.test/wiki/./x/", ("wiki", "x"), ""),
        ("https://e.test//a//b", ("a", "b"), ""),
        ("https://e.test/a%2Fforum", ("a", "forum"), ""),
        ("https://e.test/a%5Cforum", ("a", "forum"), ""),
        ("https://e.test/forum;sid=1/x", ("forum", "x"), ""),
        ("https://e.test?U=HTTPS%3A%2F%2Fx.test", (), "u=https://x.test"),
        ("https://e.test/a?b#c?d", ("a",), "b"),
    ],
)
def test_paths_and_queries_are_read_as_a_careless_server_would(
    address: str, segments: tuple[str, ...], query: str
) -> None:
    found = place(address)
    assert found is not None
    assert found[:3] == UrlPlace("e.test", segments, query)[:3]


def test_what_may_be_encoded_keeps_its_case() -> None:
    found = place("https://e.test/A%2542?U=aHR0%63A")
    assert found is not None
    assert found.written == ("/AB", "U=aHR0cA")


@given(HOST)
def test_the_spelling_of_a_host_does_not_matter(host: str) -> None:
    expected = host_name(host)
    for spelling in (host.upper(), f"{host}.", host.title()):
        assert host_name(spelling) == expected
    assert expected in ("", host)


@given(st.text(max_size=40))
def test_a_normal_host_stays_as_it_is(text: str) -> None:
    name = host_name(text)
    assert host_name(name) == name
    assert name.isascii()
    assert name == name.lower()
    assert not name or ("." in name and not name.endswith("."))


@given(st.text(max_size=60))
def test_no_text_is_an_error(text: str) -> None:
    for address in (text, f"https://{text}", f"https://e.test/{text}"):
        found = place(address)
        assert found is None or found.host == host_name(found.host) != ""


@given(HOST, st.text(alphabet="abc@:/?#\\%.[] ", max_size=12))
def test_only_the_authority_names_the_host(host: str, tail: str) -> None:
    found = place(f"https://{host}/{tail}")
    assert found is None or found.host == host
