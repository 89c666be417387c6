"""What the sub-commands do, without a terminal."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from websearch_core import BackendError, FetchRequest, Gateway, PluginContext, StartupError

from ..adding import local_files, sitemap_seeds
from ..adding.importer import Failure, Importer, ImportJob, ImportTally, Pace, Progress
from ..index.index import Index
from ..index.library import Library
from ..index.page_copy import PageCopy
from ..index.page_keys import folder, normal, origin
from .targets import Target

if TYPE_CHECKING:
    from ..settings import LibrarySettings

_ADDED = "source != 'docs'"


class LibraryOperations:
    """Opens the library for as long as one sub-command needs it. Every method raises `UnusableError`."""

    def __init__(
        self,
        ctx: PluginContext,
        settings: LibrarySettings,
        gateway: Callable[[], AbstractAsyncContextManager[Gateway]],
    ) -> None:
        self._ctx = ctx
        self._settings = settings
        self._gateway = gateway

    async def add(
        self, targets: Sequence[Target], depth: int, max_pages: int, tally: ImportTally, progress: Progress
    ) -> list[str]:
        """Add them in order; a line for each of which nothing came, saying why."""
        barren: list[str] = []
        remote = any(target.url for target in targets)
        async with self._library() as library, self._adding(library, tally, progress, remote=remote) as adding:
            for target in targets:
                done, failed = tally.done, len(tally.failures)
                if target.path:
                    paths = [target.path] if target.path.is_file() else local_files.within(target.path)
                    await adding.add_files(paths, self._settings.max_file_bytes)
                else:
                    await self._add_address(target, depth, max_pages, library, adding)
                if tally.done == done:
                    why = "nothing there can be added"
                    if len(tally.failures) > failed:
                        why = f"{tally.failures[failed].detail} ({tally.failures[failed].code})"
                    barren.append(f"{target.word}: nothing was added: {why}")
        return barren

    async def _add_address(
        self, target: Target, depth: int, max_pages: int, library: Library, adding: Importer
    ) -> None:
        url, home = target.url, folder(target.url)
        if target.may_be_sitemap:
            try:
                found = await sitemap_seeds.of_sitemap(url, self._ctx.web, library)
            except BackendError as error:
                adding.tally.failures.append(Failure(url, error.code.value, error.detail))
                return
            if found is not None:
                adding.tally.put = adding.tally.put._replace(unchanged=adding.tally.put.unchanged + found.unchanged)
                site = f"{origin(url)}/"
                await adding.crawl(ImportJob(f"sitemap {depth} {url}", found.urls, depth, max_pages, _beginning(site)))
                return
        await adding.crawl(ImportJob(f"page {depth} {url}", (url,), depth, max_pages, _beginning(home)))

    async def refresh(self, under: str, older_than: float, tally: ImportTally, progress: Progress) -> bool:
        """Read again what is there, oldest first; whether there was anything."""
        async with self._library() as library:
            where, values = _under(under) if under else ("1", ())
            if older_than:
                where, values = f"({where}) AND fetched_at < ?", (*values, self._ctx.clock.now() - older_than * 3600)
            copies = await library.read(lambda index: index.copies(f"({where}) AND {_ADDED}", values))
            remote = any(copy.source == "web" for copy in copies)
            async with self._adding(library, tally, progress, remote=remote) as adding:
                await adding.refresh(copies, self._settings.max_file_bytes)
            return bool(copies)

    async def remove(self, words: Sequence[str], *, under: bool) -> int:
        """Take out what the words name; how many pages that were."""
        async with self._library() as library:

            def work(index: Index) -> int:
                count = 0
                for word in words:
                    where, values = _under(word) if under or "://" not in word else _exactly(word)
                    count += index.remove(f"({where}) AND {_ADDED}", values)
                return count

            return await library.write(work)

    async def listed(self, text: str, limit: int) -> tuple[list[dict[str, Any]], int]:
        """The newest copies that hold the text in address, path or title; and how many there are."""
        async with self._library() as library:
            where = f"{_ADDED} AND (instr(lower(url || ' ' || path || ' ' || title), lower(?)))"
            copies = await library.read(lambda index: index.copies(where, (text,)))
            return [_row(copy) for copy in reversed(copies[-limit:])], len(copies)

    async def stats(self) -> dict[str, Any]:
        """Numbers about the index."""
        async with self._library() as library:
            facts = await library.read(_facts)
            size = sum(file.stat().st_size for file in _files_of(library.path))
            return {"file": str(library.path), "bytes": size, **facts, "sqlite": sqlite3.sqlite_version}

    @asynccontextmanager
    async def _library(self) -> AsyncGenerator[Library]:
        import anyio

        library = Library(self._settings.file(self._ctx), self._ctx.clock)
        await library.open()
        try:
            await library.write(lambda _: None)
            yield library
        finally:
            with anyio.CancelScope(shield=True):
                await library.aclose()

    @asynccontextmanager
    async def _adding(
        self, library: Library, tally: ImportTally, progress: Progress, *, remote: bool
    ) -> AsyncGenerator[Importer]:
        """With the chain running, when pages of the web are to be read."""
        ctx = self._ctx
        async with AsyncExitStack() as stack:
            gateway = await stack.enter_async_context(self._gateway()) if remote else _Nobody()
            pace = Pace(ctx.clock, self._settings.pace_s)
            yield Importer(library, gateway, ctx.web.robots, pace, ctx.clock, progress, tally)


class _Nobody:
    """The chain of a command that reads local files only."""

    async def fetch(self, request: FetchRequest) -> Any:  # noqa: ARG002 - the protocol's
        raise StartupError("local files need no chain")


def _beginning(start: str) -> Callable[[str], bool]:
    return lambda url: url.startswith(start)


def _exactly(word: str) -> tuple[str, tuple[Any, ...]]:
    return "url = ? OR asked = ?", (normal(word), normal(word))


def _under(word: str) -> tuple[str, tuple[Any, ...]]:
    """The condition for a word and all below it: a path of this machine, or the beginning of an address."""
    if "://" in word:
        return "substr(url, 1, ?) = ?", (len(normal(word)), normal(word))
    path = str(Path(word).expanduser().resolve())
    return "path = ? OR substr(path, 1, ?) = ?", (path, len(path) + 1, f"{path}/")


def _row(copy: PageCopy) -> dict[str, Any]:
    return {
        "url": copy.url,
        "path": copy.path,
        "title": copy.title,
        "chars": copy.chars,
        "fetched_at": datetime.fromtimestamp(copy.fetched_at, UTC).isoformat(timespec="seconds"),
    }


def _facts(index: Index) -> dict[str, Any]:
    counts = index.counts()
    added = [counts.get(source, (0, 0)) for source in ("web", "file")]
    execute = index.connection.execute
    return {
        "web_pages": added[0][0],
        "local_files": added[1][0],
        "documentation_pages": counts.get("docs", (0, 0))[0],
        "characters": sum(chars for _, chars in added),
        "hosts": execute("SELECT count(DISTINCT host) FROM page WHERE source = 'web'").fetchone()[0],
        "addresses_waiting": execute("SELECT count(*) FROM frontier WHERE state = 'waiting'").fetchone()[0],
    }


def _files_of(path: Path) -> list[Path]:
    return [file for suffix in ("", "-wal", "-shm") if (file := Path(f"{path}{suffix}")).exists()]
