"""Fields of a document that have a form: a stranger wrote them, so what is not of its form is left out."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator

_LANGUAGE = re.compile(
    r"[a-z]{2,3}(?:-[a-z]{3})?(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))?", re.IGNORECASE
)
"""Language, extension, script, region, one variant (RFC 5646, §2.1): no room for a sentence."""
_KIND = re.compile(r"[a-z]{2,30}(?:\.[a-z_]{2,16})?")
"""One word, or a word and its group's (`video.movie`)."""
_SOURCE = re.compile(r"[a-z-]{1,16}")


def _language(text: str) -> str:
    tag = text.strip().replace("_", "-")
    return tag if _LANGUAGE.fullmatch(tag) else ""


def _kind(text: str) -> str:
    return text if _KIND.fullmatch(text) else ""


def _source(text: str) -> str:
    return text if _SOURCE.fullmatch(text) else ""


Language = Annotated[str, AfterValidator(_language)]
"""A language tag; anything else becomes empty."""
Kind = Annotated[str, AfterValidator(_kind)]
"""The type that a page gives itself; anything else becomes empty."""
DateSource = Annotated[str, AfterValidator(_source)]
"""Where a date was read, in a word; anything else becomes empty."""
