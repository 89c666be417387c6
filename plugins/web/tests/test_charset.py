"""Bytes to text."""

from __future__ import annotations

import pytest

from websearch_web.kit.charset import decode

GERMAN = "Füße über Straße, schön. " * 4
RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю. " * 4
JAPANESE = "いろはにほへと ちりぬるを わかよたれそ つねならむ。" * 4

CASES = {
    "byte-order mark beats the header": (b"\xef\xbb\xbf" + GERMAN.encode(), "iso-8859-1", GERMAN),
    "UTF-16 with a mark": (b"\xff\xfe" + GERMAN.encode("utf-16-le"), "", GERMAN),
    "the header": (RUSSIAN.encode("koi8-r"), "koi8-r", RUSSIAN),
    "meta": (b'<meta charset="windows-1251">' + RUSSIAN.encode("cp1251"), "", None),
    "meta http-equiv": (
        b'<meta http-equiv=x content="text/html; charset=Shift_JIS">' + JAPANESE.encode("cp932"),
        "",
        None,
    ),
    "XML declaration": (b'<?xml version="1.0" encoding="koi8-r"?>' + RUSSIAN.encode("koi8-r"), "", None),
    "nothing said, UTF-8": (JAPANESE.encode(), "", JAPANESE),
    "nothing said, guessed": (RUSSIAN.encode("cp1251"), "", RUSSIAN),
    "a few words of the West": ("Straße;Ort\nMüller;Köln\n".encode("cp1252"), "", "Straße;Ort\nMüller;Köln\n"),
    "a word": ("Größe".encode("cp1252"), "", "Größe"),
    "French": ("nom,prénom\nLefèvre,Hélène\n".encode("cp1252"), "", "nom,prénom\nLefèvre,Hélène\n"),
    "Polish": ("Zażółć gęślą jaźń, proszę państwa".encode("cp1250"), "", "Zażółć gęślą jaźń, proszę państwa"),
    "latin-1 means windows-1252": ("“a” b".encode("cp1252"), "ISO-8859-1", "“a” b"),
    "latin-1 declared for UTF-8": (GERMAN.encode(), "iso-8859-1", GERMAN),
    "UTF-8 declared for something else": (RUSSIAN.encode("cp1251"), "utf-8", RUSSIAN),
    "UTF-8 with a stray byte": (GERMAN.encode() + b" \x80", "utf-8", f"{GERMAN} \ufffd"),
    "UTF-8 with a stray byte, not declared": (b"\xff " + RUSSIAN.encode(), "", f"\ufffd {RUSSIAN}"),
    "UTF-8 with a stray byte, by meta": (
        b'<meta charset="utf-8"> caf\xe9 ' + JAPANESE.encode(),
        "",
        f'<meta charset="utf-8"> caf\ufffd {JAPANESE}',
    ),
    "UTF-8 with a stray byte, declared as latin-1": (GERMAN.encode() + b"\xa0", "latin-1", f"{GERMAN}\ufffd"),
    "a single stray byte, declared as UTF-8": (b"un caf\xe9", "utf-8", "un caf\ufffd"),
    "UTF-8, declared as a charset that does not know its bytes": (
        f"{RUSSIAN} „ü“ …".encode(),
        "gb2312",
        f"{RUSSIAN} „ü“ …",
    ),
    "an unknown name": (GERMAN.encode(), "x-nonsense", GERMAN),
    "not a charset of text": (GERMAN.encode(), "base64", GERMAN),
    "cut in the middle of a character": (GERMAN.encode() + "ü".encode()[:1], "", GERMAN + "\ufffd"),
    "empty": (b"", "utf-8", ""),
}


@pytest.mark.parametrize("case", CASES)
def test_is_decoded(case: str) -> None:
    body, declared, expected = CASES[case]
    text = decode(body, declared)
    if expected is None:
        assert any(sample in text for sample in (GERMAN, RUSSIAN, JAPANESE))
    else:
        assert text == expected
    text.encode("utf-8")


@pytest.mark.parametrize(
    "declared", ["utf-7", "idna", "punycode", "unicode_escape", "rot13", "\x00", "utf-16", "utf-32"]
)
def test_odd_charsets_never_raise_or_leave_surrogates(declared: str) -> None:
    for body in (bytes(range(256)), b"\\ud800 +2AA-", b"\x00\xd8\x00\x00"):
        decode(body, declared).encode("utf-8")
