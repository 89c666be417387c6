"""What Office does not show: hidden, white or tiny runs of text, hidden sheets and slides."""

from __future__ import annotations

import re

_RUN = re.compile(rb"<w:r[ >]")
_END = b"</w:r>"
_CONCEALED = re.compile(
    rb'<w:vanish(?:\s+w:val="(?:1|true|on)")?\s*/>|<w:color\s[^>]{0,100}?w:val="F[A-F0-9]F[A-F0-9]F[A-F0-9]"'
    rb'|<w:sz\s+w:val="[1-5]"',
    re.IGNORECASE,
)
_COLOURED_GROUND = re.compile(rb"<w:(?:shd|highlight)\s")
_SHEET = re.compile(rb'<sheet\s[^>]{0,1000}?state="(?:hidden|veryHidden)"[^>]{0,1000}?/>')
_SLIDE = re.compile(rb'<p:sld\s[^>]{0,4000}?show="(?:0|false)"')
_TAGS = re.compile(rb"<[^>]{0,10000}>")


def without_concealed(parts: dict[str, bytes]) -> str:
    """Take it out of the parts; what it says, for filters."""
    said: list[bytes] = []
    for name, content in parts.items():
        if name.startswith("word/") and _CONCEALED.search(content):
            parts[name] = _without_runs(content, said)
        elif name == "xl/workbook.xml":
            parts[name] = _SHEET.sub(lambda match: _kept(match[0], said), content)
        elif name.startswith("ppt/slides/slide") and _SLIDE.search(content, 0, 10_000):
            said.append(content)
            parts[name] = b'<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"/>'
    return " ".join(_TAGS.sub(b" ", b"\n".join(said)).decode("utf-8", "replace").split())


def _without_runs(content: bytes, said: list[bytes]) -> bytes:
    """Linear, whatever the tags: from each run's beginning to the next end."""
    kept: list[bytes] = []
    place = 0
    for match in _RUN.finditer(content):
        if match.start() < place:
            continue
        end = content.find(_END, match.end())
        if end < 0:
            break
        end += len(_END)
        run = content[match.start() : end]
        if _CONCEALED.search(run) and not _COLOURED_GROUND.search(run) and not _RUN.search(run, 4):
            kept.append(content[place : match.start()])
            said.append(run)
            place = end
    return b"".join((*kept, content[place:]))


def _kept(sheet: bytes, said: list[bytes]) -> bytes:
    said.append(sheet)
    return b""
