"""The hooks: called once, at startup, one plugin at a time; each yields instances of one abstract class.

An implementation may leave out `ctx`. Hooks construct cheap objects and do no I/O. They are called in this order:
the store comes first, because the others may use it.
"""

# specifications have no body, and what a hook yields is read from its annotation, so annotations are no strings here
# pyright: reportReturnType=false
from collections.abc import Iterable

import pluggy

from . import interfaces, mcp_components
from .context import PluginContext
from .results import Lens

PROJECT = "websearch"
"""The entry-point group, and pluggy's project name."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def websearch_stores(ctx: PluginContext) -> Iterable[interfaces.Store]:
    """Places for shared state, chosen by `[store] use`.

    `ctx.store` is not yet available in this hook.

    Example::

        @hookimpl
        def websearch_stores(ctx):
            yield Redis(ctx.settings(RedisSettings))
    """


@hookspec
def websearch_search_backends(ctx: PluginContext) -> Iterable[interfaces.SearchBackend]:
    """Search engines. A missing key lists the plugin's backends as off.

    Example::

        @hookimpl
        def websearch_search_backends(ctx):
            settings = ctx.settings(ExaSettings)
            yield Exa(ctx.api(settings.base_url), settings)
    """


@hookspec
def websearch_fetchers(ctx: PluginContext) -> Iterable[interfaces.Fetcher]:
    """Ways to get a page.

    Example::

        @hookimpl
        def websearch_fetchers(ctx):
            yield HttpFetcher(ctx.web)
    """


@hookspec
def websearch_extractors(ctx: PluginContext) -> Iterable[interfaces.Extractor]:
    """Readers of media types.

    Example::

        @hookimpl
        def websearch_extractors(ctx):
            yield PlainText()
    """


@hookspec
def websearch_request_filters(ctx: PluginContext) -> Iterable[interfaces.RequestFilter]:
    """Judges of what leaves. A missing setting stops the start.

    Example::

        @hookimpl
        def websearch_request_filters():
            yield Projects()
    """


@hookspec
def websearch_document_filters(ctx: PluginContext) -> Iterable[interfaces.DocumentFilter]:
    """Judges of what a model will read. A missing setting stops the start.

    Example::

        @hookimpl
        def websearch_document_filters():
            yield NoTags()
    """


@hookspec
def websearch_trust_policies(ctx: PluginContext) -> Iterable[interfaces.TrustPolicy]:
    """Who may skip bypassable filters. Used only when the operator names it in `[chain] trust`.

    Example::

        @hookimpl
        def websearch_trust_policies(ctx):
            yield Popularity(ctx.data_dir)
    """


@hookspec
def websearch_tools(ctx: PluginContext) -> Iterable[mcp_components.Tool]:
    """More MCP tools beside `search` and `fetch`.

    Example::

        @hookimpl
        def websearch_tools():
            yield Define()
    """


@hookspec
def websearch_outputs(ctx: PluginContext) -> Iterable[mcp_components.Output]:
    """More forms in which `fetch` gives a page: choices of its argument `output`.

    Example::

        @hookimpl
        def websearch_outputs():
            yield Brief()
    """


@hookspec
def websearch_resources(ctx: PluginContext) -> Iterable[mcp_components.Resource]:
    """MCP resources.

    Example::

        @hookimpl
        def websearch_resources(ctx):
            yield Report(ctx.store)
    """


@hookspec
def websearch_prompts(ctx: PluginContext) -> Iterable[mcp_components.Prompt]:
    """MCP prompts.

    Example::

        @hookimpl
        def websearch_prompts():
            yield FactCheck()
    """


@hookspec
def websearch_lenses(ctx: PluginContext) -> Iterable[Lens]:
    """Named sets of sites; the `search` tool gets a `lens` argument when there is one.

    Example::

        @hookimpl
        def websearch_lenses():
            yield Lens(name="python", description="Python's documentation", domains=("docs.python.org",))
    """


@hookspec
def websearch_commands(ctx: PluginContext) -> Iterable[mcp_components.Command]:
    """Sub-commands of `websearch`.

    Example::

        @hookimpl
        def websearch_commands(ctx):
            yield LibraryCommand(ctx.data_dir)
    """


@hookspec
def websearch_observers(ctx: PluginContext) -> Iterable[interfaces.Observer]:
    """Who is told what happened.

    Example::

        @hookimpl
        def websearch_observers():
            yield Counters()
    """


@hookspec
def websearch_token_verifiers(ctx: PluginContext) -> Iterable[interfaces.TokenVerifier]:
    """Who knows whose a bearer token is.

    Example::

        @hookimpl
        def websearch_token_verifiers(ctx):
            yield Oauth(ctx.api("https://login.example.com"))
    """
