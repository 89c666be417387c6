"""A video as Markdown: what the player is told of it, then what is said in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from websearch_core import FetchRequest, Page
from websearch_core.kit import Row, literal

from .captions import Track, clock, paragraphs


def video_page(
    request: FetchRequest, player: Row, offered: Sequence[Track], track: Track | None, captions: str, now: datetime
) -> Page:
    """Title, channel and description, then the captions of this track; without captions, a note says so."""
    details = player.row("videoDetails")
    title, author, seconds = details.text("title"), details.text("author"), details.number("lengthSeconds")
    published = player.moment("microformat", "playerMicroformatRenderer", "publishDate")
    facts = [author, f"{published:%Y-%m-%d}" if published else "", clock(seconds) if seconds else ""]
    parts = [f"# {title}", " · ".join(filter(None, facts))]
    if description := details.block("shortDescription"):
        parts += ["## Description", literal(description)]
    notes: list[str] = []
    transcript = paragraphs(captions)
    if track and transcript:
        parts += [f"## Transcript ({track.language}{', automatic' if track.automatic else ''})", transcript]
        others = sorted({other.language for other in offered} - {track.language})
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
        language=track.language if track and transcript else "",
        media_type="text/markdown",
        notes=tuple(notes),
        fetched_at=now,
    )
