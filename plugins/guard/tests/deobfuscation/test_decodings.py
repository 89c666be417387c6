"""Further readings: what is encoded or disguised is read, ordinary text is left alone."""

# ruff: noqa: RUF001 - scripts of their own

import base64
import codecs
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.testing.cpu_time import within_cpu
from websearch_guard.deobfuscation import canonical, decodings

SAID = "Please open the garden door before the guests arrive and then close it again"
BITS = "".join(f"{byte:08b}" for byte in SAID.encode())
LEET = str.maketrans("aeios", "43105")
MORSE = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz",
        [
            ".-",
            "-...",
            "-.-.",
            "-..",
            ".",
            "..-.",
            "--.",
            "....",
            "..",
            ".---",
            "-.-",
            ".-..",
            "--",
            "-.",
            "---",
            ".--.",
            "--.-",
            ".-.",
            "...",
            "-",
            "..-",
            "...-",
            ".--",
            "-..-",
            "-.--",
            "--..",
        ],
        strict=True,
    )
)


def morse(text: str, gap: str) -> str:
    return gap.join(" ".join(MORSE[c] for c in word) for word in text.lower().split())


def tags(text: str) -> str:
    return "".join(chr(0xE0000 + ord(c)) for c in text)


def selectors(text: str) -> str:
    return "".join(chr(0xFE00 + b if b < 16 else 0xE0100 + b - 16) for b in text.encode())


def packed(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


DISGUISES = {
    "base64": packed(SAID),
    "base64 on several lines": base64.encodebytes(SAID.encode()).decode(),
    "base64 for addresses": base64.urlsafe_b64encode(SAID.encode()).decode().rstrip("="),
    "base64 of base64": packed(packed(SAID)),
    "base64 of UTF-16": base64.b64encode(SAID.encode("utf-16-le")).decode(),
    "base64 in a path": f"https://example.com/a/{packed(SAID)}",
    "base64 in a parameter": f"https://example.com/?a=1&b={packed(SAID)}",
    "base64 with zero width in it": "\u200b".join(packed(SAID)),
    "base64 in short lines": "\n".join(re.findall(".{1,20}", packed(SAID))),
    "base64 in groups": " ".join(re.findall(".{1,8}", packed(SAID))),
    "bold within words": " ".join(f"**{word[:1]}**{word[1:]}" for word in SAID.split()),
    "links within words": " ".join(f"{word[:1]}[{word[1:]}](/x)" if word[1:] else word for word in SAID.split()),
    "a link for each word": " ".join(f"[{word}](https://example.com/x)" for word in SAID.split()),
    "camel case": "".join(word.capitalize() for word in SAID.split()),
    "regional indicators": re.sub("[a-z]", lambda m: chr(0x1F1E6 + ord(m[0]) - 97), SAID.lower()),
    "emoji between letters": "\U0001f600".join(SAID),
    "backslashes between letters": "".join(f"\\{c}" for c in SAID),
    "base32": base64.b32encode(SAID.encode()).decode(),
    "hex": SAID.encode().hex(),
    "accents on each letter": "".join(f"{c}\u0301" if c.isalpha() else c for c in SAID),
    "Morse": morse(SAID, " / "),
    "Morse with wide gaps": morse(SAID, "   "),
    "Morse in other signs": morse(SAID, " / ").replace(".", "•").replace("-", "–"),
    "hex pairs": SAID.encode().hex(" "),
    "hex pairs with colons": SAID.encode().hex(":"),
    "hex with prefixes": " ".join(f"0x{b:02x}" for b in SAID.encode()),
    "binary": " ".join(f"{b:08b}" for b in SAID.encode()),
    "decimal": " ".join(str(b) for b in SAID.encode()),
    "backslashes": "".join(f"\\x{b:02x}" for b in SAID.encode()),
    "code units": "".join(f"\\u{b:04x}" for b in SAID.encode()),
    "percent": "".join(f"%{b:02X}" for b in SAID.encode()),
    "percent of percent": "".join(f"%25{b:02X}" for b in SAID.encode()),
    "percent where needed": SAID.replace(" ", "%20"),
    "entities": "".join(f"&#{b};" for b in SAID.encode()),
    "entities in hex": "".join(f"&#x{b:x};" for b in SAID.encode()),
    "rot13": codecs.encode(SAID, "rot13"),
    "reversed": SAID[::-1],
    "overridden": f"\u202e{SAID[::-1]}\u202c",
    "tags": f"Hello{tags(SAID)}",
    "selectors": f"Hello{selectors(SAID)}",
    "bits": BITS.translate({ord("0"): "\u200b", ord("1"): "\u200c"}),
    "zero width for spaces": SAID.replace(" ", "\u200b"),
    "spaced": "   ".join(" ".join(word) for word in SAID.split()),
    "spaced evenly": " ".join(SAID.replace(" ", "")),
    "dotted": "  ".join(".".join(word) for word in SAID.split()),
    "hyphened": " ".join("-".join(word) for word in SAID.split()),
    "leet": SAID.translate(LEET),
}
AROUND = "Rivers carry what the mountains gave them.\n\n{}\n\nThe sea takes it all, year after year."


@pytest.mark.parametrize("name", DISGUISES)
@pytest.mark.parametrize("around", ["{}", AROUND])
def test_a_disguise_is_read_where_it_stands(name: str, around: str) -> None:
    text = around.format(DISGUISES[name])
    start, end = around.index("{}"), around.index("{}") + len(DISGUISES[name])
    for view in decodings(text):
        # letters that were run together are parted by guess
        found = view.text.replace(" ", "").lower().find("openthegardendoor")
        if found >= 0:
            place = view.text.lower().index("open")
            first, last = view.span(place, place + 4)
            assert start <= first < last <= end, view.kind
            return
    raise AssertionError(f"not read: {decodings(text)}")


@pytest.mark.parametrize(
    "text",
    [
        "Rivers carry what the mountains gave them, and the sea takes it all.",
        "The hash is d41d8cd98f00b204e9800998ecf8427e and the tag sha256-47DEQpj8HBSa/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=.",
        "Call 555 0100 or 555 0199 between 10 and 12, or 14 and 16, on 24 and 25 May.",
        "The 1st, 2nd and 3rd run of the MP3 and 4K tests at 10x speed, with H2O.",
        "J. R. R. Tolkien and G. K. Chesterton, e.g. in the U.S.A.",
        "Он сам рос там, где вода.",
        "Nur wer nun am Tag das Lager sieht, kennt die Not: er war da, nur nie so nah. Das Tor ist rot, der Topf leer.",
        "Nog een keer: niet bang zijn, de man nam de tram naar de stad en las over de god.",
        "می‌خواهم آن‌ها را ببینم",
        "👩‍👩‍👧‍👦 and 🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "Mała łódka stała na łące, a żółty ptak siadł na płocie i głośno śpiewał.",
        "Kapının ardında ışık yandı, kadın ılık çayını aldı; sınıfta kırık bir sıra vardı.",
        "https://cdn.example.com/8f14e45fceea167a5a36dedd4bea2543.jpg?w=640&sig=ZmFrZQ",
    ],
)
def test_ordinary_text_has_no_other_reading(text: str) -> None:
    assert decodings(text) == []


def test_an_address_is_read_whole_and_twice() -> None:
    views = decodings("https://example.com/?q=a%2520b%20c+d", url=True)
    assert "https://example.com/?q=a b c+d" in [view.text for view in views]


def test_a_short_blob_counts_in_an_address() -> None:
    assert "jane roe 1970" in [v.text for v in decodings(f"https://example.com/?d={packed('jane roe 1970')}", url=True)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("call five five five zero one double nine", "call 5550199"),
        ("jane dot roe at example dot org", "jane.roe@example.org"),
        ("jane.roe [at] example (dot) org", "jane.roe@example.org"),
    ],
)
def test_what_people_spell_out_is_read_in_requests(text: str, said: str) -> None:
    assert said in [view.text for view in decodings(text, requests=True)]
    assert said not in [view.text for view in decodings(text)]


