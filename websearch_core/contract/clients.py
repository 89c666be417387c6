"""The two clients for the network, as plugins see them, and what sites say of automatic readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypedDict, Unpack

if TYPE_CHECKING:
    from pydantic import SecretStr

    from .engine_response import EngineResponse, Parameter
    from .errors import BackendError
    from .models import Download, FetchRequest


class Objection(NamedTuple):
    """Why a site does not let us read an address."""

    code: str
    """`robots`, or the code of the failure that kept us from asking."""
    reason: str


class RobotsRules(Protocol):
    """The robots.txt of the sites that were visited."""

    async def objection(self, url: str) -> Objection | None:
        """Why the site does not let us read this address; None: it does. For lists of what was left out.

        Raises `BackendError` when a filter blocks the address: then the site is asked nothing at all.
        """
        ...

    async def permit(self, url: str, *, redirected: bool = False) -> None:
        """Raises `Refused` where the site does not let us read this address, which the filters have seen."""
        ...

    async def delay(self, url: str) -> float:
        """Seconds between two requests that the site asks for, at most ten; 0 when it asks for nothing."""
        ...


class RawConnection(Protocol):
    """A connection to a checked address. Bytes as they come: TLS and HTTP on it are the business of who opened it."""

    async def receive(self, max_bytes: int = 65_536) -> bytes:
        """Some bytes; empty at the end. Raises `NetworkFailed`."""
        ...

    async def send(self, data: bytes) -> None:
        """Every byte, when this returns, is the system's to deliver. Raises `NetworkFailed`."""
        ...

    async def aclose(self) -> None:
        """Close it, both ways."""
        ...


class GuardedClient(Protocol):
    """The only way in which a page is fetched. Nothing here can be told to reach what the policy forbids."""

    @property
    def robots(self) -> RobotsRules:
        """What sites say of automatic readers."""
        ...

    async def download(
        self,
        request: FetchRequest,
        *,
        headers: Mapping[str, str] | None = None,
        max_bytes: int | None = None,
        on_cap: Literal["error", "truncate"] = "truncate",
        timeout_s: float | None = None,
        onward: Callable[[Download], str] | None = None,
    ) -> Download:
        r"""GET one address. Raises `BackendError`.

        The lowest of the operator's, the request's and the caller's byte cap wins; beyond it the body is either
        `TooLarge` or cut, marked in its text (`\n\n[truncated at N bytes]`) and in `truncated`. A 304 is an answer
        when the request carries validators, which go to its own address only. `headers` are sent to the first origin
        only, but for Accept, Accept-Language and User-Agent. `timeout_s` replaces the settings' total time; the
        caller's deadline counts too. Where the request obeys robots.txt, every hop is asked for only if its site's
        file allows it. `onward` may say where a document sends its reader: that is followed as a redirect is, under the
        same rules and within the same number. Once in a download, a site that asks for a short pause, breaks off before
        its answer begins, or lets most of the time pass until then, is asked again. An address that asked for a pause
        is not asked before that is over, but for an hour at most, and the rest of its host for two minutes at most.
        """
        ...

    async def connect(self, url: str) -> RawConnection:
        """Open a connection to the host of an http(s) address, for what speaks for itself: a browser behind a proxy.

        Host, addresses and the way through the operator's proxy are judged and pinned as for a download, and nothing
        else is: the caller gives the addresses that it will ask for to `screened`, minds the time, and closes it.
        Raises `BackendError`.
        """
        ...

    def failure(self, status: int, headers: Mapping[str, str], url: str = "") -> BackendError | None:
        """The error that a page's status means for its reader; None: it brings a document. Names in lower case.

        An address that asks for a pause so has it.
        """
        ...

    async def admitted(self, request: FetchRequest, before: str = "") -> FetchRequest:
        """For what is asked for without `download`, a browser's page: the request, judged as a hop of a download is.

        `before` is the address that led there; empty: none did. Raises as `download`.
        """
        ...

    def sends(self, headers: Mapping[str, str]) -> dict[str, str]:
        """The headers that a download with these goes out with, names in lower case. Raises `InvalidRequest`."""
        ...

    async def screened(self, request: FetchRequest) -> FetchRequest:
        """The request as the chain's screen leaves it; without a chain, judged by the address rules. Raises as they do.

        For addresses that did not come through the chain: a crawler's robots.txt, a browser's subresource.
        """
        ...

    async def aclose(self) -> None:
        """Close every connection; a later download opens new ones."""
        ...


class RequestOptions(TypedDict, total=False):
    """Keyword arguments of `EngineClient.request` that go with every method."""

    params: Mapping[str, Parameter] | None
    headers: Mapping[str, str | SecretStr] | None
    deadline: float | None
    timeout_s: float | None
    paid: bool


class BodyOptions(RequestOptions, total=False):
    """The same, and a body: JSON, or a form or bytes."""

    json: Any
    data: Mapping[str, Parameter] | bytes | None


class EngineClient(Protocol):
    """Calls to one origin. Private addresses are fine here: the operator wrote the address herself."""

    @property
    def origin(self) -> str:
        """Scheme, host and port: where everything goes."""
        ...

    async def get(self, path: str, **options: Unpack[RequestOptions]) -> EngineResponse:
        """`request("GET", …)`."""
        return await self.request("GET", path, **options)

    async def post(self, path: str, **options: Unpack[BodyOptions]) -> EngineResponse:
        """`request("POST", …)`."""
        return await self.request("POST", path, **options)

    async def request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Parameter] | None = None,
        json: Any = None,
        data: Mapping[str, Parameter] | bytes | None = None,
        headers: Mapping[str, str | SecretStr] | None = None,
        deadline: float | None = None,
        timeout_s: float | None = None,
        paid: bool = False,
    ) -> EngineResponse:
        """Call the engine and return its 2xx answer. Raises `BackendError`; no secret or body is in its text.

        `path` is below the base address, with or without a leading slash. `deadline` is the caller's (on
        `Clock.monotonic`); `timeout_s` replaces the settings' total time; both count repeats. A failed call is
        repeated up to twice after network and server failures and 429; a `paid` one only when nothing was sent, and
        after 429 and 503.

        With a store, a request first waits for its turn, for at most half of its time, or raises `RateBudgetExceeded`;
        what an answer says of limits holds for all that come after, in every process. With several keys, one that is
        refused, used up or told to wait rests, and the next that is awake is tried at once, each at most once; also for
        paid calls, as nobody bills such an answer. When all rest, the error is that of the one that is free first;
        `AuthFailed` only where every key was refused.
        """
        ...

    async def aclose(self) -> None:
        """Close every connection; a later request opens new ones."""
        ...
