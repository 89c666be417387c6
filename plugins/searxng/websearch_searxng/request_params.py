"""Turns a search request into the parameters of SearXNG's /search."""

from __future__ import annotations

from websearch_core import SearchRequest
from websearch_core.kit import plain_query

from .regions import locale

CATEGORIES = {"web": "general", "news": "news", "images": "images"}
"""Ours to SearXNG's."""

# SearXNG's query parser (searx/query.py) reads words that begin so as commands: `!!w` sends the browser to Wikipedia,
# `!!` to the first result, `!images` and `?images` choose engines, `:de` a language, `<3` a timeout. DuckDuckGo, one
# of the engines behind it, does the like with `!w` and `\word`. All such words are meant, not only those that SearXNG
# knows, because which are commands depends on the engines that an installation has.
_SIGILS = "!?:\\"
_NUMBERED = "<"
_WERE_COMMANDS = "SearXNG: bangs and prefixes (!, ?, :, <) in the query were taken as plain words"
_SAFESEARCH = {"off": "0", "moderate": "1", "strict": "2"}


def parameters(request: SearchRequest) -> tuple[dict[str, str], list[str]]:
    """What SearXNG is sent, and what the model should know about it."""
    query, had_commands = plain_query(request.query, sigils=_SIGILS, numbered=_NUMBERED)
    language, note = locale(request.language, request.user_location_country)
    optional = {
        "language": language,
        "time_range": request.time_range,
        "safesearch": _SAFESEARCH[request.safesearch] if request.safesearch else None,
    }
    sent = {"q": query, "format": "json", "categories": CATEGORIES[request.vertical]}
    notes = [_WERE_COMMANDS] if had_commands else []
    return sent | {key: value for key, value in optional.items() if value}, notes + [note] * bool(note)
