"""websearch: safe web search and reading for language models. These are the names that plugin authors import."""

from typing import TYPE_CHECKING, Any

from .contract.clients import EngineClient
from .contract.context import PluginContext
from .contract.engine_response import EngineResponse
from .contract.errors import BackendError, Code, StartupError
from .contract.hookspecs import hookimpl
from .contract.interfaces import (
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
)
from .contract.keys import KeyPool, Keys, OptionalKeys
from .contract.mcp_components import Command, Gateway, Output, Prompt, Resource, Tool
from .contract.models import Caller, Document, Download, FetchRequest, Hit, Outgoing, Page, SearchRequest
from .contract.results import Answer, Event, Lens, ToolOutput
from .contract.settings import Settings
from .contract.verdicts import Allow, Block, Finding, Rewrite, Verdict

if TYPE_CHECKING:
    from .asking.read.site_reader import SiteReader

__all__ = [
    "Allow",
    "Answer",
    "BackendError",
    "Block",
    "Caller",
    "Clock",
    "Code",
    "Command",
    "Document",
    "DocumentFilter",
    "Download",
    "EngineClient",
    "EngineResponse",
    "Event",
    "Extractor",
    "FetchRequest",
    "Fetcher",
    "Finding",
    "Gateway",
    "Hit",
    "KeyPool",
    "Keys",
    "Lens",
    "Observer",
    "OptionalKeys",
    "Outgoing",
    "Output",
    "Page",
    "PluginContext",
    "Prompt",
    "RequestFilter",
    "Resource",
    "Rewrite",
    "SearchBackend",
    "SearchRequest",
    "Settings",
    "SiteReader",
    "StartupError",
    "Store",
    "TokenVerifier",
    "Tool",
    "ToolOutput",
    "TrustPolicy",
    "Verdict",
    "hookimpl",
]

_RENAMED = {
    "Api": "EngineClient",
    "ApiResponse": "EngineResponse",
    "Connection": "RawConnection",
    "Drift": "UnexpectedResponse",
    "NoAnswer": "AllSourcesFailed",
    "NoTurn": "RateBudgetExceeded",
    "Robots": "RobotsRules",
    "Rules": "DomainRules",
    "Web": "GuardedClient",
    "hits_or_drift": "require_hits",
}
"""Names of 0.1, until 0.2: old name → name today."""


def __getattr__(name: str) -> Any:
    """`SiteReader`, whose library is loaded late; until 0.2 also old names and those of the kit, with a warning."""
    from importlib import import_module

    if name == "SiteReader":
        return import_module(".asking.read.site_reader", __name__).SiteReader
    kit, today = import_module(".kit", __name__), _RENAMED.get(name, name)
    if today not in (*__all__, *kit.__all__):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    room = import_module(__name__) if today in __all__ else kit
    import warnings

    told = f"{__name__}.{name} goes with 0.2: import {today} from {room.__name__}"
    warnings.warn(told, DeprecationWarning, stacklevel=2)
    return getattr(room, today)
