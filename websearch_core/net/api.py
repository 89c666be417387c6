"""The door to one engine that the operator configured: bound to its origin, patient, never redirected."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import anyio
from pydantic import SecretStr

from ..errors import BackendError, Drift, InvalidRequest, Refused, StartupError, TimedOut, TooLarge
from ..interfaces import Clock, Store
from ..keys import KeyPool
from ..settings import NetSettings
from . import body
from .authorities import checked_ca_file
from .failures import NotConnected, of_engine, retry_after
from .proxies import Proxies
from .resolve import Resolver, SystemResolver
from .retry import Again, repeated
from .urls import Target, join, parse

if TYPE_CHECKING:
    from .transport import Transport

MAX_ANSWER_BYTES = 8_000_000

Parameter = str | int | float | bool | None | Sequence[str | int | float]
"""A query parameter's or form field's value; None leaves it out, a sequence repeats it."""

_REPEATABLE_WHEN_PAID = frozenset({429, 503})
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[/\\]{2}|\\")


@dataclass(frozen=True, slots=True)
class ApiResponse:
    """An engine's answer. Its repr shows the status only: bodies and headers may hold what must not be logged."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    """Names in lower case."""
    content: bytes = field(repr=False)
    retry_after: float | None = None
    """Seconds that the engine asks us to wait, from Retry-After."""

    @property
    def text(self) -> str:
        """The body as text, in the declared charset or UTF-8; what cannot be decoded is replaced."""
        charset = self.headers.get("content-type", "").lower().partition("charset=")[2].split(";")[0].strip(" \"'")
        try:
            return self.content.decode(charset or "utf-8", "replace")
        except LookupError:
            return self.content.decode("utf-8", "replace")

    def json(self) -> Any:
        """The body as JSON. Raises `Drift("body")` when it is something else."""
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError):
            raise Drift("body", "the answer is not JSON") from None


