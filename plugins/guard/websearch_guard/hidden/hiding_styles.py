"""Whether an element's attributes keep its text from being seen."""

from __future__ import annotations

import re

_HIDDEN = re.compile(
    r"""\s(?:hidden(?=[\s=/]|$)(?!\s*=\s*["']?until-found)|aria-hidden\s*=\s*["']?true)""", re.IGNORECASE
)
_STYLE = re.compile(r"""\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)
_CLASS = re.compile(
    r"""\sclass\s*=\s*["']?[^"'>]*?\b(?:sr-only|visually-?hidden|screen-reader-text|element-invisible)\b""",
    re.IGNORECASE,
)
_FONT = re.compile(r"""\s(?:color\s*=\s*["']?(?:white|#fff(?:fff)?)\b|size\s*=\s*["']?0\b)""", re.IGNORECASE)
_UNSEEN = re.compile(
    r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|content-visibility:hidden|mso-hide:all"
    r"|opacity:\.?0(?:\.0\d*)?%?(?=[;!]|$)|font-size:(?:0?\.?0*(?:px|pt|r?em|%)?|[01](?:\.\d+)?p[xt]|0?\.[01]\d*r?em)(?=[;!]|$)"
    r"|(?:left|top|right|text-indent|margin-left|margin-top):-\d{3,}"
    r"|color:(?:transparent|white|#fff(?:fff)?|rgba?\(255,255,255|rgba\(\d+,\d+,\d+,0\))"
    r"|clip(?:-path)?:(?:rect\((?:[01](?:px)?,?){4}|inset\((?:50|100)%|circle\(0)"
    r"|(?:max-)?(?:height|width):[01](?:px)?(?=[;!]|$)|transform:[^;]*(?:scale\(0|translate[xy]?\([^)]*-\d{4,}))"
)
_BACKGROUND = re.compile(r"(?:^|;)background(?:-color)?:(?!#fff|white|none|transparent)")
_SPACE = re.compile(r"\s+|/\*.*?\*/")


def hides(attributes: str) -> bool:
    """Whether these attributes of a tag hide what it holds."""
    if _HIDDEN.search(attributes) or _CLASS.search(attributes) or _FONT.search(attributes):
        return True
    match = _STYLE.search(attributes)
    if not match:
        return False
    style = _SPACE.sub("", match[1] or match[2] or match[3] or "").lower()
    found = _UNSEEN.search(style)
    light = found is not None and found[0].lstrip(";").startswith(("color:w", "color:#", "color:rgb"))
    return found is not None and not (light and _BACKGROUND.search(style))
