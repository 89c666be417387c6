"""Streamable HTTP: the SDK's stateless sessions behind the guard, under uvicorn."""

from __future__ import annotations

import ipaddress
import logging
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import anyio
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from ..contract.errors import StartupError
from ..startup.inventory import announced
from ..startup.lifecycle import settled
from .asgi_guard import MAX_BODY, AsgiGuard, JsonReply
from .callers import Callers
from .lifecycle import on_hangup, started
from .limits import Limits
from .logs import log_to_stderr
from .protocol import Protocol
from .tools import LastCall

if TYPE_CHECKING:
    import uvicorn
    from mcp.server import Server

    from ..settings.configuration import ServerSettings
    from ..startup.assemble import Assembly

log = logging.getLogger(__name__)

PATH = "/mcp"

BACKLOG = 2048
"""Connections that wait to be accepted."""

SPARE_CONNECTIONS = 200
"""How many may be open besides those of `max_in_flight` requests: idle ones, and those that are told to come back."""

_ANY = ("0.0.0.0", "[::]")  # noqa: S104 - compared with, not bound to


class Application(NamedTuple):
    """The whole ASGI application of an assembly, to be served while `sessions` and the assembly's components run."""

    serve: ASGIApp
    sessions: Callable[[], AbstractAsyncContextManager[None]]
    """Makes the context of the SDK's session manager."""
    end_calls: Callable[[], None]
    """Answers the calls in flight with an error."""


def build_app(assembly: Assembly, server: Server[Any] | None = None, peers: Sequence[int] = ()) -> Application:
    """The ASGI application of this assembly.

    `server` puts another MCP server behind the same guard: the conformance suite's fixtures. `peers` says which of
    several processes are ready.
    """
    settings = assembly.configuration.server
    local = assembly.configuration.environ.get("LOCAL_TEST_MODE") == "1"
    last_call = LastCall() if local else None
    protocol = Protocol(assembly, last_call)
    server = server or protocol.server()
    unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # the guard has checked it
    sessions = StreamableHTTPSessionManager(
        server, stateless=True, security_settings=unchecked, max_request_body_size=MAX_BODY
    )
    pages: dict[str, tuple[bool, JsonReply]] = {"/health/ready": (False, lambda: _readiness(assembly, peers))}
    if last_call is not None:
        pages["/debug/last-call"] = (True, lambda: (200, last_call.calls))
    guard: ASGIApp = AsgiGuard(
        sessions.handle_request,
        callers=Callers(settings.tokens, assembly.token_verifiers, assembly.floor),
        limits=Limits(assembly.store, assembly.clock, settings.rate_per_minute, settings.address_rate_per_minute),
        max_in_flight=settings.share(settings.max_in_flight),
        pages=pages,
        security=security_of(settings),
        path=PATH,
    )
    if settings.allowed_origins:
        guard = CORSMiddleware(
            guard,
            allow_origins=list(settings.allowed_origins),
            allow_methods=["POST"],
            allow_headers=["*"],
            expose_headers=["Mcp-Session-Id"],
        )
    return Application(guard, sessions.run, protocol.in_flight.end)


def serve_http(assembly: Assembly, *, graceful_s: int = 10, server: Server[Any] | None = None) -> None:
    """Serve until SIGTERM or SIGINT; requests in flight then get `graceful_s`. Raises StartupError."""
    log_to_stderr()
    settings = assembly.configuration.server
    _check_listen(assembly)
    if settings.workers > 1:
        from .supervisor import supervise

        supervise(assembly, graceful_s)
        return

    def ready(stop: Callable[[], None]) -> None:
        on_hangup(stop)
        announce(assembly, listener)

    listener = bound(settings.listen)
    serve_on(listener, assembly, graceful_s=graceful_s, on_ready=ready, server=server)


