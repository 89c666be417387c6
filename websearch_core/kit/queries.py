"""Makes a query that an engine takes for plain words: commands that redirect, switch engine or leave it lose theirs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_WEAK = "<+-"
"""Also taken away behind a command's sigil: `!-word` must not become `-word`, which excludes."""
_JOINERS = "\u200c\u200d"
"""Invisible, but part of how words are written in Persian or Hindi: they go only where they hide a command."""
_HEAD = re.compile(r"[\W_]*+")
_TAIL = re.compile(r"[\W_]*+$")
_ALTERNATIVE = re.compile(r"(?<=[^\W_])(?:_|[^\w|])*+\|")
"""`a|b` is how some engines write `a OR b`."""


def plain_query(
    query: str, *, sigils: str, prefixes: tuple[str, ...] = (), numbered: str = "", trailing: str = ""
) -> tuple[str, bool]:
    r"""The query without commands, and whether there were any. No word is lost, and doing it twice changes nothing.

    A command is a word with one of `sigils` before its first letter or digit (`!w`, `\first`, `"!w`, `-!w`), one that
    is one of `numbered` and digits (`<3`), or one that begins with one of `prefixes`, lower case and with a colon at
    their end, which are found in any case and behind punctuation (`cache:`, `(Cache:`). `trailing` are sigils that
    count after its last letter or digit, too (`w!`). All are also found in the other forms that Unicode has for them
    (full-width, small), and without the invisible format characters, which are dropped.

    A command with a letter or digit loses what makes it one (`!!w python` → `w python`, `cache:example.com` →
    `example.com`, `-cache:example.com` → `-example.com`); one of punctuation alone is quoted (`a != b` → `a "!=" b`).
    """
    commands = _Commands(sigils, prefixes, numbered, trailing)
    words = [_shown(word) for word in query.split()]
    plain_words = [commands.taken_from(word) for word in words]
    return " ".join(plain_words), words != plain_words


class _Commands:
    def __init__(self, sigils: str, prefixes: tuple[str, ...], numbered: str, trailing: str) -> None:
        self._sigils = sigils
        self._prefixes = prefixes
        self._numbered = tuple(numbered)
        self._trailing = trailing
        self._front = sigils + numbered + _WEAK
        self._all = sigils + trailing

    def taken_from(self, word: str) -> str:
        bare = word.translate(dict.fromkeys(map(ord, _JOINERS)))
        plain = self._plain(bare)
        return word if plain == bare else plain

    def _plain(self, word: str) -> str:
        text = _Text(word, "".join(map(self._as_read, word)))
        if _HEAD.fullmatch(text.read):  # punctuation alone
            return _quoted(word) if any(sigil in text.read for sigil in self._sigils) else word
        for start in reversed([0, *(match.end() for match in _ALTERNATIVE.finditer(text.read))]):
            self._clear(text, start)
        if self._trailing and (tail := _TAIL.search(text.read)):
            text.drop(at for at in range(tail.start(), tail.end()) if text.read[at] in self._trailing)
        return text.written

    def _clear(self, text: _Text, start: int) -> None:
        """Take away the commands that begin at `start`, one after the other: `cache:!w` has two."""
        while (end := _head_end(text.read, start)) < len(text.read):
            read = text.read
            sigil = next((at for at in range(start, end) if read[at] in self._sigils), None)
            if sigil is not None:
                text.drop(at for at in range(sigil, end) if read[at] in self._front)
            elif end == 1 and start == 0 and read.startswith(self._numbered) and read[1:].isdigit():
                text.drop((0,))
            elif name := next((prefix for prefix in self._prefixes if read.startswith(prefix, end)), ""):
                rest = end + len(name)
                said = _head_end(read, rest)
                if said == len(read):  # nothing behind it: the name is the word
                    text.drop(at for at in range(end, said) if read[at] in (":", *self._front))
                    return
                while read[rest] in self._front:
                    rest += 1
                text.drop(range(end, rest))
            else:
                return

    def _as_read(self, character: str) -> str:
        """The one character that an engine may read this one as."""
        forms = unicodedata.normalize("NFKC", character).lower()
        return forms if len(forms) == 1 else next((form for form in forms if form in self._all), character)


class _Text:
    """A word as it is written, and as engines may read it, character by character."""

    def __init__(self, written: str, read: str) -> None:
        self.written = written
        self.read = read

    def drop(self, positions: Iterable[int]) -> None:
        """Leave out the characters there."""
        for at in sorted(positions, reverse=True):
            self.written = self.written[:at] + self.written[at + 1 :]
            self.read = self.read[:at] + self.read[at + 1 :]


def _head_end(text: str, start: int) -> int:
    match = _HEAD.match(text, start)
    return match.end() if match else start


def _quoted(word: str) -> str:
    bare = word.replace('"', "")
    return f'"{bare}"'


def _shown(word: str) -> str:
    """Without format characters, if there are others."""
    return "".join(c for c in word if c in _JOINERS or unicodedata.category(c) != "Cf") or word