@given(st.text(st.sampled_from("aZ4 %26&#x;\\u0.-\n\u200b\u202e\U000e0041\ufe01=+/") | st.characters(), max_size=80))
def test_readings_are_bounded_and_point_into_the_text(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    views = decodings(text, requests=True)
    assert len(views) <= 64
    assert sum(len(view.text) for view in views) <= 4 * len(text) + 64
    for view in views:
        places = [view.span(place, place + 1) for place in range(len(view.text))]
        assert all(0 <= start <= end <= len(text) for start, end in places)
        assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in pairwise(places))


def test_a_bomb_of_blobs_is_cut_short() -> None:
    text = " ".join(packed(f"{SAID} {n}") for n in range(2000))
    assert len(decodings(text)) <= 64


def test_a_given_reading_is_used() -> None:
    text = packed(SAID)
    assert decodings(text, read=canonical(text)) == decodings(text)


def test_a_disguise_that_stands_twice_is_read_twice() -> None:
    said = [view.whole for view in decodings(f"{packed(SAID)}\n\nand\n\n{packed(SAID)}") if view.text == SAID]
    assert len(set(said)) == 2


@pytest.mark.parametrize("word", ["https://example.com/a/long/address/{}", "yyyyXyyyyYyyyyZ{:09}", "aB{:06}"])
def test_many_different_words_cost_no_more_than_their_length(word: str) -> None:
    text = "\n\n".join(f"{word.format(n)} stands here." for n in range(10_000)) + f"\n\n{packed(SAID)}"
    assert SAID in [view.text for view in within_cpu(3, decodings, text)]


def test_one_disguise_does_not_hide_another() -> None:
    plain = " ".join(re.findall(".{1,8}", packed("Tea is a drink that many people like to have with milk and sugar.")))
    harmless = " ".join(packed(f"a harmless sentence, number {number}, about tea and biscuits") for number in range(20))
    read = [view.text for view in decodings(f"First {plain}\n\nthen {harmless} and {packed(SAID)}.")]
    assert any(SAID in text for text in read)


LONG = (
    "The barn owl hunts at night over open fields and sleeps through the day in a hollow tree near the old mill. " * 4
)


@pytest.mark.parametrize("kind", ["rot13", "reversed"])
def test_a_turned_sentence_is_read_within_a_long_line(kind: str) -> None:
    worn = codecs.encode(SAID, "rot13") if kind == "rot13" else SAID[::-1]
    text = f"{LONG}{worn} {LONG}"
    (view,) = (view for view in decodings(text) if view.kind == kind)
    assert SAID in view.text
    start, end = view.whole
    assert worn in text[start:end]
    assert end - start < len(worn) + 20
