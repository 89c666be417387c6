"""A judge on 127.0.0.1 that speaks the protocol, well and badly: for tests and measurements of this plugin."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from websearch_core.testing.misbehaviour import CutShort, Hang, HugeHeaders, Silent, redirect
from websearch_core.testing.site import Behaviour, LoopbackSite, RecordedRequest, Response, answer

from .datamarking import SIGN
from .policies import every

_FENCED = re.compile(r"<<<TEXT (\w+)>>>\n(.*?)\n<<<END \1>>>", re.DOTALL)
_LABEL = re.compile(r"^\w+: ")

Verdicts = list[dict[str, Any]]
Answering = Callable[[Verdicts, RecordedRequest], "Response | Behaviour"]


@dataclass
class LocalJudge:
    """Finds a violation where one of `words` or a control of our policies stands; else none.

    The first `times` calls are answered by `bad`, if there is one; `times` None: all of them.
    """

    words: Sequence[str] = ()
    bad: Answering | None = None
    times: int | None = None
    calls: list[RecordedRequest] = field(default_factory=lambda: [])
    shown: list[str] = field(default_factory=lambda: [])
    """Every text that it was shown, as it was before it was marked."""

    def __post_init__(self) -> None:
        controls = [_spelt(text) for policy in every() for text in policy.controls.bad]
        self._known = [*(_spelt(word) for word in self.words), *controls]

    def route(self, site: LoopbackSite) -> LocalJudge:
        """Answer there, below /v1."""
        site.route("POST /v1/chat/completions", self)
        return self

    def __call__(self, request: RecordedRequest) -> Response | Behaviour:
        """One call."""
        self.calls.append(request)
        verdicts = self.verdicts(request)
        if self.bad is not None and (self.times is None or len(self.calls) <= self.times):
            return self.bad(verdicts, request)
        return completion(written(verdicts))

    def verdicts(self, request: RecordedRequest) -> Verdicts:
        """What an honest judge says."""
        user = request.json()["messages"][1]["content"]
        category = _categories(request)[0]
        found: Verdicts = []
        for nonce, marked in _FENCED.findall(user):
            text = marked.replace(SIGN, " ")
            self.shown.append(text)
            quote = next((word for word in self._known if word.casefold() in text.casefold()), "")[:120]
            found.append(
                {
                    "violation": bool(quote),
                    "category": category if quote else "none",
                    "confidence": 0.9,
                    "quote": quote,
                    "nonce": nonce,
                }
            )
        return found


def written(verdicts: Verdicts) -> str:
    """As the policy asks for it: one object, or several in one."""
    return json.dumps(verdicts[0] if len(verdicts) == 1 else {"verdicts": verdicts}, ensure_ascii=False)


def completion(content: Any, *, finish: str = "stop", **message: Any) -> Response:
    """A chat completion with this content."""
    said = {"role": "assistant", "content": content, **message}
    return answer(
        json={"object": "chat.completion", "choices": [{"index": 0, "message": said, "finish_reason": finish}]}
    )


def _spelt(text: str) -> str:
    return " ".join(text.replace("<", "\u2039").replace(">", "\u203a").split())


def _categories(request: RecordedRequest) -> list[str]:
    system = request.json()["messages"][0]["content"]
    return re.findall(r"^- ([a-z0-9-]+): ", system.split("# Categories")[1].split("# ")[0], re.MULTILINE)


def _each(change: Callable[[dict[str, Any]], Mapping[str, Any]]) -> Answering:
    return lambda verdicts, _: completion(written([{**verdict, **change(verdict)} for verdict in verdicts]))


def _text(content: Any, **about: Any) -> Answering:
    return lambda _, __: completion(content, **about)


def _fixed(behaviour: Response | Behaviour) -> Answering:
    return lambda _, __: behaviour


_INNOCENT: dict[str, Any] = {"violation": False, "category": "none", "quote": ""}
_VERDICT = '{"violation": false, "category": "none", "confidence": 1.0, "quote": "", "nonce": "000000000000"}'


def _passing(**about: Any) -> Answering:
    """Lets everything pass, in a completion with something about it."""
    return lambda verdicts, _: completion(written([{**verdict, **_INNOCENT} for verdict in verdicts]), **about)


def _without(name: str) -> Answering:
    return lambda verdicts, _: completion(
        written([{key: value for key, value in verdict.items() if key != name} for verdict in verdicts])
    )


def _swapped(verdicts: Verdicts, _: RecordedRequest) -> Response:
    nonces = [verdict["nonce"] for verdict in verdicts]
    turned = [{**verdict, **_INNOCENT, "nonce": nonce} for verdict, nonce in zip(verdicts, nonces[::-1], strict=True)]
    return completion(written(turned if len(turned) > 1 else [{**turned[0], "nonce": "0" * 12}]))


def _undecided(verdicts: Verdicts, _: RecordedRequest) -> Response:
    innocent = [{**verdict, **_INNOCENT} for verdict in verdicts]
    guilty = [{**verdict, "violation": True, "category": "none"} for verdict in verdicts]
    return completion(f"{written(innocent)}\n{written(guilty)}")


MISBEHAVIOURS: Mapping[str, Answering] = {
    "says nothing in time": _fixed(Hang()),
    "500": _fixed(answer(500, "oops")),
    "503": _fixed(answer(503, "busy")),
    "429 with Retry-After": _fixed(answer(429, "slow down", headers={"retry-after": "30"})),
    "401": _fixed(answer(401, "no such key")),
    "404": _fixed(answer(404, "no such model")),
    "400": _fixed(answer(400, json={"error": {"message": "context length exceeded"}})),
    "closes without a word": _fixed(Silent()),
    "is cut short": _fixed(CutShort(completion(_VERDICT))),
    "sends endless headers": _fixed(HugeHeaders()),
    "redirects elsewhere": _fixed(redirect("http://127.0.0.1:9/v1/chat/completions", 307)),
    "sends a huge body": _fixed(answer(body=b" " * 4_500_000, content_type="application/json")),
    "sends HTML": _fixed(answer(body="<html><p>Welcome", content_type="text/html")),
    "sends a JSON array": _fixed(answer(json=[1, 2])),
    "sends no choices": _fixed(answer(json={"choices": []})),
    "sends null choices": _fixed(answer(json={"choices": None})),
    "prose instead of JSON": _text("There is nothing wrong with this text."),
    "prose that says no violation": _text("violation: false"),
    "empty content": _text(""),
    "null content": _text(None),
    "reasoning only": _text(f"<think>perhaps {_VERDICT} fits</think>"),
    "drafts, and no end of reasoning": lambda verdicts, _: completion(
        f"<think>perhaps {written([{**verdict, **_INNOCENT} for verdict in verdicts])} or else"
    ),
    "drafts in a channel, and nothing final": lambda verdicts, _: completion(
        f"<|channel|>analysis<|message|>{written([{**verdict, **_INNOCENT} for verdict in verdicts])}"
    ),
    "says two things under one name": lambda verdicts, _: completion(
        written(verdicts).replace('"nonce"', '"violation": false, "category": "none", "nonce"')
    ),
    "refuses in words": _text("I'm sorry, but I can't help with that."),
    "refuses in its field": _text("", refusal="no"),
    "refuses and gives a verdict": _passing(refusal="no"),
    "stopped by a content filter": lambda v, _: completion(
        written([{**x, **_INNOCENT} for x in v]), finish="content_filter"
    ),
    "truncated": lambda v, _: completion(written(v)[:-20], finish="length"),
    "truncated without saying so": lambda v, _: completion(written(v)[:-20]),
    "whole, but out of tokens": _passing(finish="length"),
    "calls a tool": _text(None, finish="tool_calls", tool_calls=[]),
    "deeply nested": _text('{"a":' * 3_000 + "1" + "}" * 3_000),
    "thousands of brackets": _text("{[" * 9_000),
    "a very long answer": lambda v, _: completion(written([{**x, **_INNOCENT} for x in v]) + " " * 100_000),
    "another schema": _text('{"safe": true}'),
    "tinfoil's schema": _text('{"violation": false, "rationale": "fine"}'),
    "a verdict in words": _each(lambda _: {**_INNOCENT, "violation": "false"}),
    "a verdict of null": _each(lambda _: {**_INNOCENT, "violation": None}),
    "no nonce": _without("nonce"),
    "no quote": _without("quote"),
    "no category": _without("category"),
    "confidence above one": _each(lambda _: {**_INNOCENT, "confidence": 7}),
    "confidence in words": _each(lambda _: {**_INNOCENT, "confidence": "high"}),
    "a wrong nonce": _each(lambda _: {**_INNOCENT, "nonce": "0" * 12}),
    "nonces in another order": _swapped,
    "copies a verdict from the page": _text(_VERDICT),
    "no verdict for one text": lambda v, _: completion(json.dumps({"verdicts": [{**x, **_INNOCENT} for x in v[1:]]})),
    "a verdict too many": lambda v, _: completion(json.dumps({"verdicts": [{**x, **_INNOCENT} for x in (*v, v[0])]})),
    "no verdicts": _text('{"verdicts": []}'),
    "was talked into passing everything": _each(lambda _: _INNOCENT),
    "contradicts itself": _each(lambda _: {"violation": False, "category": "override", "quote": ""}),
    "gives two answers": _undecided,
    "a category of its own": _each(lambda _: {"violation": True, "category": "rude", "quote": ""}),
    "quotes nothing": _each(lambda _: {"violation": True, "quote": ""}),
    "quotes what is not there": _each(
        lambda _: {"violation": True, "category": "override", "quote": "zebra on the moon"}
    ),
}
"""What a judge, or the way to it, can do wrong. None of these may let anything pass."""

NOT_REPEATED = frozenset({
    "says nothing in time", "429 with Retry-After", "401", "404", "400", "sends a huge body",
    "sends endless headers",
})  # fmt: skip
"""Where asking again is useless, or there is no time left for it. After any other one good answer mends it."""


def _dressed(before: str, after: str) -> Answering:
    return lambda verdicts, _: completion(f"{before}{written(verdicts)}{after}")


VARIANTS: Mapping[str, Answering] = {
    "fenced": _dressed("```json\n", "\n```"),
    "with prose around": _dressed("Here is my verdict [1]:\n", "\nI hope {this} helps."),
    "after reasoning": _dressed('<think>Is it {"violation": true}? I think so.</think>\n', ""),
    "after reasoning without a beginning": _dressed("Let me see {a}.</think>", ""),
    "harmony channels": _dressed(
        '<|channel|>analysis<|message|>{"x": 1}<|end|><|start|>assistant<|channel|>final<|message|>', "<|return|>"
    ),
    "a bare list": lambda verdicts, _: completion(json.dumps(verdicts)),
    "said twice": lambda verdicts, _: completion(f"{written(verdicts)}\n{written(verdicts)}"),
    "in pieces": lambda verdicts, _: completion([{"type": "text", "text": written(verdicts)}]),
    "with more fields": _each(lambda _: {"rationale": "because"}),
}
"""Ways to answer that are not as asked for, and are understood all the same."""


def refuses(*parameters: str) -> Answering:
    """400 as long as the request has one of these parameters."""

    def answering(verdicts: Verdicts, request: RecordedRequest) -> Response:
        if sent := [name for name in parameters if name in request.json()]:
            return answer(400, json={"error": {"message": f"Unsupported parameter: '{sent[0]}'"}})
        return completion(written(verdicts))

    return answering
