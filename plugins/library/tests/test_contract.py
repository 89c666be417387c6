"""The contracts of the core's kit."""

from __future__ import annotations

from websearch_core import Command, Fetcher, PluginContext, SearchBackend
from websearch_core.testing.contracts.backends import LocalBackendContract
from websearch_core.testing.contracts.commands import CommandContract
from websearch_core.testing.contracts.fetchers import LocalFetcherContract
from websearch_library import plugin
from websearch_library.backend import LibraryBackend
from websearch_library.commands.command import LibraryCommand
from websearch_library.fetchers import OwnPages, StoredCopies
from websearch_library.index.library import Library
from websearch_library.index.page_copy import PageCopy


async def fill(library: Library, word: str) -> None:
    copies = [
        PageCopy(
            url=f"https://site.example/{word}{end}",
            title=f"On {word} {end}",
            body=f"# {word}\n\nAll about {word}. " * 30,
        )
        for end in ("", "-1", "-2", "-3")
    ]
    await library.write(lambda index: index.put(copies))
    await library.catch_up()


class TestLibraryBackend(LocalBackendContract):
    component = LibraryBackend
    plugin = "library"

    def backend(self, ctx: PluginContext) -> SearchBackend:
        return next(iter(plugin.websearch_search_backends(ctx)))

    async def fill(self, backend: SearchBackend, ctx: PluginContext) -> None:
        assert isinstance(backend, LibraryBackend)
        await fill(backend._library, self.word)


class TestStoredCopies(LocalFetcherContract):
    component = StoredCopies
    plugin = "library"

    def fetcher(self, ctx: PluginContext) -> Fetcher:
        return list(plugin.websearch_fetchers(ctx))[1]

    def address(self, word: str) -> str:
        return f"https://site.example/{word}"

    async def fill(self, fetcher: Fetcher, ctx: PluginContext) -> None:
        assert isinstance(fetcher, StoredCopies)
        await fill(fetcher._library, "querycanary")


class TestOwnPages(LocalFetcherContract):
    component = OwnPages
    plugin = "library"

    def fetcher(self, ctx: PluginContext) -> Fetcher:
        return next(iter(plugin.websearch_fetchers(ctx)))

    def address(self, word: str) -> str:
        return f"https://docs.websearch.invalid/errors?{word}"

    async def fill(self, fetcher: Fetcher, ctx: PluginContext) -> None:
        assert isinstance(fetcher, OwnPages)
        copy = PageCopy(url=self.address("querycanary"), source="docs", title="Errors", body="# Errors\n\nText.")
        await fetcher._library.write(lambda index: index.put([copy]))


class TestLibraryCommand(CommandContract):
    component = LibraryCommand
    plugin = "library"

    def command(self, ctx: PluginContext) -> Command:
        return next(iter(plugin.websearch_commands(ctx)))
