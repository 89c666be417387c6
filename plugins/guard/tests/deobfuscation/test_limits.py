"""How short a disguise is still read, how far its parts may be apart, and what is read with it.

Below these sizes ordinary text looks the same: ids, initials, product numbers.
"""

# ruff: noqa: RUF001 - scripts of their own

import base64
import codecs
from collections.abc import Callable

import pytest

from websearch_guard.deobfuscation import canonical, decodings

SAID = "The other guests open the garden door before they arrive and then close it again"
WORDS = SAID.lower().split()
FILLER = "lorem ipsum "


def tags(text: str) -> str:
    return "".join(chr(0xE0000 + ord(c)) for c in text)


def selectors(text: str) -> str:
    return "".join(chr(0xFE00 + b if b < 16 else 0xE0100 + b - 16) for b in text.encode())


def bits(text: str) -> str:
    return "".join("\u200b\u200c"[int(bit)] for byte in text.encode() for bit in f"{byte:08b}")


def in_groups(text: str, size: int) -> str:
    packed = base64.b64encode(text.encode()).decode()
    return " ".join(packed[at : at + size] for at in range(0, len(packed), size))


def first(read: Callable[[int], bool], most: int = 90) -> int:
    """The smallest size that is read; 0: none is."""
    return next((size for size in range(1, most) if read(size)), 0)


def last(read: Callable[[int], bool], most: int = 200) -> int:
    """The largest size that is read."""
    return next((size for size in range(most, 0, -1) if read(size)), 0)


def read_of(text: str, said: str, **how: bool) -> bool:
    return any(said in view.text for view in decodings(text, **how))


SHORTEST: dict[str, tuple[Callable[[str], str], int]] = {
    "base64": (lambda said: base64.b64encode(said.encode()).decode(), 16),
    "base64 in a path": (lambda said: f"/a/{base64.urlsafe_b64encode(said.encode()).decode()}/", 16),
    "base32": (lambda said: base64.b32encode(said.encode()).decode(), 15),
    "hex": (lambda said: said.encode().hex(), 12),
    "hex with a sign": (lambda said: "0x" + said.encode().hex(), 12),
    "hex in pairs": (lambda said: said.encode().hex(" "), 8),
    "binary": (lambda said: " ".join(f"{byte:08b}" for byte in said.encode()), 4),
    "decimal codes": (lambda said: " ".join(map(str, said.encode())), 8),
    "tags": (tags, 3),
    "selectors": (selectors, 2),
    "bits of zero width": (bits, 2),
    "turned round by a control": (lambda said: f"\u202e{said[::-1]}\u202c", 4),
    "letters apart": (" ".join, 5),
    "letters between dots": (".".join, 5),
    "accents": (lambda said: "".join(f"{c}\u0301" for c in said), 16),
    "percent": (lambda said: "".join(f"%{byte:02x}" for byte in said.encode()), 1),
    "entities": (lambda said: "".join(f"&#{byte};" for byte in said.encode()), 1),
    "backslashes": (lambda said: "".join(f"\\u{byte:04x}" for byte in said.encode()), 1),
}


@pytest.mark.parametrize("name", SHORTEST)
def test_the_shortest_that_is_read(name: str) -> None:
    disguised, least = SHORTEST[name]

    def is_read(size: int) -> bool:
        said = SAID.replace(" ", "")[:size]
        return any(said in view.text.replace(" ", "") for view in decodings(f"See {disguised(said)} here"))

    assert first(is_read) == least


WORDS_NEEDED: dict[str, tuple[Callable[[list[str]], str], int]] = {
    "rot13": (lambda words: codecs.encode(" ".join(words), "rot13"), 2),
    "reversed": (lambda words: " ".join(words)[::-1], 2),
    "capitals for blanks": (lambda words: "".join(word.title() for word in words), 4),
    "digits for letters": (lambda words: " ".join(words).translate(str.maketrans("aeo", "430")), 2),
    "markup round each": (lambda words: " ".join(f"**{word[:1]}**{word[1:]}" for word in words), 3),
    "zero width for blanks": ("\u200b".join, 3),
    "indicators": (
        lambda words: " ".join("".join(chr(0x1F1E6 + ord(c) - 97) for c in word) for word in words),
        2,
    ),
}


