"""What Chromium says went wrong, as our errors: constant text, because its own names addresses."""

from __future__ import annotations

import re

from websearch_core import BackendError
from websearch_core.kit import BlockedBySite, NetworkFailed, Refused, ServerFailed, Unsupported

NO_PAGE = "the address brings a file and no page"
_CODE = re.compile(r"net::(ERR_[A-Z_0-9]+)")
_NOT_OF_THE_WEB = frozenset(
    ("ERR_UNSAFE_REDIRECT", "ERR_UNKNOWN_URL_SCHEME", "ERR_DISALLOWED_URL_SCHEME", "ERR_UNSAFE_PORT", "ERR_INVALID_URL")
)
_TOO_MANY = "ERR_TOO_MANY_REDIRECTS"


def of_browser(message: str, *, crashed: bool) -> BackendError:
    """For a message of Playwright's."""
    if crashed or "crashed" in message:
        return ServerFailed("the page crashed in the browser")
    found = _CODE.search(message)
    code = found[1] if found else ""
    if "Download is starting" in message or code == "ERR_ABORTED":
        return Unsupported(NO_PAGE)
    if code in _NOT_OF_THE_WEB:
        return Refused("the site leads to an address that is none of the web")
    if code == _TOO_MANY:
        return BlockedBySite("the site redirects in a circle, or too often")
    if code.startswith(("ERR_CERT", "ERR_SSL")):
        return NetworkFailed("the site's certificate is not valid, or TLS with it failed")
    if code in ("ERR_EMPTY_RESPONSE", "ERR_INVALID_HTTP_RESPONSE", "ERR_CONTENT_LENGTH_MISMATCH"):
        return NetworkFailed("the answer was cut short or is not HTTP")
    if "has been closed" in message:
        return ServerFailed("the page was closed before it was rendered")
    if code or not message:
        return NetworkFailed("no connection to the site")
    return ServerFailed("the browser failed while it rendered the page")
