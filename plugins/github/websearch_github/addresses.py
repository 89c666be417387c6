"""What an address of GitHub stands for."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote

_REPOSITORY = r"https?://(?:www\.)?github\.com/(?P<owner>[a-z0-9](?:[a-z0-9-]{0,38}))/(?P<name>[a-z0-9._-]{1,100})"
_FORMS = {
    # `tab` shows another file: the licence, the code of conduct
    "readme": re.compile(rf"{_REPOSITORY}/?(?!\?(?:[^#]*&)?tab=(?!readme))(?:[?#].*)?", re.IGNORECASE),
    "thread": re.compile(rf"{_REPOSITORY}/(?:issues|pull)/(?P<rest>[0-9]{{1,9}})/?(?:[?#].*)?", re.IGNORECASE),
    "file": re.compile(rf"{_REPOSITORY}/blob/(?P<rest>[^?#]+/[^?#]+)(?:[?#].*)?", re.IGNORECASE),
    "gist": re.compile(
        # old ids are numbers; a word in hexadecimal digits is somebody's name
        r"https?://gist\.github\.com/(?:(?P<owner>[a-z0-9-]{1,39})/)?"
        r"(?P<rest>[0-9]{1,9}|[0-9a-f]{20}|[0-9a-f]{32})/?(?:[?#].*)?",
        re.IGNORECASE,
    ),
}
_NO_OWNERS = frozenset(
    (
        *("account", "advisories", "codespaces", "copilot", "dashboard", "discussions", "education", "join", "logout"),
        *("new", "organizations", "partners", "sessions", "team", "why-github"),
        *("about", "apps", "collections", "contact", "customer-stories", "enterprise", "events", "explore", "features"),
        *("issues", "login", "marketplace", "notifications", "orgs", "pricing", "pulls", "readme", "resources"),
        *("search", "security", "settings", "site", "solutions", "sponsors", "stars", "topics", "trending", "users"),
    )
)


class Place(NamedTuple):
    """A repository's README or file, a thread, or a gist."""

    kind: str
    repository: str
    """`owner/name`; empty for gists."""
    rest: str
    """A number, an id, or `ref/path` as it is in the address."""


def place_of(url: str) -> Place | None:
    """What is there, as far as the address tells; None: something else, or not GitHub."""
    for kind, form in _FORMS.items():
        if match := form.fullmatch(url):
            parts = match.groupdict()
            rest, name = parts.get("rest") or "", parts.get("name")
            climbs = {".", ".."} & {name, *unquote(rest).replace("\\", "/").split("/")}
            if climbs or (parts["owner"] or "").lower() in _NO_OWNERS:
                return None
            return Place(kind, f"{parts['owner']}/{name.removesuffix('.git')}" if name else "", rest)
    return None
