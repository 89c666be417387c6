"""The outermost ASGI layer: what may come in, from whom, how large and how often; health; nothing of MCP itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, cast

from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..contract.models import Caller
from .arriving import ArrivingBodies
from .callers import Callers, VerifierError
from .limits import Limits

MAX_BODY = 1 << 20
BODY_SECONDS = 30.0
"""How long a client may take to send its request."""

CALLER = "websearch.caller"
"""Where the caller lies in the ASGI scope that the inner application gets."""

JsonReply = Callable[[], tuple[int, Any]]

_FOREIGN = {
    421: "this server does not go by the name in the Host header; use the address that it listens on, "
    "or the operator adds the name to [server] allowed_hosts",
    403: "calls from this Origin are not accepted; the operator may add it to [server] allowed_origins",
}


class Refusal(Exception):  # noqa: N818 - no failure of ours
    """What is answered instead of serving the request, in the form that an MCP client can show."""

    def __init__(self, status: int, text: str, headers: Mapping[str, str] = {}) -> None:
        super().__init__(text)
        error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": text}}
        self.response = JSONResponse(error, status, headers)


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
        # httptools leaves the optional white space around values (RFC 9110 §5.5); names of hosts have no case
        headers = [(k, v.strip(b" \t").lower() if k == b"host" else v.strip(b" \t")) for k, v in scope["headers"]]
        scope = {**scope, "headers": headers}
        try:
            if sum(name == b"host" for name, _ in headers) > 1:
                # two readers would take two different ones (RFC 9112 §3.2)
                raise Refusal(400, "the request has more than one Host header; send one")
            if scope["path"] == self._path:
                await self._mcp(scope, receive, send)
            else:
                await (await self._page(scope))(scope, receive, send)
        except Refusal as refusal:
            await refusal.response(scope, receive, send)
        except ClientDisconnect:
            pass

    async def _page(self, scope: Scope) -> Response:
        if scope["path"] == "/health":
            return PlainTextResponse("OK")
        if scope["path"] not in self._pages:
            raise Refusal(404, f"not found; the MCP endpoint is POST {self._path}")
        await self._check_origin(Request(scope))
        private, reply = self._pages[scope["path"]]
        if private:
            await self._caller(scope)
        status, body = reply()
        return JSONResponse(body, status)

    async def _mcp(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            raise Refusal(405, "use POST", {"allow": "POST"})
        if self.in_flight >= self._max_in_flight and not self._arriving.give_up_one():
            raise Refusal(503, "too many requests at once; try again", {"retry-after": "1"})
        self.in_flight += 1
        holds_place = True

        def free() -> None:
            nonlocal holds_place
            if holds_place:
                holds_place = False
                self.in_flight -= 1

        async def sent(message: Message) -> None:
            # the inner application takes a while to clean up; a client that has its answer asks again at once
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                free()
            await send(message)

        try:
            request = Request(scope, receive)
            await self._check_origin(request)
            caller = await self._caller(scope)
            address = request.client.host if request.client else ""
            body = await self._body(request, caller.tenant or address)
            if self._limits.active and _is_tool_call(body):
                wait = await self._limits.exceeded(caller, address)
                if wait is not None:
                    text = f"too many tool calls; the next is welcome in {wait} s"
                    raise Refusal(429, text, {"retry-after": str(wait)})
            scope[CALLER] = caller
            await self._app(scope, _replaying(body, receive), sent)
        finally:
            free()

    async def _check_origin(self, request: Request) -> None:
        """Refuse a request that was meant for another host, or comes from another's page."""
        refused = await self._security.validate_request(request)
        if refused is not None:
            raise Refusal(refused.status_code, _FOREIGN.get(refused.status_code, "the request is not accepted"))

    async def _caller(self, scope: Scope) -> Caller:
        try:
            caller = await self._callers.identify(scope["headers"])
        except VerifierError:
            raise Refusal(503, "tokens cannot be verified now; try again", {"retry-after": "5"}) from None
        if caller is None:
            given = any(name == b"authorization" for name, _ in scope["headers"])
            challenge = 'Bearer error="invalid_token"' if given else "Bearer"
            raise Refusal(401, "a valid bearer token is needed", {"www-authenticate": challenge})
        return caller

    async def _body(self, request: Request, who: str) -> bytes:
        """The whole body. Raises ClientDisconnect, and Refusal: at once, where the declared length is too much."""
        declared = request.headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > MAX_BODY:  # no more digits than 20: httptools has read it
            raise _too_large()
        body = bytearray()
        try:
            async with self._arriving.one(who, BODY_SECONDS):
                async for chunk in request.stream():
                    body += chunk
                    if len(body) > MAX_BODY:
                        raise _too_large()
        except TimeoutError:
            raise Refusal(408, "the request took too long to arrive", {"connection": "close"}) from None
        return bytes(body)


def _too_large() -> Refusal:
    return Refusal(413, f"the request is larger than {MAX_BODY} bytes", {"connection": "close"})


def _replaying(body: bytes, receive: Receive) -> Receive:
    """Hand over the body that was read, then whatever comes: a disconnect, above all."""
    read: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return read.pop() if read else await receive()

    return replay


def _is_tool_call(body: bytes) -> bool:
    """Whether this is a tools/call; what is not even JSON is for the inner application to refuse."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and cast("dict[str, Any]", message).get("method") == "tools/call"
