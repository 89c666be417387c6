"""What a typed author writes. Nobody runs it: pyright reads it in strict mode, so the public names keep their types."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

import typer
from pydantic import BaseModel, Field, SecretStr

from websearch_core import (
    Allow,
    Answer,
    Block,
    Caller,
    Command,
    Document,
    DocumentFilter,
    Download,
    Event,
    Extractor,
    Fetcher,
    FetchRequest,
    Finding,
    Gateway,
    Hit,
    Lens,
    Observer,
    Outgoing,
    Output,
    Page,
    PluginContext,
    Prompt,
    RequestFilter,
    Resource,
    Rewrite,
    SearchBackend,
    SearchRequest,
    Settings,
    SiteReader,
    Store,
    TokenVerifier,
    Tool,
    ToolOutput,
    TrustPolicy,
    Verdict,
    hookimpl,
)
from websearch_core.kit import FetchAnswer, Inspected, Part, UnexpectedResponse
from websearch_core.testing import (
    DocumentFilterContract,
    FakeClock,
    LoopbackSite,
    RecordedRequest,
    RequestFilterContract,
    ResourceContract,
    Response,
    SearchBackendContract,
    answer,
    context,
)


class AcmeSettings(Settings):
    aliases = {"ACME_KEY": "api_key"}

    base_url: str = "https://api.acme.example"
    api_key: SecretStr
    pages: tuple[str, ...] = ()


class Acme(SearchBackend):
    name = "acme"
    priority = 20
    verticals = {"web": frozenset({"language"}), "news": frozenset({"time_range"})}
    max_results = 20
    paid = True

    def __init__(self, ctx: PluginContext, settings: AcmeSettings) -> None:
        self._api = ctx.api(settings.base_url, headers={"x-api-key": settings.api_key})

    async def search(self, request: SearchRequest) -> Answer | Sequence[Hit]:
        response = await self._api.get(
            "search", params={"q": request.query, "n": request.max_results}, deadline=request.caller.deadline, paid=True
        )
        data: Any = response.json()
        if not isinstance(data, dict):
            raise UnexpectedResponse("results")
        hits = tuple(Hit(url=str(row["url"]), title=str(row["title"])) for row in data["results"])  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        return Answer(hits=hits, cost=0.005)


class Through(Fetcher):
    name = "through"

    def __init__(self, ctx: PluginContext) -> None:
        self._web = ctx.web

    async def fetch(self, request: FetchRequest) -> Download | Page:
        return await self._web.download(request, headers={"accept": "text/markdown"})


class Copies(SiteReader):
    name = "copies"

    def can_fetch(self, request: FetchRequest) -> bool:
        return not request.raw and self.allows(request, "https://copies.example")

    async def read(self, request: FetchRequest) -> Download | Page:
        copy = request.model_copy(update={"url": "https://copies.example/1"})
        document = await self.download(copy, headers={"accept": "text/plain"}, max_bytes=1000)
        return await self.made(document.bytes_read, page_of, document, request)


def page_of(document: Download, request: FetchRequest) -> Page:
    return Page.from_text(document.body.decode(), max_bytes=request.max_bytes, url=request.url)


class Plain(Extractor):
    name = "plain"
    media_types = frozenset({"text/plain"})

    def __init__(self, ctx: PluginContext) -> None:
        self._workers = ctx.workers

    async def extract(self, download: Download) -> Page:
        text: str = await self._workers.run(bytes.decode, download.body, "utf-8", "replace", seconds=5)
        return Page.from_markdown(text, url=download.url, final_url=download.final_url)


class Screen(RequestFilter):
    name = "screen"
    family = "pii"

    async def check(self, request: Outgoing) -> Verdict:
        if isinstance(request, SearchRequest) and request.vertical == "images":
            return Allow()
        found = request.text.find("@")
        if found < 0:
            return Allow()
        parts = tuple(Part(part.field, part.text.replace("@", " at ")) for part in request.parts)
        finding = Finding(kind="address", field="query", start=found, end=found + 1, score=0.5)
        return Rewrite(parts=parts, reason="hides addresses", findings=(finding,))


class Inspector(DocumentFilter):
    name = "inspector"
    bypassable = True

    async def check(self, documents: Sequence[Document], caller: Caller) -> Sequence[Verdict | None]:
        return [self.judge(document) if document.language in ("", "en") else None for document in documents]

    def judge(self, document: Document) -> Verdict:
        return Block(reason="shouts") if document.text_read.isupper() else Allow()


class Friends(TrustPolicy):
    name = "friends"

    async def trusts(self, document: Document) -> bool:
        return document.reached.startswith("https://friend.example/")


class Topic(BaseModel):
    topic: str = Field(description="what to define")


class Definition(BaseModel):
    url: str


class Define(Tool):
    name = "define"
    description = "One sentence that defines a topic."
    arguments = Topic
    output = Definition
    read_only = True

    async def call(self, arguments: BaseModel, gateway: Gateway) -> ToolOutput:
        assert isinstance(arguments, Topic)
        found = await gateway.search(SearchRequest(query=arguments.topic))
        await gateway.progress(1, 2, "found")
        page = (await gateway.fetch(FetchRequest(url=found.hits[0].url))).page
        inspected: Inspected[Page] = await gateway.inspect([page])
        return ToolOutput(text=inspected.documents[0].body, structured={"url": page.reached})


class Brief(Output):
    name = "brief"
    description = "its title"

    async def of(self, answer: FetchAnswer, gateway: Gateway, tokens: float) -> ToolOutput:
        return ToolOutput(text=answer.page.title, structured={"title": answer.page.title})


class Report(Resource):
    name = "report"
    uri = "acme://report/{day}"
    description = "What was asked on a day."

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def read(self, uri: str, gateway: Gateway) -> str:
        store: Store = self._ctx.store_of(gateway.caller)
        return ((await store.get(uri.rpartition("/")[2])) or b"nothing").decode()


class FactCheck(Prompt):
    name = "fact-check"
    description = "Checks a claim."
    arguments = {"claim": "the claim to check"}

    async def render(self, arguments: Mapping[str, str], gateway: Gateway) -> str:
        return f"Search for evidence for and against: {arguments['claim']}"


class Counts(Observer):
    name = "counts"

    def __init__(self) -> None:
        self.seen: dict[str, int] = {}

    async def observe(self, event: Event) -> None:
        self.seen[event.kind] = self.seen.get(event.kind, 0) + event.count


class Badge(TokenVerifier):
    name = "badge"

    async def verify(self, token: str) -> Caller | None:
        return Caller(tenant="acme") if token == "let me in" else None


class Ask(Command):
    name = "ask"
    summary = "Ask once."

    def app(self, gateway: Callable[[], AbstractAsyncContextManager[Gateway]]) -> typer.Typer:
        async def first(query: str) -> str:
            async with gateway() as chain:
                return (await chain.search(SearchRequest(query=query))).hits[0].title

        app = typer.Typer()
        app.command()(first)
        return app


@hookimpl
def websearch_search_backends(ctx: PluginContext) -> Iterator[SearchBackend]:
    yield Acme(ctx, ctx.settings(AcmeSettings))


@hookimpl
def websearch_request_filters() -> Iterator[RequestFilter]:
    yield Screen()


@hookimpl
def websearch_lenses() -> Iterator[Lens]:
    yield Lens(name="python", description="Python's documentation", domains=("docs.python.org",))


class TestAcme(SearchBackendContract):
    component = Acme
    plugin = "acme"
    outgoing = {"language": ("de", lambda request: request.query["lang"] == "de")}

    def settings(self) -> Mapping[str, Any]:
        return {"base_url": self.site.url, "api_key": self.secret}

    def backend(self, ctx: PluginContext) -> SearchBackend:
        return Acme(ctx, ctx.settings(AcmeSettings))

    def good_answer(self, request: RecordedRequest) -> Response:
        return answer(200, json={"results": []})


class TestScreen(RequestFilterContract):
    component = Screen
    allowed = ("tea",)
    rewritten = {"a@b": "a at b"}

    def filter(self, ctx: PluginContext) -> RequestFilter:
        return Screen()


class TestReport(ResourceContract):
    component = Report
    address = "acme://report/monday"

    def resource(self, ctx: PluginContext) -> Resource:
        return Report(ctx)


class TestInspector(DocumentFilterContract):
    component = Inspector
    attacks = ("SHOUT",)
    clean = ("whisper",)

    def filter(self, ctx: PluginContext) -> DocumentFilter:
        return Inspector()


async def by_hand() -> AsyncIterator[RecordedRequest]:
    clock = FakeClock()
    async with LoopbackSite() as site:
        site.route("/*", answer(200, "hello"))
        ctx = context("acme", {"api_key": "k", "base_url": site.url}, clock=clock)
        await ctx.web.download(FetchRequest(url=site.url), headers={"user-agent": ctx.user_agent})
        clock.advance(5)
        await ctx.aclose()
        for request in site.requests:
            yield request
