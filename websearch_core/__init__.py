"""websearch: safe web search and reading for language models. These are the names that plugin authors import."""

from typing import TYPE_CHECKING, Any

from .contract.clients import EngineClient
from .contract.context import PluginContext
from .contract.engine_response import EngineResponse
from .contract.errors import (
    BackendError,
    Code,
    StartupError,
)
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

_NEW_IN_KIT = frozenset(
    [
        "DomainRules",
        "Objection",
        "RateBudgetExceeded",
        "RawConnection",
        "RegionCodes",
        "ResultPage",
        "RobotsRules",
        "language_region",
        "read_pages",
        "require_hits",
    ]
)
"""Names of the kit that were never here."""
_RENAMED = {
    "Api": ("", "EngineClient"),
    "ApiResponse": ("", "EngineResponse"),
    "Connection": (".kit", "RawConnection"),
    "Drift": (".kit", "UnexpectedResponse"),
    "NoAnswer": (".kit", "AllSourcesFailed"),
    "NoTurn": (".kit", "RateBudgetExceeded"),
    "Robots": (".kit", "RobotsRules"),
    "Rules": (".kit", "DomainRules"),
    "Web": (".kit", "GuardedClient"),
    "hits_or_drift": (".kit", "require_hits"),
}
"""Names of 0.1 that lead elsewhere, until 0.2: old name → module and name today."""


def __getattr__(name: str) -> Any:
    """What needs a library of its own, and the names that have moved: those warn."""
    from importlib import import_module

    if name == "SiteReader":
        return import_module(".asking.read.site_reader", __name__).SiteReader
    kit = import_module(".kit", __name__)
    room, today = _RENAMED.get(name, (".kit", name if name in kit.__all__ and name not in _NEW_IN_KIT else ""))
    if not today:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import warnings

    where = f"{__name__}{room}"
    warnings.warn(f"{__name__}.{name} goes with 0.2: import {today} from {where}", DeprecationWarning, stacklevel=2)
    return getattr(import_module(where), today)
