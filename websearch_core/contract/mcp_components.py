"""What plugins bring to callers: tools, forms of a page, resources, prompts, commands; and what these are handed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Protocol, TypeVar

from .interfaces import Component
from .models import Caller, Document, Download, FetchRequest, SearchRequest
from .results import FetchAnswer, Inspected, ResourceLink, SearchAnswer, ToolOutput

if TYPE_CHECKING:
    import typer
    from pydantic import BaseModel

D = TypeVar("D", bound=Document)


class Gateway(Protocol):
    """The chain for one caller, as tools, resources, prompts and commands see it.

    What goes through it is screened, asked and inspected like any other call, in the name of `caller`, whatever the
    requests say.
    """

    @property
    def caller(self) -> Caller:
        """In whose name everything here is done."""
        ...

    @property
    def answer_tokens(self) -> float:
        """What a tool's text may cost before the server cuts it; infinite where there is no limit."""
        ...

    async def search(self, request: SearchRequest) -> SearchAnswer:
        """Raises `BlockedByFilter`, `InvalidRequest`, `AllSourcesFailed`."""
        ...

    async def fetch(self, request: FetchRequest) -> FetchAnswer:
        """Raises `BackendError`, `AllSourcesFailed`."""
        ...

    async def inspect(self, documents: Sequence[D]) -> Inspected[D]:
        """Judge text that did not come through `search` or `fetch`, before a model reads it."""
        ...

    async def extract(self, download: Download, *, raw: bool = False) -> FetchAnswer:
        """Read bytes that did not come through `fetch` with the installed extractors, and judge the page.

        Their origin is not checked, so no trust policy counts. `raw`: the document's text as it stands. Raises
        `BackendError`.
        """
        ...

    async def progress(self, done: float, total: float, message: str = "") -> None:
        """Tell the waiting client how far the work is; nothing happens when it did not ask."""
        ...


class Tool(Component):
    """An MCP tool that a plugin brings. `name` is the tool's name."""

    title: str = ""
    description: str
    """For a model, in few words."""
    arguments: type[BaseModel]
    """Its JSON schema is published; calls are validated with it."""
    output: type[BaseModel] | None = None
    """The shape of `ToolOutput.structured`, published as the output schema."""
    read_only: bool = True
    """False: a call changes something in the world; clients may then ask their user first."""
    optional: bool = False
    """True: offered only where `[server] tools` names it."""
    stays: frozenset[str] = frozenset()
    """Arguments that never leave this machine, so the request filters are not shown them."""

    @abstractmethod
    async def call(self, arguments: BaseModel, gateway: Gateway) -> ToolOutput:
        """Do the work. Raises `BackendError` for what the model should read; anything else is a bug."""


class Output(Component):
    """One more form in which `fetch` gives a page: `name` is a choice of its argument `output`."""

    description: str
    """For a model, in few words."""

    @abstractmethod
    async def of(self, answer: FetchAnswer, gateway: Gateway, tokens: float) -> ToolOutput:
        """The page in this form: text for a model, and the same as data, each of about `tokens` at most.

        What does not fit is left out, visibly. The text is marked as a stranger's, whatever `untrusted` says. Raises
        `BackendError`.
        """


class Resource(Component):
    """An MCP resource that a plugin brings."""

    uri: str
    """One address, or a template of them: `{name}` stands for a part without a slash (RFC 6570, level 1)."""
    title: str = ""
    description: str
    media_type: str = "text/markdown"

    @abstractmethod
    async def read(self, uri: str, gateway: Gateway) -> str | bytes:
        """The text, or the bytes, of this address. Raises `NotFound` when there is none."""

    async def listed(self, gateway: Gateway) -> Sequence[ResourceLink]:
        """Of a template: those of its addresses that this caller can read and should be shown, newest first."""
        return ()

    async def complete(self, argument: str, prefix: str, gateway: Gateway) -> Sequence[str]:
        """Of a template: what may stand for `{argument}` and holds `prefix` (more is sifted), best first."""
        return ()


class Prompt(Component):
    """An MCP prompt that a plugin brings."""

    title: str = ""
    description: str
    arguments: Mapping[str, str] = {}
    """Argument name → what it is for; all are required, except those in `optional`."""
    optional: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()
    """Tools of plugins that it speaks of: it is offered only where all of these are."""

    @abstractmethod
    async def render(self, arguments: Mapping[str, str], gateway: Gateway) -> str:
        """The user message. Raises `InvalidRequest` for an argument that it cannot use; anything else is a bug."""

    async def complete(self, argument: str, prefix: str, gateway: Gateway) -> Sequence[str]:
        """What may be given for this argument and holds `prefix` (more is sifted), best first."""
        return ()


class Command(Component):
    """A sub-command of `websearch`: `name` is the word that the operator types."""

    summary: str

    @abstractmethod
    def app(self, gateway: Callable[[], AbstractAsyncContextManager[Gateway]]) -> typer.Typer:
        """A Typer application. `async with gateway() as g:` starts the chain for as long as the command needs it."""
