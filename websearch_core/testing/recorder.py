"""Record a real engine's answers once, without secrets, and replay them from a loopback site ever after."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, cast
from urllib.parse import parse_qsl, quote, quote_plus, urlencode, urlsplit

from .site import LoopbackSite, RecordedRequest, Response, answer

if TYPE_CHECKING:
    from websearch_core.contract.context import PluginContext
    from websearch_core.contract.engine_response import EngineResponse

GONE = "REDACTED"
KEPT_REQUEST_HEADERS = ("accept", "accept-language", "content-type")
KEPT_RESPONSE_HEADERS = ("content-type", "content-language", "etag", "last-modified", "location", "retry-after")
HOP_HEADERS = ("host", "connection", "content-length", "transfer-encoding", "accept-encoding")
_SECRET_NAME = re.compile(
    r"(^|[_.-])(api_?key|key|token|secret|password|passwd|auth|authorization|sig|signature|cookie|session)$",
    re.IGNORECASE,
)


class Tape:
    """Recorded exchanges in a JSON file."""

    def __init__(self, exchanges: Iterable[Mapping[str, Any]] = ()) -> None:
        self.exchanges = list(exchanges)

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Read a file that `Recorder` wrote."""
        return cls(json.loads(Path(path).read_text(encoding="utf-8")))

    def save(self, path: Path | str) -> None:
        """Write, readable and in a stable order."""
        text = json.dumps(self.exchanges, ensure_ascii=False, indent=1, sort_keys=True)
        Path(path).write_text(text + "\n", encoding="utf-8")

    def answer(self, request: RecordedRequest) -> Response:
        """A route for `LoopbackSite`: what was recorded for this very request, else for its method and path."""
        same = [e for e in self.exchanges if (e["request"]["method"], e["request"]["path"]) == _place(request)]
        asked = _request(request, Scrubber())
        exact = [e for e in same if {**e["request"], "headers": 0} == {**asked, "headers": 0}]
        for exchange in (*exact, *same):
            said = exchange["response"]
            return Response(said["status"], _bytes(said["body"]), said["headers"])
        return answer(404, json={"error": "no such request was recorded"})


class Recorder:
    """A loopback site that hands every request on to the real engine and writes down what both said.

    Give the plugin `recorder.url` as its base address. `secrets` are the keys in use: they, and whatever is named
    like a key, are replaced before anything is written::

        async with Recorder(ctx, "https://api.example.com", "samples/search.json", secrets=[key]) as recorder:
            await Acme(ctx.api(recorder.url), key).search(SearchRequest(query="tea"))
    """

    def __init__(self, ctx: PluginContext, engine: str, path: Path | str, *, secrets: Iterable[str]) -> None:
        self._base = urlsplit(engine).path.rstrip("/")
        self._api = ctx.api(engine, explain=self._keep)
        self._path = path
        self._scrubber = Scrubber(secrets)
        self._site = LoopbackSite()
        self._last: EngineResponse | None = None
        self.tape = Tape()

    @property
    def url(self) -> str:
        """What the plugin takes for the engine's address."""
        return self._site.url + self._base

    async def __aenter__(self) -> Self:
        self._site.route("/*", self._forward)
        await self._site.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._site.__aexit__(kind, error, traceback)
        await self._api.aclose()
        if error is None:
            self.tape.save(self._path)

    def _keep(self, response: EngineResponse) -> None:
        """Errors are recorded, too: the engine client calls this before it raises."""
        self._last = response

    async def _forward(self, request: RecordedRequest) -> Response:
        from websearch_core.contract.errors import BackendError

        self._last = None
        headers = {name: value for name, value in request.headers.items() if name not in HOP_HEADERS}
        path = request.target.removeprefix(self._base).lstrip("/")
        with suppress(BackendError):
            await self._api.request(request.method, path, data=request.body or None, headers=headers, paid=True)
        got = cast("EngineResponse | None", self._last)
        if got is None:
            return answer(502, json={"error": "the engine did not answer"})
        kept = {name: value for name, value in got.headers.items() if name in KEPT_RESPONSE_HEADERS}
        said = {
            "status": got.status,
            "headers": {name: self._scrubber.text(value) for name, value in kept.items()},
            "body": _text(self._scrubber.body(got.content, kept.get("content-type", ""))),
        }
        self.tape.exchanges.append({"request": _request(request, self._scrubber), "response": said})
        return Response(got.status, got.content, kept)


class Scrubber:
    """Takes secrets out: the given ones in every spelling, and the value of whatever is named like one."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        spellings: set[str] = set()
        for secret in filter(None, secrets):
            plain = base64.b64encode(secret.encode()).decode()
            spellings |= {secret, quote(secret, safe=""), quote_plus(secret), json.dumps(secret)[1:-1], plain}
        self._spellings = sorted(spellings, key=len, reverse=True)

    def text(self, text: str) -> str:
        """The text without the given secrets."""
        for spelling in self._spellings:
            text = text.replace(spelling, GONE)
        return text

    def pairs(self, pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """Query or form fields without secrets."""
        return [(name, GONE if _SECRET_NAME.search(name) else self.text(value)) for name, value in pairs]

    def body(self, body: bytes, content_type: str) -> bytes:
        """A body without secrets: JSON and forms by name, anything else by the given secrets."""
        if "json" in content_type:
            with suppress(ValueError):
                return json.dumps(self.json(json.loads(body)), ensure_ascii=False).encode()
        text = body.decode("utf-8", "surrogateescape")
        if "x-www-form-urlencoded" in content_type:
            text = urlencode(self.pairs(parse_qsl(text, keep_blank_values=True)))
        return self.text(text).encode("utf-8", "surrogateescape")

    def json(self, value: Any) -> Any:
        """A JSON value without secrets."""
        if isinstance(value, dict):
            table = cast("dict[str, Any]", value)
            return {
                name: GONE if _SECRET_NAME.search(name) and isinstance(inner, str) else self.json(inner)
                for name, inner in table.items()
            }
        if isinstance(value, list):
            return [self.json(inner) for inner in cast("list[Any]", value)]
        return self.text(value) if isinstance(value, str) else value


def _place(request: RecordedRequest) -> tuple[str, str]:
    return request.method, request.path


def _request(request: RecordedRequest, scrubber: Scrubber) -> dict[str, Any]:
    headers = {name: value for name, value in request.headers.items() if name in KEPT_REQUEST_HEADERS}
    return {
        "method": request.method,
        "path": scrubber.text(request.path),
        "query": dict(scrubber.pairs(request.query.items())),
        "headers": {name: scrubber.text(value) for name, value in headers.items()},
        "body": _text(scrubber.body(request.body, headers.get("content-type", ""))),
    }


def _text(body: bytes) -> Any:
    """JSON as JSON, text as text, anything else as base64: a person reads these files."""
    with suppress(ValueError):
        value = json.loads(body)
        if isinstance(value, (dict, list)):
            return {"json": cast("object", value)}
    with suppress(ValueError):
        return body.decode()
    return {"base64": base64.b64encode(body).decode("ascii")}


def _bytes(body: Any) -> bytes:
    if isinstance(body, str):
        return body.encode()
    if "json" in body:
        return json.dumps(body["json"], ensure_ascii=False).encode()
    return base64.b64decode(body["base64"])
