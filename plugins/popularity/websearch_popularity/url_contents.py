"""What an address holds beside the way to a page: another address, or words that the page may show."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator

IsName = Callable[[str], bool]
"""Whether a text is a host name under a public suffix."""

_ABSOLUTE = re.compile(r"(?:https?|ftp):[/\\]|(?:\A|[=&;,|])[/\\]{2}|www\.", re.IGNORECASE)
_ABSOLUTE_SEGMENT = re.compile(r"(?:\A|/)(?:https?:(?:/|\Z)|www\.)", re.IGNORECASE)
_DOTS = re.compile("[\u3002\uff0e\uff61]")
_NAME = re.compile(r"[\w.-]+")
_NUMERIC = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])")
_PROGRAM = re.compile(r"(?<![\w-])[\w-]+\.(?:do|md|pl|py|sh)\Z", re.IGNORECASE)
"""A file's name at the end of a path, which is a host's name as well."""
_ENCODED = re.compile(r"[A-Za-z0-9+_-]{6,}")
_ENCODED_LINK = re.compile(r"aHR0c|odHRw|h0dHA|(?i:68747470)")
"""`http` in base64, wherever in its groups it begins, and in hexadecimal."""
_MOST_PIECES = 200
_STANDARD = str.maketrans("-_", "+/")
_CAMPAIGN = "utm_"
"""Parameters of this beginning name where a visitor came from, and lead nowhere."""
_PART = re.compile(r"[^&;]+")
_WORDS = re.compile(r"[^\W\d_]{2}[,.!?:]?[\s+]+[^\W\d_]{2}")
_PHRASE = re.compile(r"(?:[^\W\d_]{2,24}[-_.,~*]{1,3}){3}[^\W\d_]{2}")
"""Four words that signs join."""
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{6}")
"""Of scripts that put nothing between words."""
_LETTER = re.compile(r"[^\W\d_]")
_ASKED = re.compile(r"(?:q|s|k|kw|wd|qs|text|terms?|find|phrase|prompt|message|msg)\Z|search|query|keyword")


def holds_address(path: str, query: str, is_name: IsName) -> bool:
    """Whether a part of the path or the query is an address or a host, in base64 or hexadecimal too."""
    asked = "&".join(part for part in _PART.findall(query) if not part.lower().startswith(_CAMPAIGN))
    if _ABSOLUTE.search(query) or _NUMERIC.search(asked) or _ABSOLUTE_SEGMENT.search(path):
        return True
    if any(map(is_name, _names(asked))) or any(map(is_name, _names(_PROGRAM.sub("", path)))):
        return True
    encoded = _ENCODED.findall(f"{path} {asked}")
    if len(encoded) > _MOST_PIECES or _ENCODED_LINK.search(f"{path}?{asked}"):
        return True
    return any(is_name(name) for token in encoded for text in _decoded(token) for name in _names(text))


def holds_words(query: str) -> bool:
    """Whether a parameter is free text: words, or anything with letters in one that is called after a search."""
    for part in _PART.findall(query):
        name, _, value = part.lower().partition("=")
        if name.startswith(_CAMPAIGN):
            continue
        if any(form.search(value or name) for form in (_WORDS, _PHRASE, _UNSPACED)):
            return True
        if _LETTER.search(value) and _ASKED.search(name.rstrip("[]")):  # `filter[q]=`, too
            return True
    return False


def _names(text: str) -> Iterator[str]:
    plain = text if text.isascii() else _DOTS.sub(".", text)
    if "." in plain:
        yield from (name for match in _NAME.findall(plain) if "." in (name := match.strip(".-_")))


def _decoded(token: str) -> Iterator[str]:
    with_padding = token.translate(_STANDARD) + "=" * (-len(token) % 4)
    for decode, text in ((base64.b64decode, with_padding), (binascii.unhexlify, token)):
        try:
            value = decode(text).decode("ascii")
        except ValueError:
            continue
        if value.isprintable():
            yield value
