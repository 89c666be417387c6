"""One chat completion: what is sent, what comes back, and parameters that some endpoints do not take."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field, ValidationError

from websearch_core import BackendError, Clock, EngineClient, EngineResponse
from websearch_core.kit import InvalidRequest, TimedOut, UnexpectedResponse

from .breaker import Breaker

if TYPE_CHECKING:
    from .settings import SafeguardSettings

_SIGNS = {
    "response_format": (b"response_format", b"json_schema", b"structured output", b"guided"),
    "reasoning_effort": (b"reasoning_effort", b"reasoning effort"),
    "max_tokens": (b"max_tokens",),
}
"""Parameters that a call can do without → what an endpoint that refuses them writes about."""
_CUT_OFF = frozenset({"length", "max_tokens", "content_filter", "refusal", "tool_calls", "function_call", "error"})
"""Ways to finish that are not the end of an answer."""


_ENOUGH_SHARE = 0.5
"""Of `timeout_s`: who did not answer within less may have been asked too late."""

TOO_MUCH = "more text than [plugin.safeguard] budget_chars allows"


class NoVerdict(BackendError):  # noqa: N818 - what happened, not whose error it is
    """There is no verdict that can be believed."""

    def __init__(self, detail: str, *, retry_helps: bool = True, retry_after: float | None = None) -> None:
        self._retry_helps = retry_helps
        super().__init__(detail, retry_after=retry_after)

    @property
    def retry_helps(self) -> bool:
        """Whether the model may judge the same later."""
        return self._retry_helps


class Malformed(NoVerdict):
    """The model answered with something that is no verdict: another try may help."""


class ParameterRefused(InvalidRequest):
    """The endpoint does not take this parameter."""

    def __init__(self, parameters: tuple[str, ...]) -> None:
        self.parameters = parameters
        super().__init__("the endpoint does not take a parameter of ours")


class _Piece(BaseModel):
    text: str = ""


class _Message(BaseModel):
    content: str | list[_Piece] | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)


def explain(response: EngineResponse) -> BackendError | None:
    """For the engine client: a 400 or 422 that names a parameter of ours. The rest of its text is not passed on."""
    if response.status not in (400, 422):
        return None
    said = response.content[:20_000].lower()
    named = tuple(name for name, signs in _SIGNS.items() if any(sign in said for sign in signs))
    return ParameterRefused(named) if named else None


class Endpoint:
    """The model. Failures of the endpoint count for the breaker; what the model says does not: pages influence it."""

    def __init__(self, api: EngineClient, clock: Clock, settings: SafeguardSettings) -> None:
        self._api = api
        self._clock = clock
        self._breaker = Breaker(clock, settings.breaker_failures, settings.breaker_rest_s)
        self._enough_s = settings.timeout_s * _ENOUGH_SHARE
        self._refused: set[str] = set()
        self.model = settings.model
        self._optional: dict[str, Any] = {}
        if settings.max_tokens:
            self._optional["max_tokens"] = settings.max_tokens
        if settings.reasoning_effort:
            self._optional["reasoning_effort"] = settings.reasoning_effort

    @property
    def origin(self) -> str:
        """Where it is."""
        return self._api.origin

    async def complete(self, system: str, user: str, schema: Mapping[str, Any], ends: float) -> str:
        """What it says. Raises `BackendError`, `Malformed` for no text, `NoVerdict` while the breaker is open."""
        if rest := self._breaker.rests_s:
            raise NoVerdict("its model failed several times in a row and is left alone for a while", retry_after=rest)
        began = self._clock.monotonic()
        try:
            async with asyncio.timeout(max(ends - began, 0.0)):
                response = await self._sent(system, user, schema, ends)
            text = _text(response)
        except (TimeoutError, TimedOut):
            if ends - began >= self._enough_s:
                self._breaker.failed(began)
            raise NoVerdict("its model gave no verdict in time") from None
        except UnexpectedResponse:
            self._breaker.failed(began)
            raise Malformed("its model's endpoint does not answer with chat completions") from None
        except Malformed:
            self._breaker.succeeded()
            raise
        except BackendError as error:
            if not error.unsent:
                self._breaker.failed(began)
            raise
        self._breaker.succeeded()
        return text

    async def _sent(self, system: str, user: str, schema: Mapping[str, Any], ends: float) -> EngineResponse:
        form = {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": schema}}
        optional = {"response_format": form, **self._optional}
        while True:
            body = {
                "model": self.model,
                "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
                "temperature": 0,
                **{name: value for name, value in optional.items() if name not in self._refused},
            }
            try:
                return await self._api.post("chat/completions", json=body, deadline=ends, timeout_s=3600.0)
            except ParameterRefused as error:
                refused = {*error.parameters} & {*body}
                if not refused:
                    raise
                self._refused |= refused


def _text(response: EngineResponse) -> str:
    try:
        choice = _Completion.model_validate(response.json()).choices[0]
    except ValidationError:
        raise UnexpectedResponse("choices") from None
    content = choice.message.content
    text = content if isinstance(content, str) else "".join(piece.text for piece in content or ())
    if choice.finish_reason in _CUT_OFF or choice.message.refusal or not text.strip():
        raise Malformed("the model did not finish, refused, or said nothing")
    return text
