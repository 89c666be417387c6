"""The chain for one caller: what tools, resources, prompts and commands are handed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from math import inf
from typing import TYPE_CHECKING, TypeVar

from ..contract.models import Caller, Document, Download, FetchRequest, SearchRequest
from ..contract.results import FetchAnswer, Inspected, SearchAnswer

if TYPE_CHECKING:
    from .chain import Chain

D = TypeVar("D", bound=Document)

Progress = Callable[[float, float, str], Awaitable[None]]


async def _untold(_done: float, _total: float, _message: str) -> None:
    """Drop the progress: the caller did not ask for it."""


class BoundGateway:
    """`Gateway` over the chain. A request's own caller is replaced: a plugin cannot forget or change it."""

    def __init__(
        self,
        chain: Chain,
        caller: Caller | None = None,
        progress: Progress = _untold,
        *,
        answer_tokens: float = inf,
    ) -> None:
        """Without a caller: the local user."""
        self._chain = chain
        self._caller = caller or Caller()
        self._progress = progress
        self._answer_tokens = answer_tokens

    @property
    def caller(self) -> Caller:
        """The caller on whose behalf everything here is done."""
        return self._caller

    @property
    def answer_tokens(self) -> float:
        """See `Gateway.answer_tokens`."""
        return self._answer_tokens

    async def search(self, request: SearchRequest) -> SearchAnswer:
        """See `Gateway.search`."""
        return await self._chain.search(request.model_copy(update={"caller": self._caller}))

    async def fetch(self, request: FetchRequest) -> FetchAnswer:
        """See `Gateway.fetch`."""
        return await self._chain.fetch(request.model_copy(update={"caller": self._caller}))

    async def inspect(self, documents: Sequence[D]) -> Inspected[D]:
        """See `Gateway.inspect`."""
        return await self._chain.inspecting.inspect(documents, self._caller)

    async def extract(self, download: Download, *, raw: bool = False) -> FetchAnswer:
        """See `Gateway.extract`."""
        return await self._chain.extract(download, self._caller, raw=raw)

    async def progress(self, done: float, total: float, message: str = "") -> None:
        """See `Gateway.progress`."""
        await self._progress(done, total, message)
