"""Pages that stand in place of a page: challenges, consent, log-in and pay walls, soft 404s, requests for scripts.

A wall is short, says so in its title, its first lines or its markup, and for the rest talks to its visitor; a page that
is only named like a wall, or speaks of walls, has something of its own to say. No rule knows a site.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple

from .wall_phrases import (
    ASKS_SCRIPTS,
    ASKS_TO_LOG_IN,
    CHALLENGES,
    IS_MISSING,
    TO_THE_VISITOR,
    TOO_MANY,
    WANTS_COOKIES,
    WANTS_PAYMENT,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from turbohtml import Document

Wall = Literal["challenge", "consent", "login", "missing", "scripts", "slower", ""]

_CHALLENGE_MARKUP = (
    "#challenge-form, #challenge-running, #challenge-stage, #challenge-error-text, #cf-error-details, #px-captcha, "
    "#captcha-form, #captchacharacters, form[action*='validateCaptcha'], "
    "iframe[src*='captcha-delivery'], iframe[src*='_Incapsula_Resource'], "
    "#sec-if-cpt-container, #ddg-l10n-title, .sucuri-block, #aws-waf-captcha"
)
_SCRIPTS = ("/orchestrate/", "_Incapsula_Resource", "awswaf.com", "captcha-delivery.com", "/x/cmd/anubis/")
"""In the addresses of scripts that only challenges load."""
_CAPTCHA = (
    ".g-recaptcha, .h-captcha, .cf-turnstile, #recaptcha, iframe[src*='recaptcha'], iframe[src*='hcaptcha'], "
    "iframe[src*='turnstile'], iframe[src*='funcaptcha'], iframe[src*='arkoselabs'], [class*=geetest], "
    "img[src*=captcha]"
)
_CONSENT = (
    "form[action*=consent], [id*=consent], [class*=consent], [id*=cookie], [class*=cookie], [id*=gdpr], [class*=gdpr], "
    "[id^=sp_message], [class^=sp_message]"
)
_PAYWALL = (
    "[class*=paywall], [id*=paywall], [class*=regwall], [id*=regwall], [class*=piano-], [class*=subscriber-only], "
    "[class*=subscribe-wall], [class*=meter-wall], [class*=gated], [data-paywall]"
)
_BARRIERS = "[class*=wall], [id*=wall], [class*=piano-], [class*=subscriber-only], [class*=gated], [data-paywall]"
"""Among these is all that `_PAYWALL` finds: sooner looked for."""
_BARRED = ("wall", "piano-", "subscriber-only", "gated")
_LARGE = 10_000
"""Characters of a body, white space included, that no wall has."""
_SEPARATOR = re.compile(r"\s+[|\u2013\u2014\u00b7\u00bb:-]\s+|\s*[|\u00bb]\s*")
_WORD = re.compile(r"\w+")
_SENTENCES = re.compile(r"(?<=[.!?\u2026])\s+|(?<=[\u3002\uff01\uff1f])|\n+")
_CODE = re.compile(r"^(`{3,}|~{3,})[^\n]*\n(.*?)^\1", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"!?\[[^\]\n]*\]\([^()\n]*\)")
_OWN_CHARS = 35
_LONG_WORD = 7
"""Letters in a row that are more than one word, in writing without spaces."""
_SHORT, _LINES, _NOTICE = 1500, 700, 400
_PARAGRAPH, _PARAGRAPHS = 100, 4
_WHOLE_TEXT = 3000
"""Characters behind a declared paywall that show that it is open."""


class WallSigns(NamedTuple):
    """What tells a wall in markup that is thrown away before the text is read."""

    challenge: bool
    captcha: bool
    consent: str
    """What asks for consent."""
    paywall: str
    """The text of what bars the way."""
    scripts: bool


def signs_of(document: Document, source: str, shown: ShownText) -> WallSigns:
    """Look at a document without what is hidden, before its main content is taken out of it. `shown` is its text."""
    small = shown.chars < _LARGE and shown.paragraphs < _PARAGRAPHS
    short = small and len(shown.text) < _SHORT
    consent = document.select(_CONSENT)[:20] if small else []
    barred = document.select(_BARRIERS) if any(word in source for word in _BARRED) else []
    barriers = [barrier for barrier in barred if barrier.matches(_PAYWALL)][:20]
    return WallSigns(
        challenge=short and (any(w in source for w in _SCRIPTS) or document.select_one(_CHALLENGE_MARKUP) is not None),
        captcha=small and document.select_one(_CAPTCHA) is not None,
        consent=max((" ".join(element.text[:_SHORT].split()) for element in consent), key=len, default=""),
        paywall=" ".join(min((b.text for b in barriers if b.text.strip()), key=len, default="").split())[:2000],
        scripts="<script" in source or "<SCRIPT" in source,
    )


class ShownText(NamedTuple):
    """What the page shows before its main content is looked for."""

    text: str
    """Its beginning."""
    chars: int
    """Of all of it, white space included."""
    paragraphs: int
    """That are long, as far as they matter; on a page with enough of them, what follows is not looked for."""
    headings: Sequence[str] = ()
    fields: bool = False
    password: bool = False

    @classmethod
    def of(cls, document: Document) -> ShownText:
        """Of a document without what is hidden."""
        body = document.select_one("body")
        shown = body.text if body is not None else ""
        words = _SHORT // 2 + 1  # of one letter each, and blanks between them, they are as long
        text = " ".join(shown.split(None, words)[:words])[: _SHORT + 1]
        long = (paragraph for paragraph in document.select("p")[:200] if len(paragraph.text.strip()) > _PARAGRAPH)
        paragraphs = sum(1 for _ in islice(long, _PARAGRAPHS))
        if paragraphs == _PARAGRAPHS:
            return cls(text, len(shown), paragraphs)
        return cls(
            text=text,
            chars=len(shown),
            paragraphs=paragraphs,
            headings=[" ".join(heading.text.split()) for heading in document.select("h1, h2")[:3]],
            fields=document.select_one("textarea, input[type=text], input[type=email]") is not None,
            password=document.select_one("input[type=password]") is not None,
        )


def wall_of(page: ShownText, signs: WallSigns, title: str, content: str, *, asked_to_log_in: bool) -> Wall:
    """Which wall this is; empty for a page. `content` is the main text."""
    if len(content) >= _SHORT or page.paragraphs >= _PARAGRAPHS:
        return ""
    shown = page.text
    names = [part for name in (title, *page.headings) for part in (name, *_SEPARATOR.split(name)) if part]
    short = len(shown) < _SHORT
    if signs.challenge:
        return "challenge"
    if (named := _named(names, shown)) and not says_something(content):
        return named
    if not content and signs.scripts and not signs.captcha:
        return "scripts"
    if signs.captcha and len(shown) < _NOTICE and len(content) < 200 and not asked_to_log_in and not page.password:
        return "" if page.fields else "challenge"
    if len(shown) < _NOTICE and signs.scripts and ASKS_SCRIPTS.search(shown):
        return "scripts"
    if short and WANTS_COOKIES.search(shown) and len(shown) < _LINES:
        return "consent"
    if len(signs.consent) > max(150, len(shown) * 0.6) and _says_no_more(content, signs.consent):
        return "consent"
    if page.password and short and not asked_to_log_in and (_names(ASKS_TO_LOG_IN, names) or len(content) < 200):
        return "login"
    return ""


def _named(names: list[str], shown: str) -> Wall:
    """Which wall its title, headings or, where there is little text, any words of it are those of."""
    short, few = len(shown) < _SHORT, len(shown) < _LINES
    if short and _names(TOO_MANY, names):
        return "slower"
    if short and (_names(CHALLENGES, names) or (few and CHALLENGES.search(shown))):
        return "challenge"
    return "missing" if _names(IS_MISSING, names) else ""


def says_something(content: str) -> bool:
    """Whether at least half of a page's sentences, rows and items, its headings and links aside, are not a wall's.

    Code never is.
    """
    own, foreign = sum(len(code[2]) for code in _CODE.finditer(content)), 0
    for part in _SENTENCES.split(_LINK.sub("", _CODE.sub("", content))):
        if part.startswith("#"):
            continue
        if _is_own(part):
            own += len(part)
        else:
            foreign += len(part)
    return own >= max(_OWN_CHARS, foreign)


def _is_own(sentence: str) -> bool:
    if TO_THE_VISITOR.search(sentence):
        return False
    for phrases in (CHALLENGES, TOO_MANY, IS_MISSING, WANTS_PAYMENT):
        sentence = phrases.sub("", sentence)
    words = _WORD.findall(sentence)
    return len(words) > 1 or len("".join(words)) > _LONG_WORD


def is_paywalled(signs: WallSigns, things: Sequence[Mapping[str, Any]], content: str) -> bool:
    """Whether only a part is shown: said in JSON-LD and not belied by the text, or by what bars the way."""
    if len(content) < _WHOLE_TEXT and any(_closed(thing) for thing in things):
        return True
    if signs.paywall and len(content) < 2 * _WHOLE_TEXT and WANTS_PAYMENT.search(signs.paywall):
        return True
    return len(content) < _WHOLE_TEXT and bool(WANTS_PAYMENT.search(content[-600:]))


def _closed(thing: Mapping[str, Any]) -> bool:
    return str(thing.get("isAccessibleForFree", "")).lower().rpartition("/")[2] == "false"


def _names(pattern: re.Pattern[str], names: list[str]) -> bool:
    return any(pattern.fullmatch(name.strip(" .!?\u2026")) for name in names)


def _says_no_more(content: str, consent: str) -> bool:
    known = set(_WORD.findall(consent.lower()))
    words = _WORD.findall(content.lower())
    return sum(word in known for word in words) >= len(words) * 0.9
