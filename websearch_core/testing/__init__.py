"""Contract classes, fakes and a loopback site for plugin authors; each name is loaded when it is first used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .contracts import (
        CommandContract,
        DocumentFilterContract,
        ExtractorContract,
        FetcherContract,
        LocalBackendContract,
        LocalFetcherContract,
        ObserverContract,
        OutputContract,
        PromptContract,
        RequestFilterContract,
        ResourceContract,
        SearchBackendContract,
        SiteReaderContract,
        StoreContract,
        TokenVerifierContract,
        ToolContract,
        TrustPolicyContract,
    )
    from .fakes import FakeClock, FakeGateway, context
    from .site import LoopbackSite, RecordedRequest, Response, answer

__all__ = [
    "CommandContract",
    "DocumentFilterContract",
    "ExtractorContract",
    "FakeClock",
    "FakeGateway",
    "FetcherContract",
    "LocalBackendContract",
    "LocalFetcherContract",
    "LoopbackSite",
    "ObserverContract",
    "OutputContract",
    "PromptContract",
    "RecordedRequest",
    "RequestFilterContract",
    "ResourceContract",
    "Response",
    "SearchBackendContract",
    "SiteReaderContract",
    "StoreContract",
    "TokenVerifierContract",
    "ToolContract",
    "TrustPolicyContract",
    "answer",
    "context",
]


def __getattr__(name: str) -> Any:
    """Load late: pytest imports this package in every run, and must not load the kit each time."""
    from importlib import import_module

    if name in __all__:
        for module in ("fakes", "site", "contracts"):
            found = getattr(import_module(f".{module}", __name__), name, None)
            if found is not None:
                return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
