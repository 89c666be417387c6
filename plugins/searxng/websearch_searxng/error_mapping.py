"""Whose fault it is when SearXNG does not answer with results, and what the operator can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import BackendError
from websearch_core.kit import AuthFailed, InvalidRequest, NotFound, RateLimited, UnexpectedResponse

if TYPE_CHECKING:
    from websearch_core import EngineResponse

_LIMITER_S = 60.0
"""How long to keep away when the limiter does not say: its windows are 20 s, 10 minutes and an hour, and each further
request counts."""

JSON_IS_OFF = "SearXNG does not answer in JSON: add json to search.formats in SearXNG's settings.yml"
ADD_JSON = "use another backend; the operator must add json to search.formats in SearXNG's settings.yml"


class JsonIsOff(AuthFailed):
    """Nobody but the operator can mend it, and then without a change to our own settings."""

    next_step = ADD_JSON
    rest_s = 60.0


def explain(response: EngineResponse) -> BackendError | None:
    """SearXNG's own statuses; None for those that mean what they always mean."""
    match response.status:
        case 400:
            return InvalidRequest("SearXNG did not accept one of the arguments")
        case 401:
            return AuthFailed("SearXNG asks for a login: set username and password, or header_name and header_value")
        case 403:
            return JsonIsOff(JSON_IS_OFF)
        case 404:
            return NotFound("SearXNG has no search page at this address: check base_url")
        case 429:
            return RateLimited(
                "SearXNG's limiter turned us away: add this machine to pass_ip in SearXNG's limiter.toml",
                retry_after=_LIMITER_S if response.retry_after is None else response.retry_after,
            )
        case status if 300 <= status < 400:
            return UnexpectedResponse(
                "status", "SearXNG answered with a redirect, which is never followed: check base_url"
            )
        case _:
            return None


def page_instead_of_json() -> UnexpectedResponse:
    """For a 200 whose body is a page for people (an unknown format, a login page)."""
    error = UnexpectedResponse("body", JSON_IS_OFF)
    error.next_step = f"{ADD_JSON}, or check base_url where it shows a page of something else"
    return error
