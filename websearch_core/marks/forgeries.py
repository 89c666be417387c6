"""Look-alikes of a warning in a stranger's text: each is broken at its beginning, so that only real ones look real."""

# ruff: noqa: RUF001 - look-alikes are meant
from __future__ import annotations

import functools
import re
import unicodedata

_BROKEN = "¦"
"""Stands for the bracket of a look-alike, or for its first letter. It means nothing in Markdown, and it is neither, so
nothing matches a second time."""

_PHRASES = (
    "websearchwarn",
    "websearchendof",
    "endwebsearchwarn",
    "endofwebsearch",
    "endofthewebsearch",
    "suspectedinstructionstoa",
    "endofsuspectedinstr",
)
"""What a look-alike begins with, in letters alone."""
_SENTENCES = ("endofwebsearchwarn", "endofthewebsearchwarn", "websearchwarningsusp", "suspectedinstructionstoanaidat")
"""So much of one needs no bracket to be taken for one."""
_RARE = ("websearchwarn", "pectedinstructionstoa")
"""One of them is in each of these, and in few texts."""
_SLUG = r"(?:%20|[-_+.])"
"""What stands between the words of a slug. After another part of an address such words are no sentence."""
_IN_ADDRESS = r"[-/#?=&_.+%0]"

_GAP = 16
"""Things between two letters that are no letters themselves: blanks, signs, invisible ones, references, short tags."""
_NAMED = r"&\#?[0-9A-Za-z]{1,8};"
"""A character reference, as the source of a page writes it."""
_TAG = r"</?[A-Za-z][^<>\n]{0,12}>"
_TARGET = r"\](?:\([^()\s<>]{0,500}\)|\[[^\[\]\n]{0,40}\])"
"""The target of a link, of which a reader of plain text sees nothing."""
_NUMBER = r"(?:[0-9]{1,3}[.):])?"
"""Before the first letter: the number of an item."""
_REFERENCE = r"\#(?:0{0,3}12304|[xX]0{0,3}3010);"
"""What follows the `&` of a bracket that is written as a reference."""

_CONFUSABLE = {
    "a": "аɑαⱥ𝛂",
    "b": "ЬьƄᏏ",
    "c": "сϲᴄⅽℂ",
    "d": "ԁɗⅾᏧ",
    "e": "еҽєεℯ3",
    "f": "ſƒϝ",
    "g": "ɡցԍ9",
    "h": "һհᏂн",
    "i": "іɩιӏlI1ıⅰ",
    "l": "ӏІIⅼ1ł",
    "n": "ոռпη",
    "o": "оοσօ0ⲟ",
    "p": "рρϱ",
    "r": "гᴦⲅ",
    "s": "ѕꜱʂ5",
    "t": "тτᴛƭ7",
    "u": "υսᴜцч",
    "w": "ԝѡաωшщᴡ",
}
"""Letters and digits that look like the Latin one (Unicode, UTS #39, confusables), besides those that NFKC folds."""

_BETWEEN = (
    "\x00-/:-@\\[-`{-©«-±´¶-¸»¿×÷"  # ASCII and Latin-1: blanks, signs, the soft hyphen
    "\u02b0-\u036f\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff"
    "\u2000-\u206f\u20d0-\u20ff\u2190-\u245f\u2500-\u2bff\u2e00-\u2e7f\u3000-\u303f\u3164\ue000-\uf8ff"
    "\ufe00-\ufe6f\ufeff\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffa0\ufff0-\uffff"
    "\U000e0000-\U000e0fff"
)
"""What may stand between two letters: no character here is a letter by its looks. The inside of a character class."""

_LETTERS = bytes.maketrans(b"ABCDEFGHJKMNOPQRSTUVWXYZ35790", b"abcdefghjkmnopqrstuvwxyzestgo")
"""ASCII as the phrases have it: in small letters, digits as the letters that they look like."""
_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalnum()) + b"iIl1"
"""Taken out: what may stand between two letters, and what looks like an `i`, which may as well be an `l`."""
_SQUEEZED = (b"websearch", b"suspectednstr")
"""One of them is in each phrase, without its `i`."""

