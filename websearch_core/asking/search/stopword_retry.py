"""The query without its small words: asked once more, where the operator wants it, when hardly anything was found."""

from __future__ import annotations

from ...kit.stopwords import SMALL_WORDS


def thinned(query: str) -> str:
    """The query without small words; empty when there are none, or when fewer than two words would be left.

    What stands in quotation marks, and words with an operator (`site:`, a minus), stay as they are.
    """
    if '"' in query:
        return ""
    words = query.split()
    kept = [word for word in words if word.strip("?.,;!").lower() not in SMALL_WORDS]
    return " ".join(kept) if 2 <= len(kept) < len(words) else ""