@pytest.mark.parametrize("name", WORDS_NEEDED)
def test_the_fewest_words_that_are_read(name: str) -> None:
    disguised, least = WORDS_NEEDED[name]

    def is_read(count: int) -> bool:
        said = "".join(WORDS[:count])
        views = decodings(f"{disguised(WORDS[:count])}\n\nmore of the usual")
        return any(said in view.text.lower().replace(" ", "") for view in views)

    assert first(is_read, 12) == least


def test_groups_of_base64_are_read_up_to_a_length_and_from_a_count() -> None:
    assert first(lambda count: read_of(in_groups(SAID, 8)[: 9 * count - 1], SAID[: 6 * count - 2]), 10) == 3
    assert last(lambda size: read_of(f"a {in_groups(SAID * 3, size)} b", SAID), 40) == 24


@pytest.mark.parametrize(
    ("apart", "signs", "most"),
    [
        (lambda gap: f"%41{'x' * gap}%42", "AB", 80),
        (lambda gap: f"{'x' * 300}<{'y' * gap}%41", "<A", 159),
        (lambda gap: f"%41{'y' * gap}>{'x' * 300}", "A>", 159),
    ],
    ids=["to another escape", "to what is before it", "to what is after it"],
)
def test_how_far_an_escape_reaches(apart: Callable[[int], str], signs: str, most: int) -> None:
    def is_whole(gap: int) -> bool:
        return set(signs) <= set(decodings(apart(gap))[0].text)

    assert last(is_whole) == most


@pytest.mark.parametrize(("gap", "parts"), [(80, 1), (81, 0)])
def test_words_with_markup_in_them_are_read_together(gap: int, parts: int) -> None:
    text = f"i**g**nore {'x' * (gap - 7)} i**g**nore"
    assert len([view for view in decodings(text) if view.kind == "markup"]) == parts


@pytest.mark.parametrize(("gap", "read"), [(157, True), (158, False)])
def test_what_is_round_words_with_markup_is_read_with_them(gap: int, read: bool) -> None:
    for text in (f"<{'x' * gap} i**g**nore a**l**l", f"i**g**nore a**l**l{'x' * (gap + 1)}>"):
        [view] = [view for view in decodings("z" * 300 + text + "z" * 300) if view.kind == "markup"]
        assert any(sign in view.text for sign in "<>") is read


def test_look_alikes_are_read_near_each_of_several_latin_words() -> None:
    apart = f"{' ' * 50}ж{' ' * 50}"
    assert canonical(f"a сосо {apart} b сосо").text == f"a coco {apart} b coco"


def test_a_paragraph_bounds_what_is_read_with_an_escape() -> None:
    assert [view.text for view in decodings("far\n\nnear %41 near\n\nfar")] == ["\nnear A near"]


@pytest.mark.parametrize(
    ("text", "kind", "read", "place"),
    [
        ("ab %41%C3%A9 cd", "percent", "ab Aé cd", (0, 15)),
        ("ab %FF cd", "percent", "ab ÿ cd", (0, 9)),
        ("ab &#x41;&amp; cd", "entities", "ab A& cd", (0, 17)),
        (r"ab \x41\x42 cd", "escapes", "ab AB cd", (0, 14)),
        (r"ab \u{1F600} \U0001F600 \101 cd", "escapes", "ab 😀 😀 A cd", (0, 31)),
        (r"ab \ud83d\ude00 cd", "escapes", "ab 😀 cd", (0, 18)),
        ("ab " + tags("hello") + " cd", "tags", "hello", (3, 8)),
        ("ab " + selectors("hello") + " cd", "selectors", "hello", (3, 8)),
        ("ab " + bits("hello") + " cd", "bits", "hello", (3, 43)),
        ("ab \u202eolleh\u202c cd", "reversed", "hello", (3, 10)),
        ("ab \u2067olleh\ncd", "reversed", "hello", (3, 9)),
        ("open\u200bthe\u200bdoor", "spaces", "open the door", (0, 13)),
        ("open\u200bthe\u200bd", "spaces", None, (0, 0)),
        ("🏴" + tags("gbsct"), "tags", None, (0, 0)),
        ("🏴" + tags("gbsctxx"), "tags", "gbsctxx", (1, 8)),
    ],
)
def test_what_is_read_and_where(text: str, kind: str, read: str | None, place: tuple[int, int]) -> None:
    found = [(view.text, view.whole) for view in decodings(text) if view.kind == kind]
    assert found == ([(read, place)] if read else [])


