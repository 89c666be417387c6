"""How long a document may be used again, as its site says (RFC 9111 and RFC 5861), for a cache of one tenant."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from email.utils import parsedate_to_datetime

from ...contract.fields import Value

_DIRECTIVE = re.compile(r'([A-Za-z-]{1,40})[ \t]*(?:=[ \t]*(?:"([^"]{0,200})"|([^\s,"]{1,200})))?')
_STRICT = frozenset(("must-revalidate", "no-cache"))
_LONGEST_VARY = 4000
_LONGEST = 1 << 31
"""Seconds (RFC 9111, §1.2.2)."""


class Freshness(Value):
    """What the site says of a document, in seconds since the site was asked."""

    kept: bool = True
    """False: nothing of it is to be written down (`no-store`)."""
    fresh_s: float | None = None
    """How long it may be used without asking again; None: the site says nothing."""
    while_s: float = 0.0
    """How long after that it may be used once more while the site is asked (`stale-while-revalidate`)."""
    on_error_s: float | None = None
    """How long after that it may be used where the site cannot be asked; None: the site says nothing."""
    strict: bool = False
    """An old copy must not be used before the site has confirmed it (`must-revalidate`, `no-cache`)."""
    vary: tuple[str, ...] = ()
    """The request's headers that the site chose it by, names in lower case; `*`: all of them."""


UNSAID = Freshness()


def freshness_of(headers: Mapping[str, str], redirects: Sequence[Mapping[str, str]] = ()) -> Freshness:
    """What a document's headers (names in lower case), and those of the answers that led there, say together.

    What cannot be read counts as not said, or as the shorter time. A document that is used by the address that was
    asked for depends on the redirects, too: so the strictest counts.
    """
    document, *led = (_of(each) for each in (headers, *redirects))
    timed = [each for each in led if each.fresh_s is not None]
    return Freshness(
        kept=all(each.kept for each in (document, *led)),
        fresh_s=_least(each.fresh_s for each in (document, *led)),
        while_s=min(each.while_s for each in (document, *timed)),
        on_error_s=_least(each.on_error_s for each in (document, *led)),
        strict=any(each.strict for each in (document, *led)),
        vary=tuple(sorted({name for each in (document, *led) for name in each.vary})),
    )


def confirmed(before: Freshness, headers: Mapping[str, str]) -> Freshness:
    """After a 304 with these headers; where they say nothing, what was said before still holds (RFC 9111, §3.2)."""
    said = _of(headers)
    changes: dict[str, object] = {} if "vary" in headers else {"vary": before.vary}
    if "cache-control" not in headers:
        # which of the two goes before depends on what is no longer known
        changes["fresh_s"] = _least((before.fresh_s, said.fresh_s))
        changes |= {"while_s": before.while_s, "on_error_s": before.on_error_s, "strict": before.strict}
    return said.model_copy(update=changes)


def selection(vary: Collection[str], sent: Mapping[str, str]) -> str:
    """The same for requests that agree in all headers that a site chose by (RFC 9111, §4.1); reveals none of them."""
    values = {name.lower(): " ".join(value.split()) for name, value in sent.items()}
    chosen = [[name, values.get(name)] for name in (sorted(values) if "*" in vary else vary)]
    return hashlib.sha256(json.dumps(chosen).encode()).hexdigest() if chosen else ""


def _of(headers: Mapping[str, str]) -> Freshness:
    said = _directives(headers.get("cache-control", ""))
    if "no-store" in said:
        return Freshness(kept=False)
    return Freshness(
        fresh_s=_fresh(headers, said),
        while_s=_seconds(said.get("stale-while-revalidate")) or 0.0,
        on_error_s=_seconds(said.get("stale-if-error")),
        strict=not said.keys().isdisjoint(_STRICT),
        vary=tuple(sorted(_varies(headers))),
    )


def _least(seconds: Iterable[float | None]) -> float | None:
    return min((each for each in seconds if each is not None), default=None)


def _fresh(headers: Mapping[str, str], said: Mapping[str, str]) -> float | None:
    if "no-cache" in said or "*" in _varies(headers):
        return 0.0
    age = _seconds(headers.get("age", "").partition(",")[0]) or 0.0  # of several the first counts (RFC 9111, §5.1)
    if "max-age" in said:
        return max(0.0, (_seconds(said["max-age"]) or 0.0) - age)
    if "expires" not in headers:
        return None
    try:
        expires, date = (parsedate_to_datetime(headers[name]) for name in ("expires", "date"))
        return max(0.0, (expires - date).total_seconds() - age)
    except (KeyError, ValueError, TypeError, OverflowError):
        return 0.0  # an invalid date has passed (RFC 9111, §5.3)


def _varies(headers: Mapping[str, str]) -> frozenset[str]:
    """Alone `*` where the list has it, or is too long to be read through: it may name any header."""
    text = headers.get("vary", "")
    names = {name.strip().lower() for name in text.split(",")} - {""} if len(text) <= _LONGEST_VARY else {"*"}
    return frozenset("*") if "*" in names else frozenset(names)


def _directives(text: str) -> dict[str, str]:
    """Of directives that are repeated the first counts (RFC 9111, §4.2.1)."""
    found: dict[str, str] = {}
    for match in _DIRECTIVE.finditer(text[:4000]):
        found.setdefault(match[1].lower(), match[2] or match[3] or "")
    return found


def _seconds(text: str | None) -> float | None:
    if text is None or not text.strip().isascii() or not text.strip().isdigit():
        return None
    return float(min(int(text.strip()[:12]), _LONGEST))
