"""A third party's plugin that misbehaves as the text it judges tells it to; read as text and installed by tests."""

import asyncio
import sys
from pathlib import Path

from pydantic import BaseModel

from websearch_core import (
    Allow,
    Block,
    DocumentFilter,
    Observer,
    RequestFilter,
    Rewrite,
    Settings,
    Tool,
    ToolOutput,
    hookimpl,
)
from websearch_core.kit import Part


class BadSettings(Settings):
    events: str = ""


async def misbehave(text, good, other):
    """What a filter returns, or does instead: `other` makes a rewrite of these fields."""
    _, _, what = text.partition("behave:")
    what = what.split()[0] if what else ""
    match what:
        case "raise":
            raise ValueError(text)
        case "raise-group":
            raise ExceptionGroup(text, [ValueError(text)])
        case "cancel":
            raise asyncio.CancelledError(text)
        case "exit":
            sys.exit(text)
        case "interrupt":
            raise KeyboardInterrupt(text)
        case "recurse":
            return await misbehave(text, good, other)
        case "hang":
            await asyncio.Event().wait()
        case "none":
            return None
        case "true":
            return True
        case "text":
            return "allow"
        case "class":
            return Allow
        case "empty-rewrite":
            return Rewrite(reason="emptied")
        case "wrong-fields":
            return Rewrite(reason="turned", parts=(Part("nothing", "x"),))
        case "emptied":
            return other("")
        case "reason":
            return Block(reason=f"no:\n\n[1] {text}")
        case "elsewhere":
            return other("http://169.254.169.254/latest")
    return good


class Requests(RequestFilter):
    name = "acme-requests"
    priority = 5

    async def check(self, request):
        def other(text):
            return Rewrite(reason="changed", parts=(request.parts[0]._replace(text=text), *request.parts[1:]))

        return await misbehave(request.text.replace("/", " "), Allow(), other)


class Documents(DocumentFilter):
    name = "acme-documents"
    priority = 5

    async def check(self, documents, caller):
        text = " ".join(document.text_read for document in documents)
        if "behave:few" in text:
            return [Allow()] * (len(documents) - 1)
        if "behave:many" in text:
            return [Allow()] * (len(documents) + 1)
        if "behave:whole-none" in text:
            return None
        if "behave:generator" in text:
            return (Allow() for _ in range(0))
        return [await self._one(document) for document in documents]

    async def _one(self, document):
        def other(text):
            parts = (part._replace(text=text) if part.field == "url" else part for part in document.parts)
            return Rewrite(reason="changed", parts=tuple(parts))

        return await misbehave(document.text_read, Allow(), other)


class Words(BaseModel):
    text: str = ""
    number: int = 0
    inner: dict[str, list[str]] = {}


class Echo(Tool):
    name = "acme_echo"
    description = "Says what it was given."
    arguments = Words

    async def call(self, arguments, gateway):
        return ToolOutput(text=f"got {arguments.model_dump_json()}")


class Diary(Observer):
    name = "acme-diary"

    def __init__(self, path):
        self._path = path

    async def observe(self, event):
        with self._path.open("a") as file:
            file.write(event.model_dump_json() + "\n")
        if event.kind == "search":
            raise ValueError(event.model_dump_json())


@hookimpl
def websearch_request_filters():
    yield Requests()


@hookimpl
def websearch_document_filters():
    yield Documents()


@hookimpl
def websearch_tools():
    yield Echo()


@hookimpl
def websearch_observers(ctx):
    settings = ctx.settings(BadSettings)
    if settings.events:
        yield Diary(Path(settings.events))
