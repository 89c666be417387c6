"""Reads a video: the watch page and an app's player are asked at once, then the captions."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from websearch_core import BackendError, FetchRequest, Page, SiteReader
from websearch_core.kit import BlockedBySite, InvalidRequest, NotFound, Row, UnexpectedResponse

if TYPE_CHECKING:
    from websearch_core import EngineClient, EngineResponse, PluginContext

    from .captions import Track
    from .settings import YouTubeSettings

_VIDEO = re.compile(
    r"https?://(?:(?:www\.|m\.|music\.)?youtube\.com/(?:watch/?\?(?:[^#]*&)?v=|(?:shorts|live|embed|v)/)"
    r"|(?:www\.)?youtube-nocookie\.com/embed/|(?:www\.)?youtu\.be/)(?P<id>[A-Za-z0-9_-]{11})(?:[/?&#].*)?"
)
_TOLD = re.compile(r"ytInitialPlayerResponse\s*=\s*(?=\{)")
_LISTS = frozenset(("videoseries", "live_stream"))
"""Words in the place of a video's id: a list of videos, and whatever a channel sends just now."""


class YouTubeFetcher(SiteReader):
    """Videos as transcripts: description, then captions with a time stamp about every minute."""

    name = "youtube"

    def __init__(self, ctx: PluginContext, api: EngineClient, settings: YouTubeSettings) -> None:
        super().__init__(ctx)
        self._api = api
        self._base_url = settings.base_url.rstrip("/")
        self._languages: Sequence[str] = settings.languages
        self._client = {"clientName": settings.client_name, "clientVersion": settings.client_version, "hl": "en"}

    def can_fetch(self, request: FetchRequest) -> bool:
        """Single videos, by any of their addresses, where the caller lets the watch page be read."""
        return not request.raw and _video(request.url) != "" and self.allows(request, "https://www.youtube.com")

    async def read(self, request: FetchRequest) -> Page:
        """The transcript; the description alone, with a note, where there are no captions to be had."""
        import asyncio

        from .captions import tracks_of
        from .page import video_page

        if not (video := _video(request.url)):
            raise InvalidRequest("this is no video of YouTube")
        asked: list[Awaitable[Row]] = [self._watched(request, video)]
        if self._client["clientName"]:
            asked.append(self._played(request, video))
        told = await asyncio.gather(*asked, return_exceptions=True)
        players = [player for player in told if isinstance(player, Row)]
        for error in told:
            if isinstance(error, BaseException) and not (players and isinstance(error, BackendError)):
                raise error
        page = next((player for player in players if player.text("videoDetails", "title")), None)
        if page is None or page.text("videoDetails", "videoId") != video:
            raise _refusal(players)
        # the app's captions first: those of the watch page often come empty
        offered = [tracks for player in reversed(players) if (tracks := tracks_of(player))]
        track, captions = await self._captions(request, offered)
        every = [track for tracks in offered for track in tracks]
        return await self.made(len(captions), video_page, request, page, every, track, captions, self.now())

    async def _watched(self, request: FetchRequest, video: str) -> Row:
        """What the watch page tells its player."""
        text = (await self._get(request, "watch", {"v": video, "hl": "en"})).text
        if (start := _TOLD.search(text)) is None:
            raise UnexpectedResponse("ytInitialPlayerResponse")
        try:
            return Row(json.JSONDecoder().raw_decode(text, start.end())[0])
        except (ValueError, RecursionError):
            raise UnexpectedResponse("ytInitialPlayerResponse") from None

    async def _played(self, request: FetchRequest, video: str) -> Row:
        """What an app's player is told."""
        path = "youtubei/v1/player"
        await self.permit(request, f"{self._base_url}/{path}")
        response = await self._api.post(
            path,
            params={"prettyPrint": False},
            json={"context": {"client": self._client}, "videoId": video, "contentCheckOk": True, "racyCheckOk": True},
            deadline=request.caller.deadline,
        )
        return Row.of(response)

    async def _captions(self, request: FetchRequest, offered: list[list[Track]]) -> tuple[Track | None, str]:
        """The captions in the best language, of the first who gives them."""
        from .captions import chosen, says_something

        preferred = parse_qs(urlsplit(request.url).query).get("cc_lang_pref", [])
        for tracks in offered:
            if track := chosen(tracks, (*preferred, *self._languages)):
                try:
                    response = await self._get(request, "api/timedtext", track.parameters)
                except BackendError:
                    continue
                if says_something(text := response.text):
                    return track, text
        return None, ""

    async def _get(self, request: FetchRequest, path: str, params: Mapping[str, str]) -> EngineResponse:
        await self.permit(request, f"{self._base_url}/{path}")
        return await self._api.get(path, params=params, deadline=request.caller.deadline)


def _video(url: str) -> str:
    """The id; empty where it is the address of something else."""
    match = _VIDEO.fullmatch(url)
    return match["id"] if match and match["id"] not in _LISTS else ""


def _refusal(players: list[Row]) -> BackendError:
    """Why there is nothing to be read of a video."""
    match next(filter(None, (player.text("playabilityStatus", "status") for player in players)), ""):
        case "ERROR":
            return NotFound("YouTube has no such video, or not any more")
        case "LOGIN_REQUIRED" | "AGE_CHECK_REQUIRED" | "AGE_VERIFICATION_REQUIRED" | "CONTENT_CHECK_REQUIRED":
            return BlockedBySite("this video is private or restricted by age, or YouTube wants a login")
        case "UNPLAYABLE" | "LIVE_STREAM_OFFLINE":
            return BlockedBySite("YouTube does not play this video here")
        case _:
            return UnexpectedResponse("videoDetails")
