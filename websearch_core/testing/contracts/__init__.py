"""The contract classes: inherit one in a test file, fill in what it asks for, and pytest does the rest."""

from .backends import LocalBackendContract, SearchBackendContract
from .commands import CommandContract
from .extractors import ExtractorContract
from .fetchers import FetcherContract, LocalFetcherContract
from .filters import DocumentFilterContract, RequestFilterContract
from .mcp import OutputContract, PromptContract, ResourceContract, ToolContract
from .observers import ObserverContract
from .site_readers import SiteReaderContract
from .stores import StoreContract
from .trust import TokenVerifierContract, TrustPolicyContract

__all__ = [
    "CommandContract",
    "DocumentFilterContract",
    "ExtractorContract",
    "FetcherContract",
    "LocalBackendContract",
    "LocalFetcherContract",
    "ObserverContract",
    "OutputContract",
    "PromptContract",
    "RequestFilterContract",
    "ResourceContract",
    "SearchBackendContract",
    "SiteReaderContract",
    "StoreContract",
    "TokenVerifierContract",
    "ToolContract",
    "TrustPolicyContract",
]
