import base64
from urllib.parse import quote

import pytest

from websearch_guard.pii.find import find

VALUES = {
    "my ssn is {} what now": "219-44-7710",
    "is card {} stolen": "4532-0151-1283-0366",
    "who called me from {} yesterday": "617-682-5990",
    "who owns {} really": "jade.miller42@yahoo.com",
}
NAMES = {
    str(n): name
    for n, name in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
}
LOOK_ALIKES = str.maketrans("aeocpxiy", "\u0430\u0435\u043e\u0441\u0440\u0445\u0456\u0443")


def digits(value: str) -> str:
    return "".join(filter(str.isdigit, value))


SPELLINGS = {
    "zero width": "\u200b".join,
    "soft hyphens": "\u00ad".join,
    "full width": lambda v: "".join(chr(ord(c) + 0xFEE0) for c in v),
    "percent": lambda v: "".join(f"%{b:02X}" for b in v.encode()),
    "base64": lambda v: base64.b64encode(v.encode()).decode(),
    "look-alikes": lambda v: v.translate(LOOK_ALIKES),
}
OF_NUMBERS = {
    "arabic digits": lambda v: "".join(chr(0x660 + int(c)) if c.isdigit() else c for c in v),
    "devanagari digits": lambda v: "".join(chr(0x966 + int(c)) if c.isdigit() else c for c in v),
    "spaced": lambda v: " ".join(digits(v)),
    "dots": lambda v: ".".join(digits(v)),
    "dashes": lambda v: "-".join(digits(v)),
    "spelled out": lambda v: " ".join(NAMES[c] for c in digits(v)),
}
OF_MAIL = {
    "at and dot": lambda v: v.replace("@", " at ").replace(".", " dot "),
    "[at] and [dot]": lambda v: v.replace("@", "[at]").replace(".", "[dot]"),
}
CASES = [
    (sentence, value, name)
    for sentence, value in VALUES.items()
    for name in (*SPELLINGS, *(OF_MAIL if "@" in value else OF_NUMBERS))
]


@pytest.mark.parametrize(("sentence", "value", "name"), CASES)
def test_a_value_is_found_however_it_is_spelt(sentence: str, value: str, name: str) -> None:
    written = {**SPELLINGS, **OF_NUMBERS, **OF_MAIL}[name](value)
    text = sentence.format(written)
    spans = find(text)
    assert spans
    start, end = spans[0].start, spans[0].end
    left = text[:start] + text[end:]
    assert not any(c.isdigit() for c in left), "the whole value is in the span"
    assert sentence.split("{}")[1] in left


ADDRESSES = {
    "path": lambda t, v: f"https://example.com/{quote(t, safe='')}",
    "query": lambda t, v: f"https://example.com/s?hl=en&q={quote(t)}&page=2",
    "plus signs": lambda t, v: f"https://example.com/s?q={quote(t, safe='').replace('%20', '+')}",
    "twice escaped": lambda t, v: f"https://example.com/s?q={quote(quote(t, safe=''), safe='')}",
    "all escaped": lambda t, v: "https://example.com/s?q=" + "".join(f"%{b:02x}" for b in t.encode()),
    "fragment": lambda t, v: f"https://example.com/page#{quote(t)}",
    "base64": lambda t, v: f"https://example.com/c?d={base64.b64encode(t.encode()).decode()}",
    "base64 in the path": lambda t, v: (
        f"https://example.com/{base64.urlsafe_b64encode(t.encode()).decode().rstrip('=')}/x"
    ),
    "value in the path": lambda t, v: f"https://example.com/lookup/{quote(v, safe='')}",
    "value in the query": lambda t, v: f"https://example.com/lookup?id={quote(v, safe='')}",
    "value in the fragment": lambda t, v: f"https://example.com/lookup#{quote(v, safe='')}",
    "user": lambda t, v: f"https://{quote(v, safe='')}@example.com/",
}


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize(("sentence", "value"), VALUES.items())
def test_a_value_is_found_in_an_address(sentence: str, value: str, name: str) -> None:
    assert find(ADDRESSES[name](sentence.format(value), value), url=True)


@pytest.mark.parametrize(
    "address",
    [
        "https://example.com/ssn/219/44/7710",
        "https://example.com/ssn/219447710",
        "https://example.com/u?ssn=219447710",
        "https://example.com/u?userPhone=6176825990",
        "https://example.com/u?phone_number=6176825990",
        "https://example.com/pay/4532/0151/1283/0366",
        "https://example.com/unsubscribe?email=jane.doe%40acme-widgets.com",
        "https://bob:Tr0ub4dor3@example.com/",
        "https://example.com/u?password=Tr0ub4dor3",
        "https://example.com/s?q=DB_PASSWORD%3DuL6ai9Y9RyiMZC9y",
        "https://example.com/v1?api_key=fK39dkq0Zm2Lx8Qw7Tn5Vb1R",
        "https://219-44-7710.example.com/",
        "https://example.com/?k=ghp_Ae2LDmJqYq9XVNOGfi8f2oadRVJGiPWmH2tQ",
    ],
)
def test_names_and_shapes_of_an_address_count(address: str) -> None:
    assert find(address, url=True)
    assert find(f"read {address} please")


@pytest.mark.parametrize(
    "address",
    [
        "https://www.bbc.com/news/world-europe-68712345",
        "https://www.nytimes.com/2024/11/22/us/politics/senate-vote-123.html",
        "https://www.amazon.com/dp/B08N5WRWNW/ref=sr_1_3?crid=2M096C61O4MLT&keywords=phone+case&qid=1731600000&sr=8-3",
        "https://arxiv.org/abs/2401.12345",
        "https://github.com/python/cpython/commit/9fceb02d0ae598e95dc970b74767f19372d61af8",
        "https://docs.google.com/document/d/1aBcD3FgH1jKlMn0pQrStUvWxYz123456789AbCdEfGh/edit#heading=h.abc123def456",
        "https://twitter.com/nasa/status/1793456789012345678",
        "https://www.facebook.com/photo/?fbid=102345678901234&set=a.987654321098765",
        "https://stackoverflow.com/questions/12345678/validate-phone-number-regex#12345679",
        "https://www.isbnsearch.org/isbn/9783161484100",
        "https://maps.google.com/?q=40.712812,-73.987853&z=15",
        "https://web.archive.org/web/20240115123456/http://example.com/page",
        "https://www.usps.com/track?tLabels=9400111899223197428490",
        "https://www.otto.de/p/handy-huelle-6175551234/#variationId=6175551234",
        "https://www.cnn.com/2024/11/15/tech/password-is-123456-study/index.html",
        "https://www.zillow.com/homedetails/123-Main-St-Springfield-IL-62704/12345678_zpid/",
        "https://medium.com/@johnsmith/how-i-built-this-1a2b3c4d5e6f",
        "https://www.aliexpress.com/item/1005006283174951.html",
        "https://example.com/login?password_reset=true&token=fK39dkq0Zm2Lx8Qw7Tn5Vb1R",
        "https://example.com/",
    ],
)
def test_an_ordinary_address_is_let_be(address: str) -> None:
    assert find(address, url=True) == ()
