"""Lists of domains as text → host names; a list that does not look like one is refused whole."""

from __future__ import annotations

from collections.abc import Iterator

from websearch_core.kit import UnexpectedResponse

from .hashed_names import pack
from .url_place import host_name

_HEADING = "domain"
_BAD_SHARE = 10
"""One line in so many may be no host name: lists hold odd entries, an error page holds hardly anything else."""
_LEAST_SHARE = 10
"""A list must have at least one in so many of the names that it is called after."""
_MOST_SHARE = 1.1
"""And not many more: the top 500,000 in place of the top 1,000 would be trusted in full."""


def packed_ranking(text: bytes, bucket: int, salt: bytes) -> bytes:
    """A downloaded list of the `bucket` most popular domains, packed.

    Raises `UnexpectedResponse` when it cannot be that.

    Takes a second for half a million names: for a worker.
    """
    # without its line's end, the last name may be the beginning of another
    lines = text.decode("utf-8", "replace").rpartition("\n")[0].splitlines()
    entries = [entry for line in lines if (entry := line.strip()) and entry.lower() != _HEADING]
    names = [name for entry in entries if (name := host_name(entry))]
    if len(entries) - len(names) > len(entries) // _BAD_SHARE:
        raise UnexpectedResponse("body", "the list holds too much that is no domain")
    packed = pack(names, salt)
    if not max(1, bucket // _LEAST_SHARE) <= len(packed) // 8 <= bucket * _MOST_SHARE:
        raise UnexpectedResponse("body", "the list is much shorter or longer than it should be")
    return packed


def own_names(text: str) -> Iterator[str]:
    """The domains of an operator's file: one a line, `#` begins a comment. Raises ValueError with the line's number."""
    for number, line in enumerate(text.splitlines(), 1):
        if entry := line.partition("#")[0].strip():
            if not (name := host_name(entry)):
                raise ValueError(f"line {number} is not a domain")
            yield name
