"""Which spellings are one page, and which are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.asking.search.canonical_url import canonical
from websearch_core.contract.errors import BackendError

SAME = [
    "https://example.com/a/b?x=1",
    "http://example.com/a/b?x=1",
    "HTTPS://EXAMPLE.com/a/b?x=1",
    "https://www.example.com/a/b?x=1",
    "https://example.com./a/b?x=1",
    "https://example.com:443/a/b?x=1",
    "http://example.com:80/a/b?x=1",
    "https://example.com/a/b/?x=1",
    "https://example.com/a/./c/../b?x=1",
    "https://example.com/%61/b?x=1",
    "https://example.com/a/b?x=1#part",
    "https://example.com/a/b?x=1#:~:text=word",
    "https://example.com/a/b?utm_source=n&x=1&utm_medium=m&UTM_Campaign=c",
    "https://example.com/a/b?gclid=1&x=1&fbclid=2&msclkid=3&mc_eid=4&igshid=5&yclid=6",
    "https://example.com/a/b/amp?x=1",
    "https://example.com/a/b/amp/?x=1",
    "https://example.com/a/b?x=1&amp=1",
    "https://example.com/a/b?amp&x=1",
    "https://amp.example.com/a/b?x=1",
    "https://example-com.cdn.ampproject.org/c/s/example.com/a/b?x=1",
    "https://www.google.com/amp/s/example.com/a/b?x=1",
    "https://www.google.com/amp/example.com/a/b?x=1",
]

DIFFERENT = [
    "https://example.com/a/b",
    "https://example.com/a/B?x=1",
    "https://example.com/a/b?x=2",
    "https://example.com/a/b?x=1&ref=one",
    "https://example.com/a/b?x=1&source=one",
    "https://example.com:8443/a/b?x=1",
    "http://example.com:443/a/b?x=1",
    "https://docs.example.com/a/b?x=1",
    "https://amp.com/a/b?x=1",
    "https://example.com/amp/b?x=1",
    "https://example.com/a%2Fb?x=1",
    "https://wwwexample.com/a/b?x=1",
]


@pytest.mark.parametrize("url", SAME)
def test_spellings_of_one_page_have_one_key(url: str) -> None:
    assert canonical(url) == canonical(SAME[0])


def test_other_pages_have_other_keys() -> None:
    assert len({canonical(url) for url in [SAME[0], *DIFFERENT]}) == len(DIFFERENT) + 1


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("https://example.com/story.amp.html", "https://example.com/story.html"),
        ("https://example.com/story.amp", "https://example.com/story"),
        ("https://example.com", "https://example.com/"),
        ("https://bücher.example/", "https://xn--bcher-kva.example"),
        ("https://example.com/caf%c3%a9", "https://example.com/café"),
    ],
)
def test_pairs_of_one_page(url: str, plain: str) -> None:
    assert canonical(url) == canonical(plain)


@pytest.mark.parametrize("url", ["", "example.com", "ftp://example.com", "javascript:alert(1)", "https://", "data:,x"])
def test_what_is_no_web_address_has_no_key(url: str) -> None:
    with pytest.raises(BackendError):
        canonical(url)


@given(st.from_regex(r"https?://[a-z]{1,8}\.(com|org)(:[0-9]{1,4})?(/[a-zA-Z0-9.%~-]{0,6}){0,4}(\?[a-z=&0-9]{0,12})?"))
def test_the_key_as_an_address_has_the_same_key(url: str) -> None:
    try:
        key = canonical(url)
    except BackendError:
        return
    port_443 = key.partition("/")[0].endswith(":443")
    assert canonical(f"{'http' if port_443 else 'https'}://{key}") == key
