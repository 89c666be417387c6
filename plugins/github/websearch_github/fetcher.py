"""Reads GitHub: files as they are, threads and gists by the REST API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from websearch_core import Download, FetchRequest, Page, SiteReader
from websearch_core.kit import InvalidRequest, NotFound, Row, TooLarge, Unsupported

from .addresses import place_of
from .error_mapping import Moved

if TYPE_CHECKING:
    from websearch_core import EngineClient, EngineResponse, PluginContext

_MARKDOWN = (".md", ".markdown", ".mdx", ".mkd")
_SYMLINK = re.compile(rb"\s*[\w./-]{1,300}\.(?:md|markdown|mdx|mkd|rst|txt)\s*")
"""A README that is nothing but a path: what raw.githubusercontent.com gives of a symbolic link."""
_LFS = b"version https://git-lfs.github.com/spec/"


class GitHub(SiteReader):
    """A repository's README, a file, an issue or pull request with its comments, a gist."""

    name = "github"

    def __init__(self, ctx: PluginContext, api: EngineClient, raw: EngineClient) -> None:
        super().__init__(ctx)
        self._api = api
        self._raw = raw

    def can_fetch(self, request: FetchRequest) -> bool:
        """Those four; everything else of GitHub is read as any page is."""
        return not request.raw and place_of(request.url) is not None

    async def read(self, request: FetchRequest) -> Download | Page:
        """READMEs and files as downloads, threads and gists as pages."""
        place = place_of(request.url)
        if place is None:
            raise InvalidRequest("this is no repository, file, thread or gist of GitHub")
        if place.kind == "readme":
            return await self._readme(request, place.repository)
        if place.kind == "file":
            path = f"{place.repository}/{place.rest}"
            return await self._file(request, path, f"{place.repository}/blob/{place.rest}")
        if place.kind == "thread":
            # every pull request is an issue, too
            return await self._thread(request, f"repos/{place.repository}/issues/{place.rest}")
        from .pages import gist_page

        gist = await self._get(self._api, request, f"gists/{place.rest}")
        return await self.made(len(gist.content), gist_page, Row.of(gist), request, self.now())

    async def _readme(self, request: FetchRequest, repository: str) -> Download:
        """README.md of the default branch; whatever else GitHub takes for the README comes rendered by the API."""
        shown = f"{repository}/blob/HEAD/README.md"
        try:
            readme = await self._file(request, f"{repository}/HEAD/README.md", shown)
            if not _SYMLINK.fullmatch(readme.body):
                return readme
        except NotFound:
            pass
        rendered = "application/vnd.github.html+json"
        response = await self._get(self._api, request, f"repos/{repository}/readme", accept=rendered)
        return self._download(request, response, shown, "text/html", "utf-8")

    async def _file(self, request: FetchRequest, path: str, shown: str) -> Download:
        response = await self._get(self._raw, request, path)
        if response.content.startswith(_LFS):
            raise Unsupported("the file is kept elsewhere (Git LFS)")
        declared, _, parameters = response.headers.get("content-type", "").lower().partition(";")
        # raw.githubusercontent.com calls every text text/plain
        media_type = "text/markdown" if path.lower().endswith(_MARKDOWN) else declared.strip()
        return self._download(request, response, shown, media_type, parameters.partition("charset=")[2].strip())

    def _download(
        self, request: FetchRequest, response: EngineResponse, shown: str, media_type: str, charset: str
    ) -> Download:
        if request.max_bytes is not None and len(response.content) > request.max_bytes:
            raise TooLarge(f"the document is larger than {request.max_bytes} bytes")
        return Download(
            url=request.url,
            final_url=f"https://github.com/{shown}",  # what its relative links are relative to
            media_type=media_type,
            charset=charset,
            body=response.content,
            bytes_read=len(response.content),
            fetched_at=self.now(),
        )

    async def _thread(self, request: FetchRequest, path: str) -> Page:
        from .pages import SHOWN, thread_page

        response = await self._get(self._api, request, path)
        issue, size = Row.of(response), len(response.content)
        comments: list[Row] = []
        if issue.number("comments"):
            response = await self._get(self._api, request, f"{path}/comments?per_page={SHOWN}")
            comments = Row({"comments": response.json()}).required_rows("comments")
            size += len(response.content)
        return await self.made(size, thread_page, issue, comments, request, self.now())

    async def _get(self, api: EngineClient, request: FetchRequest, path: str, *, accept: str = "") -> EngineResponse:
        """One call, and a second one where the first says that the repository has moved."""
        headers = {"accept": accept} if accept else None
        deadline = request.caller.deadline
        try:
            return await api.get(path, headers=headers, deadline=deadline)
        except Moved as moved:
            return await api.get(moved.address, headers=headers, deadline=deadline)
