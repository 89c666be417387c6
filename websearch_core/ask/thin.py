"""The query without its small words: asked once more, where the operator wants it, when hardly anything was found."""

from __future__ import annotations

SMALL_WORDS = frozenset(
    (
        # English
        "a", "about", "an", "and", "are", "as", "at", "be", "by", "can", "did", "do", "does", "for", "from", "had",
        "has", "have", "how", "i", "if", "in", "is", "it", "its", "me", "my", "of", "on", "or", "our", "please",
        "should", "so", "that", "the", "their", "there", "these", "this", "to", "was", "we", "were", "what", "when",
        "where", "which", "who", "why", "will", "with", "you", "your",
        # German
        "das", "dem", "den", "der", "des", "die", "ein", "eine", "einem", "einen", "einer", "für", "im", "ist", "mit",
        "nicht", "oder", "und", "von", "wie", "wird", "zu", "zum", "zur",
        # French, Spanish, Italian, Portuguese
        "au", "aux", "avec", "dans", "de", "del", "della", "di", "du", "e", "el", "en", "est", "et", "il", "la", "las",
        "le", "les", "los", "o", "os", "ou", "para", "par", "per", "por", "pour", "que", "sur", "un", "una", "une", "y",
    )
)  # fmt: skip
"""Articles, prepositions and the like, which a full-text engine may demand of every page."""


def thinned(query: str) -> str:
    """The query without small words; empty when there are none, or when fewer than two words would be left.

    What stands in quotation marks, and words with an operator (`site:`, a minus), stay as they are.
    """
    if '"' in query:
        return ""
    words = query.split()
    kept = [word for word in words if word.strip("?.,;!").lower() not in SMALL_WORDS]
    return " ".join(kept) if 2 <= len(kept) < len(words) else ""
