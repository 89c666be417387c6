"""What Stack Exchange says when it does not answer: a number of its own in the body."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from websearch_core import BackendError
from websearch_core.kit import AuthFailed, InvalidRequest, NotFound, RateLimited, Row, ServerFailed

if TYPE_CHECKING:
    from websearch_core import EngineResponse

_WAIT = re.compile(r"available in (\d{1,6}) seconds")


def explain(response: EngineResponse) -> BackendError | None:
    """Errors by their `error_id` (api.stackexchange.com/docs/error-handling); None: as the status says."""
    # errors have status 400; should one come with 200, it is no answer, either
    if response.status < 400 and b'"error_id"' not in response.content[:500]:
        return None
    row = Row.of_error(response)
    match row.number("error_id"):
        case 400:
            return InvalidRequest("Stack Exchange did not accept the site, the number or the key")
        case 401 | 402 | 403 | 405 | 406:
            return AuthFailed("Stack Exchange refused the key: see WEBSEARCH_STACKEXCHANGE__API_KEY")
        case 404:
            return NotFound("Stack Exchange has no such question")
        case 502:
            wait = _WAIT.search(row.text("error_message"))
            return RateLimited("Stack Exchange asks us to slow down", retry_after=float(wait[1]) if wait else None)
        case 500 | 503:
            return ServerFailed("Stack Exchange failed")
        case _:
            return NotFound("Stack Exchange has no such question") if response.status == 404 else None
