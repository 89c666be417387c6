"""The outermost ASGI layer: what may come in, from whom, how large and how often; health; nothing of MCP itself."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

import anyio
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .arriving import ArrivingBodies
from .callers import Callers, VerifierError
from .limits import Limits

MAX_BODY = 1 << 20
BODY_SECONDS = 30.0
"""How long a client may take to send its request."""

CALLER = "websearch.caller"
"""Where the caller lies in the ASGI scope that the inner application gets."""

JsonReply = Callable[[], tuple[int, Any]]


class AsgiGuard:
    """Guards one MCP endpoint. `pages` are further GET pages: path → (needs a caller, what it answers).

    All are held to `security`; only /health answers to any name.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        callers: Callers,
        limits: Limits,
        max_in_flight: int,
        pages: Mapping[str, tuple[bool, JsonReply]],
        security: TransportSecuritySettings,
        path: str = "/mcp",
    ) -> None:
        self._app = app
        self._callers = callers
        self._limits = limits
        self._max_in_flight = max_in_flight
        self._pages = pages
        self._security = TransportSecurityMiddleware(security)
        self._path = path
        self.in_flight = 0
        self._arriving = ArrivingBodies()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # httptools leaves the optional white space around values (RFC 9110 §5.5); names of hosts have no case
        headers = [(k, v.strip(b" \t").lower() if k == b"host" else v.strip(b" \t")) for k, v in scope["headers"]]
        scope = {**scope, "headers": headers}
        if sum(name == b"host" for name, _ in headers) > 1:
            # two readers would take two different ones (RFC 9112 §3.2)
            await _refuse(send, 400, "the request has more than one Host header; send one")
        elif scope["path"] == self._path:
            await self._mcp(scope, receive, send)
        elif scope["path"] == "/health":
            await _reply(send, 200, b"OK", [(b"content-type", b"text/plain; charset=utf-8")])
        elif scope["path"] in self._pages:
            await self._page(scope, send)
        else:
            await _refuse(send, 404, "not found; the MCP endpoint is POST " + self._path)

    async def _page(self, scope: Scope, send: Send) -> None:
        if await self._is_foreign(scope, send):
            return
        private, reply = self._pages[scope["path"]]
        if private and await self._caller(scope, send) is None:
            return
        status, body = reply()
        await _reply(send, status, json.dumps(body).encode(), _JSON)

    async def _mcp(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            await _refuse(send, 405, "use POST", [(b"allow", b"POST")])
            return
        if self.in_flight >= self._max_in_flight and not self._arriving.give_up_one():
            await _refuse(send, 503, "too many requests at once; try again", [(b"retry-after", b"1")])
            return
        slot = _Slot(self, send)
        send = slot.send
        try:
            if await self._is_foreign(scope, send):
                return
            caller = await self._caller(scope, send)
            if caller is None:
                return
            address = client[0] if (client := scope.get("client")) else ""
            body = await _body(scope, receive, send, self._arriving, caller.tenant or address)
            if body is None:
                return
            if self._limits.active and _is_tool_call(body):
                wait = await self._limits.exceeded(caller, address)
                if wait is not None:
                    text = f"too many tool calls; the next is welcome in {wait} s"
                    await _refuse(send, 429, text, [(b"retry-after", str(wait).encode())])
                    return
            scope[CALLER] = caller
            await self._app(scope, _replaying(body, receive), send)
        finally:
            slot.free()

    async def _is_foreign(self, scope: Scope, send: Send) -> bool:
        """Whether the request was meant for another host, or comes from another's page; then it was refused."""
        refusal = await self._security.validate_request(Request(scope))
        if refusal is not None:
            await _refuse(send, refusal.status_code, _FOREIGN.get(refusal.status_code, "the request is not accepted"))
        return refusal is not None

    async def _caller(self, scope: Scope, send: Send) -> Any:
        try:
            caller = await self._callers.identify(scope["headers"])
        except VerifierError:
            await _refuse(send, 503, "tokens cannot be verified now; try again", [(b"retry-after", b"5")])
            return None
        if caller is None:
            given = any(name == b"authorization" for name, _ in scope["headers"])
            challenge = b'Bearer error="invalid_token"' if given else b"Bearer"
            await _refuse(send, 401, "a valid bearer token is needed", [(b"www-authenticate", challenge)])
        return caller


class _Slot:
    """One request's place among those in flight: given back with the last byte of its answer.

    The inner application takes a while to clean up after that; a client that has its answer asks again at once.
    """

    def __init__(self, edge: AsgiGuard, send: Send) -> None:
        edge.in_flight += 1
        self._edge: AsgiGuard | None = edge
        self._send = send

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            self.free()
        await self._send(message)

    def free(self) -> None:
        edge, self._edge = self._edge, None
        if edge is not None:
            edge.in_flight -= 1


async def _body(scope: Scope, receive: Receive, send: Send, arriving: ArrivingBodies, who: str) -> bytes | None:
    """The whole body, or None: it was refused or given up, or the client has gone."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit() and int(value) > MAX_BODY:
            await _too_large(send)
            return None
    chunks: list[bytes] = []
    size = 0
    with anyio.move_on_after(BODY_SECONDS) as waiting, arriving.one(who, waiting):
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return None
            chunk = message.get("body", b"")
            size += len(chunk)
            if size > MAX_BODY:
                await _too_large(send)
                return None
            chunks.append(chunk)
            if not message.get("more_body", False):
                return chunks[0] if len(chunks) == 1 else b"".join(chunks)
    await _refuse(send, 408, "the request took too long to arrive", [(b"connection", b"close")])
    return None


def _replaying(body: bytes, receive: Receive) -> Receive:
    """Hand over the body that was read, then whatever comes: a disconnect, above all."""
    told = False

    async def replay() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _is_tool_call(body: bytes) -> bool:
    """Whether this is a tools/call; what is not even JSON is for the inner application to refuse."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and cast("dict[str, Any]", message).get("method") == "tools/call"


_FOREIGN = {
    421: "this server does not go by the name in the Host header; use the address that it listens on, "
    "or the operator adds the name to [server] allowed_hosts",
    403: "calls from this Origin are not accepted; the operator may add it to [server] allowed_origins",
}
_JSON = [(b"content-type", b"application/json")]


async def _too_large(send: Send) -> None:
    await _refuse(send, 413, f"the request is larger than {MAX_BODY} bytes", [(b"connection", b"close")])


def _refuse(send: Send, status: int, text: str, headers: list[tuple[bytes, bytes]] | None = None) -> Awaitable[None]:
    """An error in the form that an MCP client can show."""
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": text}}
    return _reply(send, status, json.dumps(body).encode(), [*_JSON, *(headers or [])])


async def _reply(send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})
