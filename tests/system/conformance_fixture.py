"""What the conformance suite wants of a server, behind our real edge: `python conformance_fixture.py PORT`.

Written from the suite's own descriptions of its scenarios. Every handler answers with wire values.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import sys
import warnings
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import anyio
from conformance_payloads import ROOTS, Result, complete, elicit, image, needed, png, resource, sample, text, wav
from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.caching import CacheHint
from mcp_types import EmptyResult, LoggingLevel

Context = ServerRequestContext[Any, Any]

INVALID_PARAMS = -32602
MISSING_CAPABILITY = -32021
KEY = b"conformance fixtures only"
META = "io.modelcontextprotocol/clientCapabilities"


def signed(state: str) -> str:
    return f"{state}.{hmac.new(KEY, state.encode(), hashlib.sha256).hexdigest()}"


def opened(state: str | None) -> str:
    value, _, _ = (state or "").rpartition(".")
    if not hmac.compare_digest(signed(value), state or ""):
        raise MCPError(INVALID_PARAMS, "requestState failed its integrity check")
    return value


class Call:
    """One tools/call: its arguments, and what the client sent back to an earlier round."""

    def __init__(self, ctx: Context) -> None:
        given = ctx.params or {}
        self.ctx = ctx
        self.state: str | None = given.get("requestState")
        responses = given.get("inputResponses")
        self.responses: Mapping[str, Any] = responses if isinstance(responses, Mapping) else {}
        self.capabilities: Mapping[str, Any] = (given.get("_meta") or {}).get(META) or {}

    def has(self, *keys: str) -> bool:
        return all(isinstance(self.responses.get(key), Mapping) for key in keys)


async def log(ctx: Context, message: str, level: LoggingLevel = "info") -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        await ctx.session.send_log_message(level, message, related_request_id=ctx.request_id)


async def with_logging(call: Call) -> Result:
    for message in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await log(call.ctx, message)
        await anyio.sleep(0.05)
    return complete(text("logged"))


async def with_progress(call: Call) -> Result:
    for done in (0, 50, 100):
        await call.ctx.session.report_progress(done, 100, f"{done} of 100")
        await anyio.sleep(0.05)
    return complete(text("done"))


async def missing_capability(call: Call) -> Result:
    if "sampling" not in call.capabilities:
        raise MCPError(MISSING_CAPABILITY, "sampling is needed", {"requiredCapabilities": {"sampling": {}}})
    return complete(text("sampling is there"))


async def logging_tool(call: Call) -> Result:
    await log(call.ctx, "only for those who asked")
    return complete(text("logged"))


async def elicitation(call: Call) -> Result:
    answer = call.responses.get("user_name")
    name = (answer.get("content") or {}).get("name") if isinstance(answer, Mapping) else None
    if not isinstance(name, str):
        return needed({"user_name": elicit("What is your name?", name="string")})
    return complete(text(f"Hello, {name}!"))


async def sampling(call: Call) -> Result:
    if not call.has("capital_question"):
        return needed({"capital_question": sample("What is the capital of France?")})
    return complete(text(str(call.responses["capital_question"].get("content"))))


async def list_roots(call: Call) -> Result:
    if not call.has("client_roots"):
        return needed({"client_roots": ROOTS})
    return complete(text(f"Roots: {call.responses['client_roots'].get('roots')}"))


async def request_state(call: Call) -> Result:
    if not call.has("confirm"):
        return needed({"confirm": elicit("Please confirm", ok="boolean")}, signed("confirming"))
    opened(call.state)
    return complete(text("state-ok"))


async def multiple_inputs(call: Call) -> Result:
    if not call.has("user_name", "greeting", "client_roots"):
        requests = {
            "user_name": elicit("What is your name?", name="string"),
            "greeting": sample("Generate a greeting", 50),
            "client_roots": ROOTS,
        }
        return needed(requests, signed("several"))
    opened(call.state)
    return complete(text("all three"))


async def multi_round(call: Call) -> Result:
    if call.has("step2") and opened(call.state) == "round-2":
        return complete(text("both steps"))
    if call.has("step1") and opened(call.state) == "round-1":
        return needed({"step2": elicit("Step 2: What is your favorite color?", color="string")}, signed("round-2"))
    return needed({"step1": elicit("Step 1: What is your name?", name="string")}, signed("round-1"))


async def capabilities(call: Call) -> Result:
    requests: dict[str, Result] = {}
    if "sampling" in call.capabilities:
        requests["sampled"] = sample("Say something")
    if "elicitation" in call.capabilities:
        requests["elicited"] = elicit("Say something", said="string")
    return needed(requests) if requests and not call.responses else complete(text("nothing to ask"))


def fixed(*content: Result, error: bool = False) -> Callable[[Call], Awaitable[Result]]:
    async def answer(_: Call) -> Result:
        return complete(*content, error=error)

    return answer


TOOLS: Mapping[str, Callable[[Call], Awaitable[Result]]] = {
    "test_simple_text": fixed(text("This is a simple text response for testing.")),
    "test_image_content": fixed(image()),
    "test_audio_content": fixed({"type": "audio", "data": wav(), "mimeType": "audio/wav"}),
    "test_embedded_resource": fixed(
        resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    ),
    "test_multiple_content_types": fixed(
        text("Multiple content types test:"),
        image(),
        resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ),
    "test_error_handling": fixed(text("This tool intentionally returns an error for testing"), error=True),
    "test_tool_with_logging": with_logging,
    "test_tool_with_progress": with_progress,
    "test_missing_capability": missing_capability,
    "test_streaming_elicitation": with_progress,
    "test_logging_tool": logging_tool,
    "test_input_required_result_elicitation": elicitation,
    "test_input_required_result_sampling": sampling,
    "test_input_required_result_list_roots": list_roots,
    "test_input_required_result_request_state": request_state,
    "test_input_required_result_multiple_inputs": multiple_inputs,
    "test_input_required_result_multi_round": multi_round,
    "test_input_required_result_tampered_state": request_state,
    "test_input_required_result_capabilities": capabilities,
}

RESOURCES: Mapping[str, tuple[str, str]] = {
    "test://static-text": ("text/plain", "This is the content of the static text resource."),
    "test://static-binary": ("image/png", png()),
    "test://watched-resource": ("text/plain", "Watched."),
}

PROMPTS: Mapping[str, tuple[str, ...]] = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
    "test_input_required_result_prompt": (),
}


async def list_tools(_: Context, __: Any) -> Any:
    tools = [{"name": name, "description": "A fixture.", "inputSchema": {"type": "object"}} for name in TOOLS]
    return {"resultType": "complete", "tools": tools}


async def call_tool(ctx: Context, params: Any) -> Any:
    if params.name not in TOOLS:
        raise MCPError(INVALID_PARAMS, "unknown tool")
    return await TOOLS[params.name](Call(ctx))


async def list_resources(_: Context, __: Any) -> Any:
    listed = [{"uri": uri, "name": uri[7:], "mimeType": kind} for uri, (kind, _) in RESOURCES.items()]
    return {"resultType": "complete", "resources": listed}


async def list_templates(_: Context, __: Any) -> Any:
    template = {"uriTemplate": "test://template/{id}/data", "name": "template", "mimeType": "application/json"}
    return {"resultType": "complete", "resourceTemplates": [template]}


async def read_resource(_: Context, params: Any) -> Any:
    uri = str(params.uri)
    if match := re.fullmatch(r"test://template/([^/]+)/data", uri):
        body = f'{{"id":"{match[1]}","templateTest":true,"data":"Data for ID: {match[1]}"}}'
        contents = {"uri": uri, "mimeType": "application/json", "text": body}
    elif uri in RESOURCES:
        kind, body = RESOURCES[uri]
        contents = {"uri": uri, "mimeType": kind, "blob" if kind == "image/png" else "text": body}
    else:
        raise MCPError(INVALID_PARAMS, "Resource not found", {"uri": uri})
    return {"resultType": "complete", "contents": [contents]}


async def list_prompts(_: Context, __: Any) -> Any:
    prompts = [
        {
            "name": name,
            "description": "A fixture.",
            "arguments": [{"name": each, "description": "Any text.", "required": True} for each in arguments],
        }
        for name, arguments in PROMPTS.items()
    ]
    return {"resultType": "complete", "prompts": prompts}


async def get_prompt(ctx: Context, params: Any) -> Any:
    given: Mapping[str, str] = params.arguments or {}
    if params.name not in PROMPTS or any(name not in given for name in PROMPTS[params.name]):
        raise MCPError(INVALID_PARAMS, "unknown prompt, or an argument is missing")
    if params.name == "test_input_required_result_prompt" and not Call(ctx).has("user_context"):
        return needed({"user_context": elicit("What context should the prompt use?", context="string")})
    contents = {
        "test_simple_prompt": [text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments": [
            text(f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'")
        ],
        "test_prompt_with_embedded_resource": [
            resource(given.get("resourceUri", ""), "text/plain", "Embedded resource content for testing."),
            text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image": [image(), text("Please analyze the image above.")],
        "test_input_required_result_prompt": [text("With your context.")],
    }[params.name]
    return {"resultType": "complete", "messages": [{"role": "user", "content": content} for content in contents]}


async def complete_argument(_: Context, __: Any) -> Any:
    return {"resultType": "complete", "completion": {"values": ["paris", "park", "party"], "hasMore": False}}


async def nothing(_: Context, __: Any) -> EmptyResult:
    return EmptyResult()


def fixtures() -> Server[Any]:
    """The server."""
    hint = CacheHint(ttl_ms=60_000, scope="public")
    methods: Any = ("tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # logging/setLevel is the old era's, and the old era is tested
        return Server[Any](
            "fixtures",
            version="1",
            cache_hints=dict.fromkeys(methods, hint),
            on_list_tools=list_tools,
            on_call_tool=call_tool,
            on_list_resources=list_resources,
            on_list_resource_templates=list_templates,
            on_read_resource=read_resource,
            on_subscribe_resource=nothing,
            on_unsubscribe_resource=nothing,
            on_list_prompts=list_prompts,
            on_get_prompt=get_prompt,
            on_completion=complete_argument,
            on_set_logging_level=nothing,
        )


if __name__ == "__main__":
    from websearch_core.server.http import serve_http
    from websearch_core.settings.configuration import Configuration
    from websearch_core.startup.assemble import assemble

    environ = {"LOCAL_TEST_MODE": "1", "WEBSEARCH_SERVER__LISTEN": f"127.0.0.1:{sys.argv[1]}"}
    serve_http(assemble(Configuration({}, environ)), server=fixtures())