# a gap and a letter share no character, so no expression goes back
_SKIPPED = f"(?:{_NAMED}|{_TAG}|{_TARGET}|[{_BETWEEN}]){{0,{_GAP}}}+"


def without_forgeries(text: str) -> str:
    """The text with the bracket of each look-alike replaced by another character: its length stays, in linear time.

    Where there is none, its first letter is replaced.
    """
    if not may_hold_forgery(text):
        return text
    text = _forgery().sub(_BROKEN, text)
    return _sentence().sub(_BROKEN, text) if _rare().search(text) else text


def may_hold_forgery(text: str) -> bool:
    """False of most texts, at a tenth of the cost: plain ASCII whose letters make none of the phrases."""
    if not text.isascii() or "&" in text or "<" in text or "](" in text or "][" in text:
        return True
    letters = text.encode().translate(_LETTERS, _NO_LETTERS)
    return any(phrase in letters for phrase in _SQUEEZED)


@functools.cache
def _forgery() -> re.Pattern[str]:
    before = f"{_SKIPPED}{_NUMBER}{_SKIPPED}"
    # one class for all beginnings: such a place is found much sooner than one of two things
    return re.compile(
        rf"[{_brackets()}&](?:(?<!&)|(?={_REFERENCE}))"
        rf"(?=(?:{_REFERENCE})?{before}(?:{_alternatives(_PHRASES, _folded())}))"
    )


@functools.cache
def _sentence() -> re.Pattern[str]:
    return re.compile(
        rf"{_first(_SENTENCES)}(?<=(?<![^\W_])(?<!{_BROKEN})(?={_alternatives(_SENTENCES, _folded())}).)"
        rf"(?!(?<={_IN_ADDRESS}.)\w{{0,20}}{_SLUG}\w)"
    )


@functools.cache
def _rare() -> re.Pattern[str]:
    return re.compile(rf"{_first(_RARE)}(?<=(?={_alternatives(_RARE, _folded())}).)")


def _first(phrases: tuple[str, ...]) -> str:
    """A class of what they may begin with, and of all letters beyond Latin-1: so wide a class is looked up sooner."""
    letters = {letter for phrase in phrases for letter in _folded()[phrase[0]] if letter < "\u0100"}
    return f"[{''.join(sorted(letters))}\u0100-\U0010ffff]"


def _alternatives(phrases: tuple[str, ...], folded: dict[str, str]) -> str:
    """The phrases as one expression in which common beginnings are tried once."""
    heads: dict[str, list[str]] = {}
    for phrase in phrases:
        if not phrase:
            return ""
        heads.setdefault(phrase[0], []).append(phrase[1:])
    return "|".join(
        f"[{folded[letter]}]" + (f"{_SKIPPED}(?:{rest})" if (rest := _alternatives(tuple(tails), folded)) else "")
        for letter, tails in heads.items()
    )


def _brackets() -> str:
    """Every opening or closing bracket and quotation mark of Unicode, and what passes for one."""
    found = [chr(code) for code in range(0x3100) if unicodedata.category(chr(code)) in {"Ps", "Pe", "Pi", "Pf"}]
    return re.escape("".join(found)) + "<>|＜＞｜［］（）｛｝｟｠｢｣﹙﹚﹛﹜﹝﹞︗︘︵-﹈﴾﴿▀-▟│┃┆┇┊┋║"


@functools.cache
def _folded() -> dict[str, str]:
    """Letter → the characters that stand for it, as the inside of a character class."""
    classes = {letter: {letter, letter.upper()} for letter in {*"".join(_PHRASES + _SENTENCES)}}
    for code in (
        *range(0xC0, 0x250),
        *range(0x1D00, 0x1F00),
        *range(0x2070, 0x24F0),
        *range(0xFF21, 0xFF5B),
        *range(0x1D400, 0x1D6A4),
        *range(0x1F110, 0x1F18A),
        *range(0x1F1E6, 0x1F200),
    ):
        base = unicodedata.normalize("NFKD", chr(code)).strip("()").casefold()[:1]
        if base in classes:
            classes[base].add(chr(code))
    for letter, others in classes.items():
        others.update(_CONFUSABLE.get(letter, ""))
    return {letter: re.escape("".join(sorted(others))) for letter, others in classes.items()}
