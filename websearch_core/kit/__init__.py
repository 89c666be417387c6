"""For plugin authors: errors to raise, rarer types, and helpers for engines' JSON, dates, queries and Markdown."""

from typing import TYPE_CHECKING, Any

from ..contract.clients import GuardedClient, Objection, RawConnection, RobotsRules
from ..contract.errors import (
    AllSourcesFailed,
    AuthFailed,
    BlockedByFilter,
    BlockedBySite,
    InvalidRequest,
    MissingSetting,
    NeedsRendering,
    NetworkFailed,
    NotFound,
    Paywalled,
    PlanMismatch,
    QuotaExceeded,
    RateBudgetExceeded,
    RateLimited,
    Refused,
    ServerFailed,
    TimedOut,
    TooLarge,
    UnexpectedResponse,
    Unsupported,
)
from ..contract.fields import ADDRESS_FIELDS, HIDDEN_FIELD, INJECTION_KIND, Part
from ..contract.interfaces import Workers
from ..contract.outline import Heading, outline_of, paths_of
from ..contract.results import FetchAnswer, Inspected, ResourceLink, SearchAnswer
from ..contract.tool_request import ToolRequest

if TYPE_CHECKING:
    from ..marks import MarkedText, marked_slice, unmarked
    from ..net.domains import DomainRules
    from .dates import moment
    from .json_reader import Row, hit_of, require_hits, web_address
    from .markdown_blocks import TextBlock, blocks_of
    from .markdown_quoting import Quoted, fenced, literal, quoted
    from .paging import ResultPage, read_pages
    from .passage_ranking import passages, telling_words
    from .plain_text import prose
    from .queries import plain_query
    from .regions import RegionCodes, language_region
    from .tokens import estimate_tokens

__all__ = [
    "ADDRESS_FIELDS",
    "HIDDEN_FIELD",
    "INJECTION_KIND",
    "AllSourcesFailed",
    "AuthFailed",
    "BlockedByFilter",
    "BlockedBySite",
    "DomainRules",
    "FetchAnswer",
    "GuardedClient",
    "Heading",
    "Inspected",
    "InvalidRequest",
    "MarkedText",
    "MissingSetting",
    "NeedsRendering",
    "NetworkFailed",
    "NotFound",
    "Objection",
    "Part",
    "Paywalled",
    "PlanMismatch",
    "QuotaExceeded",
    "Quoted",
    "RateBudgetExceeded",
    "RateLimited",
    "RawConnection",
    "Refused",
    "RegionCodes",
    "ResourceLink",
    "ResultPage",
    "RobotsRules",
    "Row",
    "SearchAnswer",
    "ServerFailed",
    "TextBlock",
    "TimedOut",
    "TooLarge",
    "ToolRequest",
    "UnexpectedResponse",
    "Unsupported",
    "Workers",
    "blocks_of",
    "estimate_tokens",
    "fenced",
    "hit_of",
    "language_region",
    "literal",
    "marked_slice",
    "moment",
    "outline_of",
    "passages",
    "paths_of",
    "plain_query",
    "prose",
    "quoted",
    "read_pages",
    "require_hits",
    "telling_words",
    "unmarked",
    "web_address",
]

_LATE = {
    "..marks": ("MarkedText", "marked_slice", "unmarked"),
    "..net.domains": ("DomainRules",),
    ".dates": ("moment",),
    ".json_reader": ("Row", "hit_of", "require_hits", "web_address"),
    ".markdown_blocks": ("TextBlock", "blocks_of"),
    ".markdown_quoting": ("Quoted", "fenced", "literal", "quoted"),
    ".paging": ("ResultPage", "read_pages"),
    ".passage_ranking": ("passages", "telling_words"),
    ".plain_text": ("prose",),
    ".queries": ("plain_query",),
    ".regions": ("RegionCodes", "language_region"),
    ".tokens": ("estimate_tokens",),
}
"""Modules that are loaded when one of their names is first asked for: listing plugins needs few of them."""


def __getattr__(name: str) -> Any:
    """The helper of this name."""
    for module, names in _LATE.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(module, __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
