"""Ordinary text in other languages than English: manuals and messages of the free programs on this machine.

Without it most words of a language that a model knows come from attacks, and it takes the language for one. What there
is depends on the machine; Debian's `man-db` and the usual tools bring enough. Their licences are free ones, the GPL
among them: nothing of their text is kept, only what hashed words weigh.
"""

from __future__ import annotations

import contextlib
import gettext
import gzip
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

MANUALS, MESSAGES = Path("/usr/share/man"), Path("/usr/share/locale")
LANGUAGES = (
    *("ar", "bg", "cs", "da", "de", "el", "es", "fa", "fi", "fr", "he", "hi", "hu", "id", "it", "ja", "ko", "nb", "nl"),
    *("pl", "pt", "pt_BR", "ro", "ru", "sv", "th", "tr", "uk", "vi", "zh_CN", "zh_TW"),
)
EACH = 4
"""Of one language and kind, at most so many pages: few, beside the attacks in that language."""
LONG = 4000
"""Characters of a page."""


def split() -> tuple[list[str], list[str]]:
    """Pages to train on, and of other programs pages that nothing is trained on."""
    found: tuple[list[str], list[str]] = ([], [])
    for language in LANGUAGES:
        for texts in (_manuals(language), _messages(language)):
            kept: dict[int, list[str]] = defaultdict(list)
            for name, text in texts:
                kept[crc32(name.encode()) % 2].append(text)
            for side, pages in kept.items():
                found[side].extend(sorted(pages, key=lambda page: crc32(page.encode()))[:EACH])
    return found


def _manuals(language: str) -> Iterator[tuple[str, str]]:
    """The middle of each, with the program's name."""
    for path in sorted((MANUALS / language).glob("man*/*.gz")):
        if not path.is_symlink():
            text = plain(gzip.decompress(path.read_bytes()).decode("utf-8", "replace"))
            middle = max(0, len(text) - LONG) // 2
            if len(text) > LONG / 8:
                yield path.name.partition(".")[0], text[middle : middle + LONG]


def _messages(language: str) -> Iterator[tuple[str, str]]:
    """What programs say, a page of each."""
    for path in sorted((MESSAGES / language).glob("LC_MESSAGES/*.mo")):
        said: dict[object, str] = {}
        with contextlib.suppress(UnicodeError), path.open("rb") as file:  # some are in an older encoding
            said = gettext.GNUTranslations(file).__dict__["_catalog"]
        long = sorted({str(text).strip() for key, text in said.items() if key and len(str(text)) > LONG / 80})
        page = "\n".join(sorted(long, key=lambda text: crc32(text.encode())))[:LONG]
        if len(page) > LONG / 8:
            yield path.stem, page


def plain(roff: str) -> str:
    """A manual's text without its macros."""
    lines: list[str] = []
    for line in roff.splitlines():
        macro, _, rest = line.partition(" ")
        if not line.startswith((".", "'")):
            lines.append(line)
        elif macro in _SHOWN:
            lines.append(("\n\n" if macro.startswith(".S") else "") + rest.replace('"', ""))
        elif macro in _BREAKS:
            lines.append("\n")
    text = _FONT.sub("", re.sub(r"\\\[u([0-9A-F]{4})\]", lambda code: chr(int(code[1], 16)), " ".join(lines)))
    return re.sub(r"\s*\n\s*", "\n", _ESCAPE.sub(lambda found: found[1] or "", text)).strip()


_SHOWN = frozenset({".SH", ".SS", ".B", ".I", ".BR", ".IR", ".BI", ".IB", ".RB", ".RI", ".SM", ".Nm", ".Nd", ".Sh"})
_BREAKS = frozenset({".PP", ".P", ".LP", ".TP", ".IP", ".br", ".sp", ".Pp", ".It", ".HP"})
_FONT = re.compile(r"\\(?:f(?:\[[^\]]*\]|\(..|.)|s[-+]?\d|m\[[^\]]*\]|[&|^:%c/,])")
_ESCAPE = re.compile(r"\\(?:\[[^\]]*\]|\(..|([-'` ])|e|.)")
