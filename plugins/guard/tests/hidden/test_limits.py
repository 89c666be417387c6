"""Each sign that a text is unseen, beside what looks like it and stays; and how long a title, a word, a gap may be."""

# ruff: noqa: E501, RUF001 - a case a line; scripts of their own

import pytest

from websearch_core.contract.models import Caller, Page
from websearch_core.contract.verdicts import Rewrite
from websearch_core.testing.fakes import InProcessWorkers
from websearch_guard.hidden import HiddenFilter

IMAGE = "[image removed: its address could carry data out]"
LINK = "[link removed: its address could carry data out]"


async def left_of(text: str) -> str:
    """The body after the filter."""
    page = Page.from_markdown(text, url="https://page.example/")
    [verdict] = await HiddenFilter(InProcessWorkers()).check([page], Caller())
    return page.with_parts(verdict.parts or ()).body if isinstance(verdict, Rewrite) else text


HIDING = [
    "hidden", "hidden=''", "aria-hidden='true'", "class='a visually-hidden b'", "class=element-invisible",
    "style='display: none'", "style='a:b;display:none'", "style='visibility:hidden'", "style='opacity:0.0'",
    "style='opacity:0%'", "style='font-size:1.9px'", "style='font-size:0.1em'", "style='font-size:0'",
    "style='left:-100px'", "style='text-indent:-999px'", "style='color:transparent'", "style='color:white'",
    "style='color:rgba(1,2,3,0)'", "style='clip:rect(0,0,0,0)'", "style='clip-path:inset(50%)'",
    "style='max-height:0'", "style='width:1px'", "style='transform:scale(0)'", "style='mso-hide:all'",
    "style='display:/* a */none'", "style=display:none", "style='color:white;background:none'",
]  # fmt: skip
SHOWING = [
    "hidden='until-found'", "data-hidden='a'", "aria-hidden='false'", "class='a-sr-onlyx'", "style='display:block'",
    "style='opacity:0.1'", "style='font-size:2px'", "style='font-size:0.2em'", "style='left:-99px'",
    "style='color:white;background:#000'", "style='background-color:red;color:#fff'", "style='height:2px'",
    "style='width:10px'", "style='transform:scale(1)'", "style='clip-path:inset(49%)'",
]  # fmt: skip


@pytest.mark.parametrize("attribute", HIDING)
async def test_an_element_with_this_is_not_seen(attribute: str) -> None:
    assert await left_of(f"a<div {attribute}>b</div>c") == "ac"


@pytest.mark.parametrize("attribute", SHOWING)
async def test_an_element_with_this_is_seen(attribute: str) -> None:
    assert "b" in await left_of(f"a<div {attribute}>b</div>c")


