"""Lists as text: what is taken, what is refused."""

from __future__ import annotations

import pytest

from websearch_core.kit import UnexpectedResponse
from websearch_popularity.hashed_names import HashedNames
from websearch_popularity.list_parser import own_names, packed_ranking

SALT = bytes(16)


def listed(count: int) -> list[str]:
    return [f"site-{number}.example" for number in range(count)]


def read(lines: list[str], bucket: int = 200) -> HashedNames:
    return HashedNames(packed_ranking("".join(f"{line}\n" for line in lines).encode(), bucket, SALT), SALT)


def test_a_list_with_its_heading_is_read() -> None:
    names = read(["domain", *listed(200)])
    assert len(names) == 200
    assert "site-7.example" in names
    assert "domain" not in names


def test_spellings_blank_lines_and_other_line_ends_do_not_matter() -> None:
    names = read(["Domain\r", " Site-1.EXAMPLE. \r", "", "site-1.example", "b\u00fccher.example", *listed(100)])
    assert len(names) == 101
    assert "site-1.example" in names
    assert "xn--bcher-kva.example" in names


def test_a_last_line_that_does_not_end_is_left_out() -> None:
    """`bank.co` may be the beginning of `bank.com`."""
    names = HashedNames(packed_ranking("\n".join([*listed(100), "bank.co"]).encode(), 200, SALT), SALT)
    assert "site-99.example" in names
    assert "bank.co" not in names


@pytest.mark.parametrize("odd", ["-", "a b", "localhost", "127.0.0.1", "<p>", "a,b.example", "\u2603" * 300])
def test_a_few_odd_lines_are_passed_over_but_not_more_than_a_tenth(odd: str) -> None:
    assert len(read([*listed(180), *[odd] * 20])) == 180
    with pytest.raises(UnexpectedResponse):
        read([*listed(179), *[odd] * 21])


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"domain\n",
        b"\n" * 1000,
        b"<!doctype html>\n<title>Log in</title>\n" * 50,
        b'{"success":false,"errors":[{"code":10000}]}\n',
        b"a" * 2_000_000 + b"\n",
        b"\x00\xff\xfe" * 1000,
    ],
)
def test_what_is_no_list_is_refused(text: bytes) -> None:
    with pytest.raises(UnexpectedResponse):
        packed_ranking(text, 200, SALT)


def test_a_list_much_shorter_than_its_name_says_is_refused() -> None:
    assert len(read(listed(100), bucket=1000)) == 100
    with pytest.raises(UnexpectedResponse):
        read(listed(99), bucket=1000)
    with pytest.raises(UnexpectedResponse):
        read(["same.example"] * 200, bucket=1000)


def test_a_list_much_longer_than_its_name_says_is_refused() -> None:
    assert len(read(listed(220), bucket=200)) == 220
    with pytest.raises(UnexpectedResponse):
        read(listed(221), bucket=200)


def test_an_operators_list_has_comments_and_no_mistakes() -> None:
    assert list(own_names("# mine\n\nA.example # b\n c.example.")) == ["a.example", "c.example"]
    with pytest.raises(ValueError, match="line 2"):
        list(own_names("a.example\nhttps://b.example/\n"))
