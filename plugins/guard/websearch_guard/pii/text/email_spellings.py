"""E-mail addresses that people read and programs do not: spaced, accented, with dots and signs as words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from websearch_guard.deobfuscation.text_view import Piece

_DOTS = "\u3002\uff61\uff0e"
"""What IDNA takes for dots beside the dot (RFC 3490, 3.1)."""
_AT = "arobase|arroba|chiocciola|klammeraffe|apenstaartje|kukac|malpa|małpa|zavináč|zavinac|snabel-a|собака"
_DOT = "dot|point|punto|ponto|punkt|punt|pont|kropka|tečka|tecka|точка"
AT_WORDS = tuple(f" {word} " for word in _AT.split("|") if word.isascii())
"""Signs of such an address in a text of plain letters."""
_SPELT = re.compile(r"(?<!\S)\S(?: \S){7,80}(?!\S)")
_SAID = rf"(?: (?:{_DOT}) | ?[.{_DOTS}] ?)"
_WRITTEN = re.compile(
    rf"(?<![\w.@+-])[\w+-]{{1,40}}(?:{_SAID}[\w+-]{{1,40}}){{0,3}}(?: ?@ ?| (?:{_AT}) | ?[\[({{<](?:a|at|@)[\])}}>] ?)"
    rf"[\w-]{{2,40}}(?:(?: (?:{_DOT}) | [.{_DOTS}] |[ ]?[.{_DOTS}])[\w-]{{2,24}}){{1,3}}(?![\w-])",
    re.IGNORECASE,
)
_SIGN = re.compile(rf" ?[\[({{<](?:a|at|@)[\])}}>] ?| (?:{_AT}) | ?@ ?", re.IGNORECASE)
_POINT = re.compile(rf" (?:{_DOT}) | ?[.{_DOTS}] ?", re.IGNORECASE)
_OF_TWO = re.compile(r"[^\W_]+[.\d_+-]")
_WORTH = re.compile(rf"@|[\[({{<]a[\])}}>]| (?:{_AT}) ", re.IGNORECASE)
_PARTED = re.compile(
    r"(?<![\w.@+-])([a-z]{1,20}\.[a-z]{2,20}\d{0,4})(?:/at/|=|&[\w-]{1,20}=)((?:[a-z\d-]{2,40}\.){1,2}[a-z]{2,6})(?=[&;#/]|\Z)",
    re.IGNORECASE,
)


def mails(text: str) -> Iterator[Piece]:
    """What may be such an address, as it is sent; whether it is somebody's is for others to say."""
    if not _WORTH.search(text):
        return
    end = 0
    for match in sorted([*_SPELT.finditer(text), *_WRITTEN.finditer(text)], key=lambda found: found.start()):
        whole = match[0].replace(" ", "") if _SPELT.fullmatch(match[0]) else match[0]
        if match.start() >= end and _WORTH.search(whole):
            usual = _plain(_POINT.sub(".", _SIGN.sub("@", whole)))
            # "what does arroba gmail punto com mean" names nobody
            if usual != match[0] and ("@" in whole or _OF_TWO.match(usual)):
                yield Piece(match.start(), match.end(), usual)
                end = match.end()


def parted(address: str) -> Iterator[Piece]:
    """The same in parts of an address: `u=jane.doe&d=a.com`, `jane.doe=a.com`, `/jane.doe/at/a.com`."""
    for match in _PARTED.finditer(address):
        yield Piece(match.start(), match.end(), f"{match[1]}@{match[2]}")


def _plain(text: str) -> str:
    """Without accents: a provider's name with one is read as the provider's."""
    return "".join(unicodedata.normalize("NFD", letter)[0] for letter in text)
