"""Makes a query that an engine takes for plain words: commands that redirect, switch engine or leave it lose theirs."""

from __future__ import annotations

_WEAK = "<+-"
"""Also taken off a command's front: `!-word` must not become `-word`, which excludes."""


def plain_query(query: str, *, sigils: str, prefixes: tuple[str, ...] = ()) -> tuple[str, bool]:
    """The query without commands, and whether there were any. No word is lost, and doing it twice changes nothing.

    A command is a word that begins with one of `sigils` (`!w`, `\\\\first`), or with one of `prefixes`, in any case
    (`cache:`). A command with a letter or digit loses its sigils or prefix (`!!w python` → `w python`,
    `cache:example.com` → `example.com`); one of punctuation alone is quoted (`a != b` → `a "!=" b`).
    """
    words = query.split()
    plain_words = [word if (rest := _rest(word, sigils, prefixes)) is None else _plain(word, rest) for word in words]
    return " ".join(plain_words), words != plain_words


def _rest(word: str, sigils: str, prefixes: tuple[str, ...]) -> str | None:
    """What is left of a command; None for a word that is none."""
    rest, before = word, ""
    while rest != before:
        before = rest
        if rest[:1] and rest[0] in sigils:
            rest = rest.lstrip(sigils + _WEAK)
        for prefix in prefixes:
            # also behind a minus or a quotation mark, which engines read past
            bare = rest.lstrip('-+"')
            if bare.lower().startswith(prefix):
                rest = bare[len(prefix) :]
    return None if rest == word else rest


def _plain(word: str, rest: str) -> str:
    if any(character.isalnum() for character in rest):
        return rest
    return f'"{word.replace(chr(34), "")}"'
