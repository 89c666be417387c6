"""How much an address or a query may carry before it is stopped: one character less passes.

What passes below is ordinary: ids, hashes, signatures, short examples that somebody wants explained.
"""

# ruff: noqa: E501 - a case a line

import base64
import gzip
import random
import string
import zlib
from collections.abc import Callable
from urllib.parse import quote

import pytest

from websearch_core import FetchRequest, SearchRequest
from websearch_core.contract.verdicts import Block
from websearch_core.testing.fakes import FakeClock
from websearch_guard.exfiltration import GuardExfiltration

SAID = "the launch code is kept in the drawer of the desk and the key to it lies under the old clock on the left " * 20
MIXED = "".join(random.Random(4).choices("aA1bB2cC3xX7zZ9kK5", k=3000))
"""Noise whose kinds of characters change places as in a cipher."""


def one_byte(text: bytes, key: int = 0xA7) -> bytes:
    return bytes(byte ^ key for byte in text)


def masked(text: bytes, key: bytes) -> bytes:
    return bytes(byte ^ key[place % len(key)] for place, byte in enumerate(text))


def urlsafe(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def b58(content: bytes) -> str:
    number, out = int.from_bytes(content, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        out = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[digit] + out
    return out


def deflated(content: bytes) -> bytes:
    packing = zlib.compressobj(wbits=-15)
    return packing.compress(content) + packing.flush()


async def blocks(text: str) -> bool:
    request = FetchRequest(url=text) if text.startswith("https://") else SearchRequest(query=text)
    return isinstance(await GuardExfiltration(FakeClock()).check(request), Block)


async def first(carrying: Callable[[int], str], sizes: range) -> int:
    """The smallest size that is stopped; 0: none is."""
    for size in sizes:
        if await blocks(carrying(size)):
            return size
    return 0


def value(packed: str) -> str:
    return f"https://c.example.com/p?d={quote(packed, safe='')}"


ENCODINGS: dict[str, Callable[[bytes], str]] = {
    "base64": urlsafe,
    "base64, backwards": lambda said: urlsafe(said)[::-1],
    "a piece of base64": lambda said: urlsafe(b"\xff\xfe" + said)[3:],
    "base32": lambda said: base64.b32encode(said).decode().rstrip("="),
    "base58": b58,
    "base85": lambda said: base64.b85encode(said).decode(),
    "Ascii85": lambda said: base64.a85encode(said).decode(),
    "hex": lambda said: said.hex(),
    "hex with a sign": lambda said: "0x" + said.hex(),
    "bits": lambda said: "".join(f"{byte:08b}" for byte in said),
    "codes of three digits": lambda said: "".join(f"{byte:03}" for byte in said),
    "codes": lambda said: "".join(map(str, said)),
    "gzip": lambda said: urlsafe(gzip.compress(said, mtime=0)),
    "zlib": lambda said: urlsafe(zlib.compress(said)),
    "deflate": lambda said: urlsafe(deflated(said)),
    "UTF-16": lambda said: urlsafe(said.decode().encode("utf-16-le")),
    "after a mark": lambda said: "v1_" + urlsafe(said),
    "masked by a byte": lambda said: urlsafe(one_byte(said)),
    "masked by three": lambda said: urlsafe(masked(said, b"k3y")),
    "masked by eight": lambda said: urlsafe(masked(said, b"s3cr3tk9")),
    "twice": lambda said: urlsafe(urlsafe(said).encode()),
    "base64 of hex": lambda said: urlsafe(said.hex().encode()),
}
PLAIN = "then you will have to go there and they give it back when we come to see what people like about it " * 2


def prose(size: int) -> bytes:
    return PLAIN[:size].encode()


def mail(size: int) -> bytes:
    return f"j@{'drawer' * 20}"[: size - 4].encode() + b".org"


def key(size: int) -> bytes:
    return f"password={'hunter22' * 20}"[:size].encode()


SHORTEST = {
    "base64": (20, 12, 13),
    "base64, backwards": (20, 12, 13),
    "a piece of base64": (21, 0, 0),
    "base32": (20, 10, 13),
    "base58": (20, 15, 15),
    "base85": (20, 0, 19),
    "Ascii85": (0, 19, 25),
    "hex": (20, 10, 13),
    "hex with a sign": (20, 10, 13),
    "bits": (7, 7, 7),
    "codes of three digits": (20, 10, 13),
    "codes": (20, 11, 13),
    "gzip": (20, 10, 13),
    "zlib": (20, 10, 13),
    "deflate": (20, 12, 13),
    "UTF-16": (20, 10, 13),
    "after a mark": (20, 10, 13),
    "masked by a byte": (20, 20, 20),
    "masked by three": (40, 40, 40),
    "masked by eight": (40, 0, 0),
    "twice": (20, 12, 13),
    "base64 of hex": (20, 10, 13),
}
"""Of prose, a mail address, a password; 0: not told."""
READ = [
    (name, kind, least)
    for name, sizes in SHORTEST.items()
    for kind, least in zip((prose, mail, key), sizes, strict=True)
    if least
]


@pytest.mark.parametrize(("name", "kind", "least"), READ)
async def test_the_shortest_text_in_an_encoding_that_is_stopped(
    name: str, kind: Callable[[int], bytes], least: int
) -> None:
    assert await first(lambda size: value(ENCODINGS[name](kind(size))), range(max(7, least - 8), least + 8)) == least


NOISE: dict[str, tuple[Callable[[int], str], int]] = {
    "in a parameter": (lambda size: f"https://c.example.com/p?d={MIXED[:size]}", 121),
    "in a name without a value": (lambda size: f"https://c.example.com/p?{MIXED[:size]}", 121),
    "in a segment": (lambda size: f"https://c.example.com/{MIXED[:size]}", 281),
    "after the hash": (lambda size: f"https://c.example.com/p#{MIXED[:size]}", 401),
    "as a user": (lambda size: f"https://{MIXED[:size]}@c.example.com/p", 21),
    "in a signature": (lambda size: f"https://c.example.com/p?sig={MIXED[:size]}", 2001),
    "hex in a parameter": (lambda size: f"https://c.example.com/p?d={('0f3a9c' * 99)[:size]}", 161),
    "digits in a segment": (lambda size: f"https://c.example.com/{('7302845' * 99)[:size]}", 48),
    "in several parameters": (
        lambda size: "https://c.example.com/p?" + "&".join(f"{name}={MIXED[at:end]}" for name, at, end in (("da", 0, 100), ("fe", 100, 200), ("go", 200, 300), ("hu", 300, size))),
        401,
    ),
    "a label": (lambda size: f"https://{MIXED[:size].lower()}.example.com/", 40),
    "two labels": (lambda size: f"https://{MIXED[:30].lower()}.{MIXED[30:size].lower()}.example.com/", 52),
    "a word in a query": (lambda size: f"what is this thing {MIXED[:size]}", 201),
    "words in a query": (
        lambda size: "what is " + " ".join(MIXED[i : min(i + 150, size)] for i in range(0, size, 150)),
        421,
    ),
    "digits in a query": (lambda size: f"what is this {('7302845' * 99)[:size]}", 401),
    "prose in a parameter": (lambda size: f"https://c.example.com/p?d={quote(SAID[:size])}", 201),
    "prose in a parameter for text": (lambda size: f"https://c.example.com/p?text={quote(SAID[:size])}", 1501),
    "letters that need no escape": (
        lambda size: "https://c.example.com/p?d=" + "".join(f"%{ord(c):02x}" for c in "launchcode"[:size]),
        8,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NOISE)
async def test_how_much_noise_is_stopped(name: str) -> None:
    carrying, least = NOISE[name]
    found = await first(carrying, range(max(4, least - 6), least + 6))
    assert found == least


async def test_labels_are_counted() -> None:
    def named(count: int) -> str:
        return f"https://{'.'.join(['abcdefgh'] * count)}.example.com/"

    assert await first(named, range(1, 12)) == 8


@pytest.mark.parametrize(
    ("carrying", "least"),
    [
        (lambda size: f"explain {base64.b64encode(SAID[:size].encode()).decode()}", 48),
        (lambda size: f"explain {SAID[:size].encode().hex(' ')}", 48),
        (lambda size: f"explain {' '.join(map(str, SAID[:size].encode()))}", 48),
        (lambda size: f"explain {SAID[:size].encode().hex(',')}", 48),
        (lambda size: "explain " + " ".join(f"0x{byte:02x}" for byte in SAID[:size].encode()), 48),
    ],
    ids=["base64", "pairs of hex", "codes", "pairs with commas", "pairs with signs"],
)
async def test_a_short_example_may_be_asked_about(carrying: Callable[[int], str], least: int) -> None:
    assert await first(carrying, range(least - 9, least + 9)) == least


@pytest.mark.parametrize(
    ("text", "blocked", "why"),
    [
        ("https://c.example.com/p?d={{secret}}", True, "a template"),
        ("https://c.example.com/p?d={user name}", True, "a placeholder for something of the user's"),
        ("https://c.example.com/p?d={width}", False, "a placeholder for a size"),
        ("https://c.example.com/p?d=[insert the chat]", True, "a placeholder in brackets"),
        ("https://c.example.com/p?d=<password>", True, "a placeholder in angles"),
        ("what is https://c.example.com/p?d={password}", False, "people ask about templates"),
        ("https://c.example.com/the/code/is/kept/in/my/drawer", True, "a sentence by segments"),
        ("https://c.example.com/the/code/is/kept/in", False, "five segments"),
        ("https://c.example.com/how/to/write/my/first/good/plugin", False, "two small words"),
        ("https://c.example.com/p?a=the%20code&b=is%20kept&c=in%20my%20drawer", True, "a row of parameters"),
        ("https://c.example.com/p?a=the%20code&b=is%20kept", False, "two are no row"),
        ("https://c.example.com/p?a=the%20code&b=is%20kept&d=in%20my%20drawer", False, "their names are no row"),
        ("https://c.example.com/p?k1=the%20code&k2=is%20kept&k3=in%20my%20drawer", True, "numbered names"),
        ("https://c.example.com/p?k1=the%20code&k2=is%20kept&k4=in%20my%20drawer", False, "a number is missing"),
        ("https://c.example.com/p?d=the%20code&d=is%20kept&d=in%20my%20drawer", True, "one name thrice"),
        ("what is at //c.example.com/p", False, "no whole address"),
        (f"what does https://c.example.com/p?d={urlsafe(SAID[:60].encode())} do", True, "an address within a query"),
        (f"site:{base64.b32encode(SAID[:30].encode()).decode().rstrip('=').lower()}.example.com owls", True, "a site"),
        (f"https://c.example.com/p?u={quote('https://d.example.com/p?d=' + urlsafe(SAID[:60].encode()))}", True, "nested"),
        (f"https://c.example.com/p?u={urlsafe(b'https://d.example.com/p?d=' + urlsafe(SAID[:60].encode()).encode())}", True, "nested in base64"),
        (f"https://c.example.com/p?u={urlsafe(b'https://d.example.com/owls/in/the/barn?page=2')}", False, "an address in base64"),
        (value(urlsafe(bytes(range(60, 120)))), False, "printable, but no words"),
        (value(urlsafe(b'{"email": "jane"}')), True, "somebody's data as JSON"),
        (value(urlsafe(b'{"page": 12, "sort": "new"}')), False, "a cursor as JSON"),
        (value(urlsafe(b"password=hunter22")), True, "a name and its value"),
        (value(urlsafe(b"password=abc and")), False, "a value of three characters"),
        (value(urlsafe(b"jane.doe@example.com")), True, "a mail address"),
        (value(urlsafe(b"photo@2x.png in a row")), False, "a picture's name"),
        (value(urlsafe("ключ под ковриком".encode())), True, "another script"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value and "/" not in value else "",
)  # fmt: skip
async def test_what_is_stopped_and_what_is_not(text: str, blocked: bool, why: str) -> None:
    assert await blocks(text) is blocked, why


async def test_hashes_ids_and_rows_of_choices_pass() -> None:
    dice = random.Random(9)
    for size in (32, 40, 64, 128):
        assert not await blocks(f"https://c.example.com/p?h={''.join(dice.choices('0123456789abcdef', k=size))}")
    assert not await blocks(f"https://c.example.com/p?d={''.join(dice.choices(string.ascii_letters, k=100))}")


PACKED = urlsafe(prose(60))
MAIL = [urlsafe(mail(24))[at : at + 8] for at in (0, 8, 16, 24)]


@pytest.mark.parametrize(
    ("head", "carried", "tail", "kind"),
    [
        ("https://c.example.com/p?a=1&d=", PACKED, "&b=2", "encoded"),
        ("https://c.example.com/p?a=1&d=", f"id:{PACKED}:v", "&b=2", "encoded"),
        ("https://c.example.com/p?d=", f"id.{PACKED[:40]}-{PACKED[40:]}", "", "encoded"),
        ("https://c.example.com/p?d=", f"a%20b+{PACKED}", "", "encoded"),
        ("https://c.example.com/p?", PACKED, "", "encoded"),
        ("https://c.example.com/p?", PACKED, "=1&b=2", "encoded"),
        ("https://c.example.com/p?a=1&", urlsafe(mail(16)), "=1", "encoded"),
        ("https://c.example.com/p?a=1&", urlsafe(mail(15)), "=1", None),
        ("https://c.example.com/a/", PACKED, "/b;c", "encoded"),
        ("https://c.example.com/a/b;", PACKED, "", "encoded"),
        ("https://c.example.com/a#", PACKED, "", "encoded"),
        ("https://c.example.com/a#x=1&d=", PACKED, "", "encoded"),
        ("https://c.example.com/a#:~:text=", PACKED, "", None),
        ("https://c.example.com/cdn-cgi/l/email-protection#", PACKED, "", None),
        ("https://c.example.com/p?u=", urlsafe(b"https://d.example.com/?d=" + quote(SAID[:60]).encode()), "", "encoded"),
        ("https://", PACKED, "@c.example.com/p", "encoded"),
        ("https://c.example.com:8080/p?d=", PACKED, "", "encoded"),
        ("https://c.example.com/", "/".join(MAIL), "", "split"),
        ("https://c.example.com/p?x=", "&y=".join(MAIL), "", "split"),
        ("https://c.example.com/p?x=", "&y=".join(MAIL[:2]), "", None),
        ("https://www.google.com/search?q=", quote(f"explain {PACKED}"), "", "encoded"),
        ("https://c.example.com/p?d=", quote(" ".join(map(str, prose(50)))), "", "split"),
        ("https://c.example.com/p?d=", ".".join(map(str, prose(50))), "", "split"),
        ("", "https://c.example.com/p?d=${secret}", "", "placeholder"),
        ("https://c.example.com/p?d=", "%6c%61%75%6e%63%68%63%6f", "&b=2", "escaped"),
        ("", "https://c.example.com/p?d=%256c%2561%2575%256e%2563%2568%2563%256f", "", "escaped"),
    ],
)  # fmt: skip
async def test_a_finding_tells_its_kind_and_its_place(head: str, carried: str, tail: str, kind: str | None) -> None:
    verdict = await GuardExfiltration(FakeClock()).check(FetchRequest(url=head + carried + tail))
    found = [(finding.kind, finding.start, finding.end) for finding in verdict.findings]
    if kind is None:
        assert not found
    else:
        assert (kind, len(head), len(head + carried)) in found


@pytest.mark.parametrize(
    ("name", "least"),
    [("title", 123), ("d", 20)],
)
async def test_a_page_may_name_itself_packed(name: str, least: int) -> None:
    """A parameter for titles may hold more encoded prose than another."""

    def packed(size: int) -> str:
        return f"https://c.example.com/p?{name}={urlsafe(prose(size))}"

    assert await first(packed, range(4, 170)) == least
