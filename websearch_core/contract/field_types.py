"""Fields of a document that have a form: a stranger wrote them, so what is not of its form is left out."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator


def _held_to(form: str) -> AfterValidator:
    """Text of this form; anything else becomes empty."""
    return AfterValidator(lambda text: text if re.fullmatch(form, text) else "")


Language = Annotated[
    str,
    AfterValidator(lambda text: text.strip().replace("_", "-")),
    _held_to(r"(?i)[a-z]{2,3}(?:-[a-z]{3})?(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))?"),
]
"""A language tag: language, extension, script, region, one variant (RFC 5646, §2.1), with no room for a sentence."""
Kind = Annotated[str, _held_to(r"[a-z]{2,30}(?:\.[a-z_]{2,16})?")]
"""The type that a page gives itself: one word, or a word and its group's (`video.movie`)."""
DateSource = Annotated[str, _held_to(r"[a-z-]{1,16}")]
"""Where a date was read, in a word."""
