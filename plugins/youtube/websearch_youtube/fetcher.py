"""Reads a video: what the player is told of it, and what is said in it."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from websearch_core import (
    BackendError,
    BlockedBySite,
    Drift,
    Fetcher,
    FetchRequest,
    InvalidRequest,
    NotFound,
    Page,
    Row,
)

if TYPE_CHECKING:
    from websearch_core import Api, ApiResponse, Clock

    from .captions import Track

_VIDEO = re.compile(
    r"https?://(?:(?:www\.|m\.|music\.)?youtube\.com/(?:watch\?(?:[^#]*&)?v=|(?:shorts|live|embed|v)/)"
    r"|(?:www\.)?youtube-nocookie\.com/embed/|youtu\.be/)(?P<id>[A-Za-z0-9_-]{11})(?:[/?&#].*)?"
)
_TOLD = re.compile(r"ytInitialPlayerResponse\s*=\s*(?=\{)")
_PATIENCE_S = 8.0
"""The ordinary way must have time left when YouTube does not answer."""


class YouTube(Fetcher):
    """Videos as transcripts: description, then captions with a time stamp about every minute."""

    name = "youtube"
    priority = 30

    def __init__(self, api: Api, clock: Clock, languages: Sequence[str], client: Mapping[str, str]) -> None:
        self._api = api
        self._clock = clock
        self._languages = tuple(languages)
        self._client = dict(client)

    def can_fetch(self, request: FetchRequest) -> bool:
        """Single videos, by any of their addresses."""
        return not request.raw and _VIDEO.fullmatch(request.url) is not None

    async def fetch(self, request: FetchRequest) -> Page:
        """The transcript; the description alone, with a note, where there are no captions to be had."""
        import asyncio

        from .captions import tracks_of

        match = _VIDEO.fullmatch(request.url)
        if match is None:
            raise InvalidRequest("this is no video of YouTube")
        video = match["id"]
        asked: list[Awaitable[Row]] = [self._watched(request, video)]
        if self._client:
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
        return self._page(request, page, offered, *await self._transcript(request, offered))

    async def _watched(self, request: FetchRequest, video: str) -> Row:
        """What the watch page tells its player."""
        response = await self._get(request, "watch", {"v": video, "hl": "en"})
        text = response.text
        if (start := _TOLD.search(text)) is None:
            raise Drift("ytInitialPlayerResponse")
        try:
            return Row(json.JSONDecoder().raw_decode(text, start.end())[0])
        except (ValueError, RecursionError):
            raise Drift("ytInitialPlayerResponse") from None

    async def _played(self, request: FetchRequest, video: str) -> Row:
        """What an app's player is told."""
        response = await self._api.post(
            "youtubei/v1/player",
            params={"prettyPrint": False},
            json={"context": {"client": self._client}, "videoId": video, "contentCheckOk": True, "racyCheckOk": True},
            deadline=request.caller.deadline,
            timeout_s=_PATIENCE_S,
        )
        return Row.of(response)

    async def _transcript(self, request: FetchRequest, offered: list[list[Track]]) -> tuple[Track | None, str]:
        """The captions in the best language, of the first who gives them."""
        from .captions import chosen, paragraphs

        preferred = parse_qs(urlsplit(request.url).query).get("cc_lang_pref", [])
        for tracks in offered:
            if track := chosen(tracks, (*preferred, *self._languages)):
                try:
                    response = await self._get(request, "api/timedtext", track.parameters)
                except BackendError:
                    continue
                if text := paragraphs(response.text):
                    return track, text
        return None, ""

    async def _get(self, request: FetchRequest, path: str, params: Mapping[str, str]) -> ApiResponse:
        return await self._api.get(path, params=params, deadline=request.caller.deadline, timeout_s=_PATIENCE_S)

    def _page(
        self, request: FetchRequest, player: Row, offered: list[list[Track]], track: Track | None, transcript: str
    ) -> Page:
        from websearch_core import literal

        from .captions import clock

        details = player.row("videoDetails")
        title, author, seconds = details.text("title"), details.text("author"), details.number("lengthSeconds")
        published = player.moment("microformat", "playerMicroformatRenderer", "publishDate")
        facts = [author, f"{published:%Y-%m-%d}" if published else "", clock(seconds) if seconds else ""]
        parts = [f"# {title}", " · ".join(filter(None, facts))]
        if description := details.block("shortDescription"):
            parts += ["## Description", literal(description)]
        notes: list[str] = []
        if track:
            parts += [f"## Transcript ({track.language}{', automatic' if track.automatic else ''})", transcript]
            others = sorted({other.language for tracks in offered for other in tracks} - {track.language})
            notes += [f"captions are also there in: {', '.join(others[:20])}"] if others else []
        else:
            missing = "the captions could not be read" if offered else "this video has no captions that we may read"
            notes.append(f"{missing}: only its description is shown")
        return Page.from_text(
            "\n\n".join(filter(None, parts)),
            max_bytes=request.max_bytes,
            url=request.url,
            final_url=f"https://www.youtube.com/watch?v={details.text('videoId')}",
            title=title,
            author=author,
            site="YouTube",
            published=published,
            published_from="meta" if published else "",
            kind="video",
            language=track.language if track else "",
            media_type="text/markdown",
            notes=tuple(notes),
            fetched_at=datetime.fromtimestamp(self._clock.now(), UTC),
        )


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
            return Drift("videoDetails")
