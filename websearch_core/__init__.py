"""websearch: safe web search and reading for language models. These are the names that plugin authors import."""

from typing import TYPE_CHECKING, Any

from .answers import Answer, Event, FetchAnswer, Inspected, Lens, SearchAnswer, ToolOutput
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
    Command,
    DocumentFilter,
    Extractor,
    Fetcher,
    Gateway,
    Observer,
    Prompt,
    RequestFilter,
    Resource,
    SearchBackend,
    Store,
    TokenVerifier,
    Tool,
    TrustPolicy,
    Workers,
)
from .keys import KeyPool, Keys, OptionalKeys
from .models import Caller, Document, Download, FetchRequest, Hit, Outgoing, Page, SearchRequest
from .moments import moment
from .outline import Heading, outline_of, paths_of
from .parts import Part
from .queries import plain_query
from .rows import Row, hit_of, hits_or_drift, web_address
from .settings import Settings
from .tool_request import ToolRequest
from .verdicts import Allow, Block, Finding, Rewrite, Verdict

if TYPE_CHECKING:
    from .blocks import TextBlock, blocks_of
    from .net.api import Api, ApiResponse
    from .net.dial import Connection
    from .net.domains import Rules
    from .net.robots import Robots
    from .net.web import Web
    from .passages import passages
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
    "MissingSetting",
    "NeedsRendering",
    "NetworkFailed",
    "NoAnswer",
    "NoTurn",
    "NotFound",
    "Observer",
    "OptionalKeys",
    "Outgoing",
    "Page",
    "Part",
    "Paywalled",
    "PlanMismatch",
    "PluginContext",
    "Prompt",
    "QuotaExceeded",
    "RateLimited",
    "Refused",
    "RequestFilter",
    "Resource",
    "Rewrite",
    "Robots",
    "Row",
    "Rules",
    "SearchAnswer",
    "SearchBackend",
    "SearchRequest",
    "ServerFailed",
    "Settings",
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
    "hit_of",
    "hits_or_drift",
    "hookimpl",
    "moment",
    "outline_of",
    "passages",
    "paths_of",
    "plain_query",
    "web_address",
]

_LAZY = {
    "Api": "net.api",
    "ApiResponse": "net.api",
    "Connection": "net.dial",
    "Robots": "net.robots",
    "Rules": "net.domains",
    "TextBlock": "blocks",
    "Web": "net.web",
    "blocks_of": "blocks",
    "estimate_tokens": "tokens",
    "passages": "passages",
}


def __getattr__(name: str) -> Any:
    """What needs a library of its own loads it when somebody first names them, not when plugins are listed."""
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(f".{_LAZY[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
