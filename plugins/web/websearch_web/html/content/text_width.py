"""How long a text is to a reader: one sign of Chinese, Japanese or Korean says as much as two or three letters."""

from __future__ import annotations

import re

_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def width(text: str) -> int:
    """Its characters; those of dense scripts count twice."""
    return len(text) if text.isascii() else len(text) + len(_DENSE.findall(text))
