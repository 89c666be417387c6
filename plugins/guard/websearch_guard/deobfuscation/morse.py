"""Morse code, read where it makes words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .text_view import View, blob
from .word_lists import parted, words

_CODES = dict(
    pair.split("=")
    for pair in [
        ".-=a",
        "-...=b",
        "-.-.=c",
        "-..=d",
        ".=e",
        "..-.=f",
        "--.=g",
        "....=h",
        "..=i",
        ".---=j",
        "-.-=k",
        ".-..=l",
        "--=m",
        "-.=n",
        "---=o",
        ".--.=p",
        "--.-=q",
        ".-.=r",
        "...=s",
        "-=t",
        "..-=u",
        "...-=v",
        ".--=w",
        "-..-=x",
        "-.--=y",
        "--..=z",
        "-----=0",
        ".----=1",
        "..---=2",
        "...--=3",
        "....-=4",
        ".....=5",
        "-....=6",
        "--...=7",
        "---..=8",
        "----.=9",
        ".-.-.-=.",
        "--..--=,",
        "..--..=?",
        "-.-.--=!",
        "-..-.=/",
        ".--.-.=@",
        "---...=:",
        "-....-=-",
    ]
)
_SIGNS = tuple(zip("_·•∙⋅−–—", "-....---", strict=True))  # noqa: RUF001 - they are meant
_RUN = re.compile(r"(?<![^\s/|])[.-]{1,6}(?:(?:[ \t]{1,4}|[ \t]?[/|][ \t]?|\n)[.-]{1,6}){11,4000}(?![^\s/|])")
_THREE = re.compile(r"[.-](?:(?:[ \t]{1,4}|[ \t]?[/|][ \t]?|\n)[.-]{1,6}){2}")
"""Three letters in a row, of which prose has none; it begins with what is rare."""
_WORDS = re.compile(r"[ \t]*[/|][ \t]*|[ \t]{2,}|\n")
_LEAST = 2
"""So many known words of three letters and more."""


def morse(text: str) -> Iterator[View]:
    """What dots and dashes spell."""
    signs = text
    for sign, read in _SIGNS[: 1 if text.isascii() else None]:
        signs = signs.replace(sign, read)
    if signs.count(". ") + signs.count("- ") < _LEAST or not _THREE.search(signs):
        return
    for match in _RUN.finditer(signs):
        said = [_word(word.split()) for word in _WORDS.split(match[0])]
        read = " ".join(parted(word) if len(said) == 1 else word for word in said)
        if sum(len(word) > 2 and word in words() for word in read.split()) >= _LEAST:
            yield blob("morse", read, *match.span())


def _word(letters: list[str]) -> str:
    return "".join(_CODES.get(letter, "") for letter in letters)