class Api:
    """Calls to one origin. Private addresses are fine here: the operator wrote the address herself."""

    def __init__(
        self,
        base_url: str,
        settings: NetSettings,
        clock: Clock,
        *,
        headers: Mapping[str, str | SecretStr] | None = None,
        auth: tuple[str, SecretStr] | None = None,
        keys: KeyPool | None = None,
        pace: tuple[int, float] | None = None,
        store: Callable[[], Store] | None = None,
        explain: Callable[[ApiResponse], BackendError | None] | None = None,
        max_bytes: int = MAX_ANSWER_BYTES,
        resolve: Resolver | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """Cheap; nothing is opened before the first request. Raises StartupError for a bad address, proxy, CA file.

        `headers` and `auth` (HTTP Basic) go with every request. `explain` sees each answer before the general table
        of statuses does. A larger answer than `max_bytes` is `TooLarge`.
        """
        self._base = _base(base_url)
        self._settings = settings
        self._clock = clock
        self._headers = dict(headers or {})
        self._auth = auth
        self._keys = keys
        self._pace = pace
        self._store = store
        self._explain = explain
        self._max_bytes = max_bytes
        self._resolver = resolve or SystemResolver()
        self._proxies = Proxies.configured(settings, os.environ if environ is None else environ)
        self._ca_file = checked_ca_file(settings.ca_file)
        self._transport: Transport | None = None

    def __repr__(self) -> str:
        return f"Api({self.origin!r})"

    @property
    def origin(self) -> str:
        """Scheme, host and port: where everything goes."""
        return self._base.origin

    async def get(
        self,
        path: str,
        *,
        params: Mapping[str, Parameter] | None = None,
        headers: Mapping[str, str | SecretStr] | None = None,
        deadline: float | None = None,
        timeout_s: float | None = None,
        paid: bool = False,
    ) -> ApiResponse:
        """`request("GET", …)`."""
        return await self.request(
            "GET", path, params=params, headers=headers, deadline=deadline, timeout_s=timeout_s, paid=paid
        )

    async def post(
        self,
        path: str,
        *,
        params: Mapping[str, Parameter] | None = None,
        json: Any = None,
        data: Mapping[str, Parameter] | bytes | None = None,
        headers: Mapping[str, str | SecretStr] | None = None,
        deadline: float | None = None,
        timeout_s: float | None = None,
        paid: bool = False,
    ) -> ApiResponse:
        """`request("POST", …)`."""
        return await self.request(
            "POST",
            path,
            params=params,
            json=json,
            data=data,
            headers=headers,
            deadline=deadline,
            timeout_s=timeout_s,
            paid=paid,
        )

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
    ) -> ApiResponse:
        """Call the engine and return its 2xx answer. Raises `BackendError`; no secret or body is in its text.

        `path` is below the base address, with or without a leading slash. `deadline` is the caller's (on
        `Clock.monotonic`); `timeout_s` replaces the settings' total time; both count repeats. A failed call is
        repeated up to twice after network and server failures and 429; a `paid` one only when nothing was sent, and
        after 429 and 503.
        """
        target = self._target(path, params)
        if self._keys is not None and self._keys.keys:
            key = self._keys.keys[0].get_secret_value()
            if self._keys.header:
                headers = {**(headers or {}), self._keys.header: SecretStr(self._keys.prefix + key)}
            else:
                target = self._target(path, {**(params or {}), self._keys.param: key})
        lines, content = self._message(json, data, headers or {})
        ends = self._clock.monotonic() + (timeout_s if timeout_s is not None else self._settings.timeout_s)
        ends = ends if deadline is None else min(ends, deadline)

        async def attempt() -> ApiResponse:
            seconds = max(0.0, ends - self._clock.monotonic())
            with anyio.move_on_after(seconds):
                return await self._attempt(method, target, lines, content, paid=paid)
            raise TimedOut("the engine did not answer within the time limit")

        return await repeated(attempt, self._clock, ends)

    async def aclose(self) -> None:
        """Close every connection; a later request opens new ones."""
        transport, self._transport = self._transport, None
        if transport is not None:
            await transport.aclose()

    async def _attempt(
        self, method: str, target: Target, lines: list[tuple[str, str]], content: bytes, *, paid: bool
    ) -> ApiResponse:
        try:
            response = await self._answer(method, target, lines, content)
        except NotConnected as error:
            raise Again(error) from None
        except BackendError as error:
            if error.retry_helps and not paid:
                raise Again(error) from None
            raise
        error = self._error(response)
        if error is None:
            return response
        if error.retry_helps and (not paid or response.status in _REPEATABLE_WHEN_PAID):
            raise Again(error)
        raise error

    async def _answer(self, method: str, target: Target, lines: list[tuple[str, str]], content: bytes) -> ApiResponse:
        from .transport import Transport

        if self._transport is None:
            self._transport = Transport(self._locate, self._proxies, ca_file=self._ca_file, names_to_proxy=True)
        async with self._transport.send(method, target, lines, content) as reply:
            read = await body.read(reply.chunks, reply.headers.get("content-encoding", ""), self._max_bytes)
        if read.truncated:
            raise TooLarge("the engine's answer is larger than the limit")
        return ApiResponse(reply.status, reply.headers, read.content, retry_after(reply.headers, self._clock.now()))

    def _error(self, response: ApiResponse) -> BackendError | None:
        general = of_engine(response.status, response.headers, self._clock.now())
        error = None
        if self._explain is not None:
            try:
                error = self._explain(response)
            except BackendError as failed:
                # an explanation that stumbles over the body of an error says less than the status does
                error = failed if general is None else None
        if error is not None and error.retry_after is None:
            error.retry_after = response.retry_after
        return error or general

    def _target(self, path: str, params: Mapping[str, Parameter] | None) -> Target:
        prefix = self._base.path.rstrip("/") + "/"
        absolute = _ABSOLUTE.match(path) is not None
        below = self._base.origin + prefix + path.lstrip("/") if path else self._base.url
        target = join(self._base, path) if absolute else parse(below)
        if target.origin != self.origin or not f"{target.path.partition('?')[0]}/".startswith(prefix):
            raise Refused("this door leads to one origin, and below its base address only")
        query = _form(params or {})
        if not query:
            return target
        joint = "&" if "?" in target.path else "?"
        return parse(f"{target.url}{joint}{query}")

    def _message(
        self, json_value: Any, data: Mapping[str, Parameter] | bytes | None, extra: Mapping[str, str | SecretStr]
    ) -> tuple[list[tuple[str, str]], bytes]:
        headers = {
            "user-agent": self._settings.user_agent,
            "accept": "application/json, */*;q=0.5",
            "accept-encoding": body.ACCEPT_ENCODING,
        }
        content = b""
        if json_value is not None:
            content = json.dumps(json_value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
            headers["content-type"] = "application/json"
        elif isinstance(data, bytes):
            content = data
        elif data is not None:
            content = _form(data).encode("ascii")
            headers["content-type"] = "application/x-www-form-urlencoded"
        if json_value is not None or data is not None:
            headers["content-length"] = str(len(content))
        if self._auth is not None:
            user, password = self._auth
            pair = f"{user}:{password.get_secret_value()}".encode()
            headers["authorization"] = "Basic " + base64.b64encode(pair).decode("ascii")
        for name, value in (*self._headers.items(), *extra.items()):
            headers[name.lower()] = value.get_secret_value() if isinstance(value, SecretStr) else value
        return list(headers.items()), content

    async def _locate(self, host: str, port: int) -> Sequence[str]:
        return [host] if self._base.literal is not None else await self._resolver.resolve(host, port)


def _base(base_url: str) -> Target:
    try:
        base = parse(base_url)
    except InvalidRequest:
        raise StartupError("the base address must be http(s)://HOST[:PORT][/PATH]") from None
    except Refused:
        raise StartupError(
            "the base address must be http(s)://HOST[:PORT][/PATH], without user name or password: those have settings"
        ) from None
    if "?" in base.path:
        raise StartupError("the base address must be http(s)://HOST[:PORT][/PATH], without a query")
    return base


def _form(values: Mapping[str, Parameter]) -> str:
    pairs: list[tuple[str, str]] = []
    for name, value in values.items():
        if value is None:
            continue
        several = value if isinstance(value, Sequence) and not isinstance(value, str) else (value,)
        pairs += [(name, str(one).lower() if isinstance(one, bool) else str(one)) for one in several]
    return urlencode(pairs)
