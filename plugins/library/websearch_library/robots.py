"""robots.txt (RFC 9309): may we, and how fast."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import BackendError, Code

from . import door
from .addresses import origin

if TYPE_CHECKING:
    from protego import Protego

    from websearch_core import Web

MAX_BYTES = 500_000
MAX_DELAY_S = 10.0
_TIMEOUT_S = 15.0

# §2.3.1.3: a file that is "unavailable" (4xx) forbids nothing; one that is unreachable (§2.3.1.4) forbids everything.
_UNAVAILABLE = frozenset(
    (Code.NOT_FOUND, Code.BLOCKED_BY_SITE, Code.INVALID_REQUEST, Code.AUTH, Code.PAYWALLED, Code.UNSUPPORTED)
)


class Robots:
    """The rules of the sites that one command visits; each file is asked for once."""

    def __init__(self, web: Web, user_agent: str) -> None:
        """`user_agent` is what we send; its product name is the one that rules are looked up for."""
        self._web = web
        self._agent = user_agent.partition("/")[0].partition(" ")[0] or "websearch"
        self._rules: dict[str, Protego | BackendError] = {}

    async def objection(self, url: str) -> tuple[str, str] | None:
        """Why the site does not let us read this address, as a code and in words; None: it does.

        Raises `BackendError` when a filter blocks the address: then the site is asked nothing at all.
        """
        await door.screened(self._web, url)
        rules = await self._of(origin(url))
        if isinstance(rules, BackendError):
            return rules.code.value, "robots.txt could not be read, so nothing is taken from there"
        return None if rules.can_fetch(url, self._agent) else ("robots", "the site's robots.txt forbids it")

    async def delay(self, url: str) -> float:
        """Seconds between two requests that the site asks for, at most ten; 0 when it asks for nothing."""
        rules = await self._of(origin(url))
        if isinstance(rules, BackendError):
            return 0.0
        delay = rules.crawl_delay(self._agent) or 0.0
        rate = rules.request_rate(self._agent)
        if rate is not None and rate.requests:
            delay = max(delay, rate.seconds / rate.requests)
        return min(MAX_DELAY_S, max(0.0, delay))

    async def _of(self, site: str) -> Protego | BackendError:
        if site not in self._rules:
            self._rules[site] = await self._read(site)
        return self._rules[site]

    async def _read(self, site: str) -> Protego | BackendError:
        from protego import Protego

        url = f"{site}/robots.txt"
        try:
            download = await door.download(self._web, url, max_bytes=MAX_BYTES, timeout_s=_TIMEOUT_S)
        except BackendError as error:
            return Protego.parse("") if error.code in _UNAVAILABLE else error
        return Protego.parse(download.body.decode("utf-8", "replace"))
