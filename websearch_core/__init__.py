"""websearch: safe web search and reading for language models. These are the names that plugin authors import."""

from typing import TYPE_CHECKING, Any

from .answers import Answer, Event, FetchAnswer, Inspected, Lens, ResourceLink, SearchAnswer, ToolOutput
from .context import PluginContext
from .errors import (
    AuthFailed,
    BackendError,
    BlockedByFilter,
    BlockedBySite,
    Code,
    Drift,
    InvalidRequest,
    MissingSetting,
    NeedsRendering,
    NetworkFailed,
    NoAnswer,
    NotFound,
    NoTurn,
    Paywalled,
    PlanMismatch,
    QuotaExceeded,
    RateLimited,
    Refused,
    ServerFailed,
    StartupError,
    TimedOut,
    TooLarge,
    Unsupported,
)
from .hookspecs import hookimpl
from .interfaces import (
    Clock,
    DocumentFilter,
    Extractor,
    Fetcher,
    Observer,
    RequestFilter,
    SearchBackend,
    Store,
    TokenVerifier,
    TrustPolicy,
    Workers,
)
from .keys import KeyPool, Keys, OptionalKeys
from .models import Caller, Document, Download, FetchRequest, Hit, Outgoing, Page, SearchRequest
from .moments import moment
from .offers import Command, Gateway, Output, Prompt, Resource, Tool
from .outline import Heading, outline_of, paths_of
from .parts import Part
from .queries import plain_query
from .rows import Row, hit_of, hits_or_drift, web_address
from .settings import Settings
from .tool_request import ToolRequest
from .verdicts import Allow, Block, Finding, Rewrite, Verdict

if TYPE_CHECKING:
    from .blocks import TextBlock, blocks_of
    from .bm25 import passages, telling_words
    from .marks import MarkedText, marked_slice, unmarked
    from .net.api import Api, ApiResponse
    from .net.dial import Connection
    from .net.domains import Rules
    from .net.robots import Robots
    from .net.web import Web
    from .plain_text import prose
    from .quoting import Quoted, fenced, literal, quoted
    from .site_reader import SiteReader
    from .tokens import estimate_tokens

__all__ = [
    "Allow",
    "Answer",
    "Api",
    "ApiResponse",
    "AuthFailed",
    "BackendError",
    "Block",
    "BlockedByFilter",
    "BlockedBySite",
    "Caller",
    "Clock",
    "Code",
    "Command",
    "Connection",
    "Document",
    "DocumentFilter",
    "Download",
    "Drift",
    "Event",
    "Extractor",
    "FetchAnswer",
    "FetchRequest",
    "Fetcher",
    "Finding",
    "Gateway",
    "Heading",
    "Hit",
    "Inspected",
    "InvalidRequest",
    "KeyPool",
    "Keys",
    "Lens",
    "MarkedText",
    "MissingSetting",
    "NeedsRendering",
    "NetworkFailed",
    "NoAnswer",
    "NoTurn",
    "NotFound",
    "Observer",
    "OptionalKeys",
    "Outgoing",
    "Output",
    "Page",
    "Part",
    "Paywalled",
    "PlanMismatch",
    "PluginContext",
    "Prompt",
    "QuotaExceeded",
    "Quoted",
    "RateLimited",
    "Refused",
    "RequestFilter",
    "Resource",
    "ResourceLink",
    "Rewrite",
    "Robots",
    "Row",
    "Rules",
    "SearchAnswer",
    "SearchBackend",
    "SearchRequest",
    "ServerFailed",
    "Settings",
    "SiteReader",
    "StartupError",
    "Store",
    "TextBlock",
    "TimedOut",
    "TokenVerifier",
    "TooLarge",
    "Tool",
    "ToolOutput",
    "ToolRequest",
    "TrustPolicy",
    "Unsupported",
    "Verdict",
    "Web",
    "Workers",
    "blocks_of",
    "estimate_tokens",
    "fenced",
    "hit_of",
    "hits_or_drift",
    "hookimpl",
    "literal",
    "marked_slice",
    "moment",
    "outline_of",
    "passages",
    "paths_of",
    "plain_query",
    "prose",
    "quoted",
    "telling_words",
    "unmarked",
    "web_address",
]

_LAZY = {
    "Api": "net.api",
    "ApiResponse": "net.api",
    "Connection": "net.dial",
    "MarkedText": "marks",
    "Robots": "net.robots",
    "Rules": "net.domains",
    "SiteReader": "site_reader",
    "TextBlock": "blocks",
    "Web": "net.web",
    "blocks_of": "blocks",
    "Quoted": "quoting",
    "estimate_tokens": "tokens",
    "fenced": "quoting",
    "literal": "quoting",
    "marked_slice": "marks",
    "passages": "bm25",
    "prose": "plain_text",
    "telling_words": "bm25",
    "quoted": "quoting",
    "unmarked": "marks",
}


def __getattr__(name: str) -> Any:
    """What needs a library of its own loads it when somebody first names them, not when plugins are listed."""
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(f".{_LAZY[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
