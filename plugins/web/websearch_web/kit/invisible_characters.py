"""Characters that a reader cannot see: taken out of text; what they spell is kept for filters."""

from __future__ import annotations

import re

# The patterns begin with a plain class and no repetition: only then does the search skip from hit to hit.
# Zero-width and invisible operators, bidi controls, soft hyphen, annotation marks, the tag block (which spells ASCII),
# C0/C1 controls except tab and line ends, lone surrogates.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff"
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]"
)
# Hangul fillers, which part words like spaces.
_FILLERS = re.compile("[\u115f\u1160\u3164\uffa0]")
_UNSEEN_ASCII = bytes(code for code in (*range(32), 127) if code not in b"\t\n")
# Variation selectors in runs are a known way to smuggle bytes.
_SELECTORS = re.compile("[\ufe00-\ufe0f][\ufe00-\ufe0f]+")
# Zero-width (non-)joiners shape Arabic, Indic and emoji text; between ASCII they only hide something.
_JOINERS = re.compile("(?<![^\x00-\u02ff])[\u200c\u200d]+|[\u200c\u200d]+(?![^\x00-\u02ff])|[\u200c\u200d]{2,}")
_ANY = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]"
)
"""All of these: most text holds none, and is looked through once."""
_TAGS = re.compile("[\U000e0020-\U000e007e\U000e0100-\U000e01ef][\U000e0020-\U000e007e\U000e0100-\U000e01ef]*")


def visible(text: str) -> tuple[str, str]:
    """The text without unseen characters, and what the taken ones spell (tag characters read as ASCII)."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return text.encode("ascii").translate(None, _UNSEEN_ASCII).decode("ascii"), ""
    if _ANY.search(text) is None:
        return text, ""
    spelt: list[str] = [_spelt(run) for run in _TAGS.findall(text)]
    shown = _SELECTORS.sub("", _UNSEEN.sub("", _FILLERS.sub(" ", text)))
    if "\u200c" in shown or "\u200d" in shown:
        shown = _JOINERS.sub("", shown)
    return shown, "\n".join(word for word in spelt if word.strip())


def _spelt(run: str) -> str:
    letters: list[str] = []
    for character in run:
        code = ord(character)
        byte = code - 0xE0000 if code < 0xE0100 else code - 0xE0100 + 16
        letters.append(chr(byte) if 0x20 <= byte < 0x7F else " ")
    return "".join(letters)