SIGNED = "https://x.example/path/of/some/length/a.png"
CASES: dict[str, tuple[str, str]] = {
    "a comment within an element": ("a<div hidden>b<!-- c --></div>d", "ad"),
    "an element in a hidden one of the same name": ("a<b hidden>b<b>c</b>d</b>e", "ae"),
    "a closed one before": ("a<b>x</b><b hidden>y</b>z", "a<b>x</b>z"),
    "one that closes itself": ("a<b hidden/>b</b>c", "a<b hidden/>b</b>c"),
    "a hidden one that never closes": ("a<p hidden>b\n\nc", "a<p hidden>b\n\nc"),
    "a styled one that never closes": ("a<p style='display:none'>b\n\nc", "a\n\nc"),
    "a void one": ("a<br hidden>b", "ab"),
    "a short attribute": ("<p title='dear reader do'>a</p>", "<p title='dear reader do'>a</p>"),
    "a sentence in a class": ("<p class='a b c d e'>a</p>", "<p class='a b c d e'>a</p>"),
    "an attribute that runs": ("<p onclick='f()'>a</p>", "<p>a</p>"),
    "a program's own": ("<p onClick={f}>a</p>", "<p onClick={f}>a</p>"),
    "an address that runs": ("<a href='javascript:f()'>a</a>", "<a>a</a>"),
    "no known element": ("<word title='dear reader do this'>a", "<word title='dear reader do this'>a"),
    "a frame": ("a<iframe src='https://x.example/'></iframe>b", "ab"),
    "an open frame": ("a<iframe src='https://x.example/'>b", "a<iframe src='https://x.example/'>b"),
    "a picture without words": ("a<img src='data:,x'>b", "ab"),
    "a picture with words": ("a<img alt=\"of a cat\" src='data:,x'>b", "aof a catb"),
    "a comment that ends at once": ("a<!-->b", "ab"),
    "an escaped comment and another": ("a\\<!-- b --> <!-- c -->d", "a\\<!-- b --> d"),
    "two comments": ("a<!-- b -->c<!-- d -->e", "ace"),
    "an open comment after another": ("a<!-- b -->c<!-- d", "ac"),
    "a comment of Markdown indented by three": ("a\n\n   [comment]: # (b)\n\nc", "a\n\n\n\nc"),
    "one indented by four": ("a\n\n    [comment]: # (b)\n\nc", "a\n\n    [comment]: # (b)\n\nc"),
    "a title of three words": ('[a](https://x.example/ "the old manual")', '[a](https://x.example/ "the old manual")'),
    "a title of four": ('[a](https://x.example/ "the very old manual")', "[a](https://x.example/)"),
    "a definition's title of three": ('[1]: https://x.example/ "the old manual"', '[1]: https://x.example/ "the old manual"'),
    "a definition's title of four": ('[1]: https://x.example/ "the very old manual"', "[1]: https://x.example/"),
    "a definition that runs": ("[1]: javascript:f()", "[1]: #"),
    "a footnote that looks so": ("[^1]: javascript:f()", "[^1]: javascript:f()"),
    "a definition after a footnote": ("[^1]: javascript:f()\n[2]: javascript:g()", "[^1]: javascript:f()\n[2]: #"),
    "a link with brackets in its words": ("[a [b] c](https://x.example/?d={chat})", f"a [b] c {LINK}"),
    "a link without words": ("[](https://x.example/?d={chat})", LINK),
    "a link whose words are too long": (f"[{'a' * 1499}](javascript:f())", f"[{'a' * 1499}](javascript:f())"),
    "a link whose words are long": (f"[{'a' * 1498}](javascript:f())", f"{'a' * 1498} {LINK}"),
    "a link to fill in with a key": ("[a](https://x.example/?d={api key})", "[a](https://x.example/?d={api key})"),
    "a link whose path is to fill in": ("[a](https://x.example/{chat}?d=1)", "[a](https://x.example/{chat}?d=1)"),
    "an image whose path is to fill in": ("![a](https://x.example/{chat})", f"a {IMAGE}"),
    "a link in angles": ("[a](<https://x.example/?d={my chat}>)", f"a {LINK}"),
    "two links": ("[a](javascript:f()) [b](https://x.example/) [c](javascript:f())", f"a {LINK} [b](https://x.example/) c {LINK}"),
    "a bare address in brackets": ("(https://x.example/?d={chat})", "(https://x.example/?d={chat})"),
    "words to another host": (f"![a]({SIGNED}?q=one+two+three+four+fives)", f"a {IMAGE}"),
    "two words to another host": (f"![a]({SIGNED}?q=oneonetwotwo+threethreefour)", f"![a]({SIGNED}?q=oneonetwotwo+threethreefour)"),
    "words to the page's own host": ("![a](https://cdn.page.example/path/of/a.png?q=one+two+three+four+fives)", "![a](https://cdn.page.example/path/of/a.png?q=one+two+three+four+fives)"),
    "a short parameter": (f"![a]({SIGNED}?q=one+two+three+four+five)", f"![a]({SIGNED}?q=one+two+three+four+five)"),
    "a cipher in a parameter for data": (f"![a]({SIGNED}?data=aB3dE5gH7jK9mN1pQ3sT5vX7)", f"a {IMAGE}"),
    "a cipher in a parameter for signatures": (f"![a]({SIGNED}?s=aB3dE5gH7jK9mN1pQ3sT5vX7)", f"![a]({SIGNED}?s=aB3dE5gH7jK9mN1pQ3sT5vX7)"),
    "a word in a parameter for data": (f"![a]({SIGNED}?data=abcdefghijklmnopqrstuvwxyz)", f"![a]({SIGNED}?data=abcdefghijklmnopqrstuvwxyz)"),
    "a long word in capitals": (f"![a]({SIGNED}?data=ABCDEFGHIJKLMNopqrstuvwxyz12)", f"![a]({SIGNED}?data=ABCDEFGHIJKLMNopqrstuvwxyz12)"),
    "an address in a parameter": (f"![a]({SIGNED}?t=https://y.example/a+b+c+d+e)", f"![a]({SIGNED}?t=https://y.example/a+b+c+d+e)"),
    "a joiner at the start": ("\u200da", "a"),
    "a joiner between emoji": ("👩\u200d👧", "👩\u200d👧"),
    "a joiner after an emoji": ("👩\u200da", "👩a"),
    "a non-joiner between emoji": ("👩\u200c👧", "👩👧"),
    "a non-joiner in Persian": ("می\u200cخ", "می\u200cخ"),
    "a non-joiner at a Persian word's end": ("می\u200c", "می"),
    "a non-joiner before Latin": ("می\u200ca", "میa"),
    "a joiner at a Persian word's end": ("ه\u200d a", "ه\u200d a"),
    "a joiner in Sinhala": ("ක්\u200dර", "ක්\u200dර"),
    "a joiner in Hebrew": ("א\u200dב", "אב"),
    "a selector on a digit": ("1\ufe0f a", "1\ufe0f a"),
    "a selector on a letter": ("b\ufe0f a", "b a"),
    "a text selector on a heart": ("❤\ufe0e", "❤\ufe0e"),
    "a selector on a sum": ("∩\ufe00", "∩\ufe00"),
    "the next selector on a sum": ("∩\ufe01", "∩"),
    "a selector on an ideograph": ("葛\ufe02", "葛\ufe02"),
    "the next one": ("葛\ufe03", "葛"),
    "the last of the many": ("葛\U000e010f", "葛\U000e010f"),
    "one beyond": ("葛\U000e0110", "葛"),
    "two on an ideograph": ("葛\U000e0100\U000e0101", "葛"),
    "a Mongolian selector": ("ᠠ\u180b", "ᠠ\u180b"),
    "a Mongolian selector elsewhere": ("a\u180b", "a"),
    "an emoji's selector and joiner": ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"),
    "the same before a letter": ("b\ufe0f\u200dc", "bc"),
    "a Hangul filler": ("a\u3164b", "a b"),
    "unseen letters in plain text": ("a\x00\x01b", "ab"),
    "a flag": ("🏴" + "".join(chr(0xE0000 + ord(c)) for c in "gbeng") + "\U000e007f", "🏴" + "".join(chr(0xE0000 + ord(c)) for c in "gbeng") + "\U000e007f"),
    "a flag of seven letters": ("🏴" + "".join(chr(0xE0000 + ord(c)) for c in "gbengxx") + "\U000e007f", "🏴"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
async def test_what_is_left(name: str) -> None:
    text, left = CASES[name]
    assert await left_of(text) == left


LETTERS: dict[str, tuple[str, bool]] = {
    "the first Arabic sign": ("\u0600", True),
    "Hebrew": ("\u05ea", False),
    "the last before Devanagari": ("\u08ff", True),
    "Devanagari": ("\u0900", True),
    "the end of the Indic scripts": ("\u0dff", True),
    "Thai": ("\u0e01", False),
    "Tibetan": ("\u0f00", True),
    "Myanmar's last": ("\u109f", True),
    "Georgian": ("\u10a0", False),
    "Tagalog": ("\u1700", True),
    "Ethiopic": ("\u135a", False),
    "Mongolian": ("\u1800", True),
    "after Mongolian": ("\u18b0", False),
    "Limbu": ("\u1900", True),
    "after Balinese": ("\u1b80", False),
    "Arabic forms": ("\ufb50", True),
    "before them": ("\ufb4f", False),
    "more Arabic forms": ("\ufe70", True),
    "Brahmi": ("\U00011000", True),
    "Old Uyghur": ("\U00010f70", False),
}


@pytest.mark.parametrize("name", LETTERS)
async def test_a_joiner_stays_in_scripts_that_need_it(name: str) -> None:
    letter, stays = LETTERS[name]
    text = f"x{letter}\u200d{letter}x"
    assert await left_of(text) == (text if stays else f"x{letter}{letter}x")