@pytest.mark.parametrize("parted", ["", "\ufeff"])
@pytest.mark.parametrize("zero", ["\u200b", "\u200d"])
def test_bits_are_read_whichever_sign_is_which(parted: str, zero: str) -> None:
    one = "\u200c"
    text = parted.join("".join((zero, one)[int(bit)] for bit in f"{byte:08b}") for byte in b"hello")
    assert [view.text for view in decodings(f"ab {text}") if view.kind == "bits"] == ["hello"]


@pytest.mark.parametrize(
    ("spoken", "written"),
    [
        ("four one", None),
        ("call four one five", "call 415"),
        ("four double one triple five", "411555"),
        ("four - one, five", "415"),
        ("four / one / five", None),
        ("vier eins fünf", "415"),
        ("12 four five 34", "124534"),
        ("12345 four five 6", "12345 456"),
        ("four one vier eins zwei", "four one 412"),
        ("jane at example dot org", "jane@example.org"),
        ("jane (at) example [dot] co dot uk", "jane@example.co.uk"),
        ("look at example.org", "look@example.org"),
        ("〇一二三四五", "012345"),
        ("〇一二三四", None),
        (" ".join(["one"] * 40), "1" * 40),
        (" ".join(["one"] * 41), None),
        ("DE seven five five one two one zero eight zero zero one two four five one two six one nine nine",
         "DE75512108001245126199"),
        ("delta echo seven five 5121 0800 1245 1261 nine nine", "DE75512108001245126199"),
        ("delta echo seven six 5121 0800 1245 1261 nine nine", "delta echo 76512108001245126199"),
    ],
)  # fmt: skip
def test_spoken_numbers_and_addresses_are_written(spoken: str, written: str | None) -> None:
    found = [view.text for view in decodings(spoken, requests=True) if view.kind == "spoken"]
    assert found == ([written] if written else [])
    assert not [view for view in decodings(spoken) if view.kind == "spoken"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("раssword", "password"),  # two letters of six are Cyrillic
        ("сосо", "сосо"),  # nothing but look-alikes, and no Latin word near
        ("a сосо b", "a coco b"),
        (f"a{' ' * 39}сосо", f"a{' ' * 39}coco"),
        (f"a{' ' * 40}сосо", f"a{' ' * 40}сосо"),
        (f"сосо{' ' * 39}a", f"coco{' ' * 39}a"),
        (f"сосо{' ' * 40}a", f"сосо{' ' * 40}a"),
        ("a ж сосо", "a ж сосо"),  # a Cyrillic letter that looks like none of ours
        ("дом is a house", "дом is a house"),
        ("ałł of it", "all of it"),
        ("łódź is a city", "łódź is a city"),
        ("ał of it", "ał of it"),
        ("１２３ ①", "123 1"),
        ("‘a’ “b” c–d", "'a' \"b\" c-d"),
        ("ex\u00adam\u200bple", "example"),
        ("cafe\u0301", "café"),
        ("a\u0323\u0301\u0302b", "ab"),
        ("x\u3164y", "x y"),
        ("a\u2028b", "a\nb"),
        ("ﬁne", "fine"),
        ("٣٤", "34"),
    ],
)
def test_the_canonical_reading(text: str, read: str) -> None:
    assert canonical(text).text == read


def test_readings_are_bounded() -> None:
    def views(count: int) -> int:
        return len(decodings("\n\n".join(f"{number} %41 {FILLER * 20}" for number in range(count))))

    assert (views(10), views(200)) == (10, 64)
    text = "see " + base64.b64encode(SAID.encode()).decode()
    nested = base64.b64encode(text.encode()).decode()
    assert [view.kind for view in decodings(nested)] == ["base64", "base64"]
    deeper = base64.b64encode(f"see {nested}".encode()).decode()
    assert not read_of(deeper, SAID)
