"""Makes a query that SearXNG, and the engines behind it, take for plain words."""

from __future__ import annotations

# SearXNG's query parser (searx/query.py) reads words that begin so as commands: `!!w` sends the browser to Wikipedia,
# `!!` to the first result, `!images` and `?images` choose engines, `:de` a language, `<3` a timeout. DuckDuckGo, one
# of the engines behind it, does the like with `!w` and `\word`. The rule here is wider than theirs on purpose: which
# words are commands depends on the engines that an installation has.
_SIGILS = "!?:\\"
_LEADING = _SIGILS + "<+-"
"""What is taken off a command's front; + and - too, for `!-word` must not become `-word`, which excludes."""


def plain(query: str) -> tuple[str, bool]:
    """The query without commands, and whether there were any. No word is lost.

    A command with a letter or digit loses its sigils (`!!w python` → `w python`, `:hover` → `hover`); one of
    punctuation alone is quoted (`a != b` → `a "!=" b`).
    """
    words = query.split()
    plain_words = [_plain_word(word) if _is_command(word) else word for word in words]
    return " ".join(plain_words), words != plain_words


def _is_command(word: str) -> bool:
    return word[0] in _SIGILS or (word[0] == "<" and word[1:].isdigit())


def _plain_word(word: str) -> str:
    if any(character.isalnum() for character in word):
        return word.lstrip(_LEADING)
    return f'"{word.replace(chr(34), "")}"'
