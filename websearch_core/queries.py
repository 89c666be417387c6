"""Makes a query that an engine takes for plain words: commands that redirect, switch engine or leave it lose theirs."""

from __future__ import annotations

_WEAK = "<+-"
"""Also taken off a command's front: `!-word` must not become `-word`, which excludes."""
_FULL_WIDTH = 0xFEE0
"""From an ASCII sigil to its full-width form (U+FF01), which engines read in the same way."""


def plain_query(query: str, *, sigils: str, prefixes: tuple[str, ...] = (), numbered: str = "") -> tuple[str, bool]:
    r"""The query without commands, and whether there were any. No word is lost, and doing it twice changes nothing.

    A command is a word that begins with one of `sigils` (`!w`, `\first`), with one of `numbered` and then digits
    only (`<3`), or with one of `prefixes`, lower case, which are found in any case (`cache:`). A command with a letter
    or digit loses what makes it one (`!!w python` → `w python`, `cache:example.com` → `example.com`); one of
    punctuation alone is quoted (`a != b` → `a "!=" b`).
    """
    commands = _Commands(_both_widths(sigils), prefixes, _both_widths(numbered))
    words = query.split()
    plain_words = [_plain(word, commands.taken_off(word)) for word in words]
    return " ".join(plain_words), words != plain_words


class _Commands:
    def __init__(self, sigils: str, prefixes: tuple[str, ...], numbered: str) -> None:
        self._sigils = tuple(sigils)
        self._prefixes = prefixes
        self._numbered = tuple(numbered)
        self._front = sigils + numbered + _WEAK

    def taken_off(self, word: str) -> str:
        """What is left of a word when no command is at its front any more."""
        before = ""
        while word != before:
            before = word
            if word.startswith(self._sigils) or (word.startswith(self._numbered) and word[1:].isdigit()):
                word = word.lstrip(self._front)
            unquoted = word.lstrip('"' + _WEAK)  # which engines read past
            for prefix in self._prefixes:
                if unquoted.lower().startswith(prefix):
                    rest = unquoted[len(prefix) :].lstrip(self._front)
                    word = rest if _says_something(rest) else unquoted[: len(prefix)].rstrip(":")
        return word


def _plain(word: str, rest: str) -> str:
    if _says_something(rest) or rest == word:
        return rest
    return f'"{word.replace(chr(34), "")}"'


def _says_something(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _both_widths(sigils: str) -> str:
    return sigils + "".join(chr(ord(sigil) + _FULL_WIDTH) for sigil in sigils)