def serve_on(
    listener: socket.socket,
    assembly: Assembly,
    *,
    graceful_s: int,
    on_ready: Callable[[Callable[[], None]], None],
    server: Server[Any] | None = None,
    peers: Sequence[int] = (),
) -> None:
    """Serve on this socket until SIGTERM or SIGINT. `on_ready` is handed what stops it. Raises StartupError."""
    from sse_starlette.sse import AppStatus

    from .uvicorn_limits import give_up_unread

    give_up_unread(listener)
    # it would end every stream at the signal; uvicorn gives the calls in flight their time
    AppStatus.disable_automatic_graceful_drain()
    app = build_app(assembly, server, peers)
    uvicorn_server = uvicorn_server_of(app, assembly.configuration.server, graceful_s)

    def stop(*_: object) -> None:
        uvicorn_server.should_exit = True

    async def serve() -> None:
        async with started(assembly, stop, settled), app.sessions():
            on_ready(stop)
            await uvicorn_server.serve(sockets=[listener])

    # these count while components start, and once more when uvicorn is done and raises what it caught
    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        anyio.run(serve, backend_options={"use_uvloop": sys.platform != "win32"})
    finally:
        listener.close()
        for number, handler in before.items():
            signal.signal(number, handler)


def uvicorn_server_of(app: Application, settings: ServerSettings, graceful_s: int) -> uvicorn.Server:
    """How uvicorn serves this application: bounded connections, and addresses that a visitor cannot choose."""
    import uvicorn

    from .uvicorn_limits import BoundedHttpProtocol, GracefulServer

    most = settings.share(settings.max_in_flight)
    config = uvicorn.Config(
        app.serve,
        http=cast("Any", partial(BoundedHttpProtocol, max_connections=most + SPARE_CONNECTIONS)),
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        timeout_keep_alive=75,
        timeout_graceful_shutdown=graceful_s,
        backlog=BACKLOG,
    )
    return GracefulServer(config, app.end_calls)


def security_of(settings: ServerSettings) -> TransportSecuritySettings:
    """Host and Origin checks: loopback, the address listened on, and what the operator added."""
    listen, _, _ = settings.listen.rpartition(":")
    hosts = ["127.0.0.1", "localhost", "[::1]", *map(str.lower, settings.allowed_hosts)]
    if listen not in _ANY:
        hosts.append(listen.lower())
    ported = [host if host.endswith(":*") or _has_port(host) else f"{host}:*" for host in hosts]
    origins = [f"http://{host}:*" for host in ("127.0.0.1", "localhost", "[::1]")]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*dict.fromkeys([*hosts, *ported])],
        allowed_origins=[*origins, *settings.allowed_origins],
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches it."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _has_port(host: str) -> bool:
    return host.rpartition(":")[2].isdigit() and not host.endswith("]")


def _check_listen(assembly: Assembly) -> None:
    settings = assembly.configuration.server
    host = settings.listen.rpartition(":")[0]
    if is_loopback(host) or settings.tokens or assembly.token_verifiers:
        return
    if not settings.insecure:
        raise StartupError(
            f"[server] listen: {settings.listen} is reachable from other machines and no token is configured. "
            "Make one with `websearch token new`, or listen on 127.0.0.1, or set insecure = true"
        )
    log.warning("listening on %s without tokens (insecure = true): anybody who reaches it may use it", settings.listen)


def bound(listen: str) -> socket.socket:
    """A listening socket. Raises StartupError."""
    host, _, port = listen.rpartition(":")
    host = host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        host.encode("idna")  # as socket will: there, a host that cannot be encoded is a TypeError
        return socket.create_server((host, int(port)), family=family, backlog=BACKLOG)
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not an address or a host name"
        raise StartupError(
            f"[server] listen: cannot listen on {listen} ({why}). Stop what uses it, or choose another: "
            "WEBSEARCH_SERVER__LISTEN=127.0.0.1:8090 (port 0: any free one)"
        ) from None


def announce(assembly: Assembly, listener: socket.socket) -> None:
    """Log where it listens and where queries go."""
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    settings = assembly.configuration.server
    if settings.listen.startswith(_ANY) and not settings.allowed_hosts:
        log.warning("only loopback's Host headers are accepted: name this server's hosts in [server] allowed_hosts")
    first, *more = announced(assembly)
    log.info("listening on http://%s:%d%s; %s", shown, port, PATH, first)
    for line in more:
        log.info("%s", line)


def _readiness(assembly: Assembly, peers: Sequence[int]) -> tuple[int, Any]:
    ready, states = assembly.readiness()
    ready = ready and all(peers)
    told = {"processes_ready": sum(peers)} if peers else {}
    return (200 if ready else 503), {"ready": ready, **told, "sources": dict(states)}
