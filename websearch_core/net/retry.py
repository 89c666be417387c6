"""Whether and when a call is repeated: stamina counts, the injected clock waits, the deadline rules."""

from __future__ import annotations

import logging
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from ..errors import BackendError, RateLimited
from ..interfaces import Clock
from .turns import WAITING_SHARE

log = logging.getLogger(__name__)

T = TypeVar("T")

ATTEMPTS = 3

_FIRST_WAIT_S = 0.25
_LONGEST_WAIT_S = 4.0


class Again(Exception):  # noqa: N818 - a signal from one attempt to `repeated`, never seen outside
    """This attempt failed in a way that allows another one."""

    def __init__(self, error: BackendError) -> None:
        self.error = error
        super().__init__(str(error))


@dataclass(slots=True)
class Patience:
    """How long a download may take, and whether a site may be asked once more in it."""

    ends: float
    """On `Clock.monotonic`."""
    first_byte_s: float | None
    """How long the first try may wait for an answer to begin; None: as long as there is time."""
    _left: int = 1

    def try_again(self) -> bool:
        """Whether there is another try; it is taken."""
        self.first_byte_s = None
        self._left -= 1
        return self._left >= 0


async def repeated(
    attempt: Callable[[], Awaitable[T]], clock: Clock, deadline: float, origin: str, attempts: int = ATTEMPTS
) -> T:
    """Call `attempt` until it returns, at most so often. A failure is repeated only if raised as `Again`.

    The wait is what the other side asked for (`retry_after`), else exponential with jitter. When the wait would pass
    the deadline, or a rate limit takes more than half of the time until then, the error is raised at once: another
    engine may be free. `origin` is for the log: who is asked again.
    """
    import stamina

    wait = 0.0
    backoff = 0.0
    failed: BackendError | None = None

    def decide(error: Exception) -> bool | float:
        nonlocal wait, failed
        if not isinstance(error, Again):
            return False
        failed = error.error
        asked = failed.retry_after
        wait = asked if asked is not None else backoff * random.uniform(1.0, 1.5)  # noqa: S311 - jitter, not a secret
        # stamina's own sleep can't be given a clock: it sleeps 0, and we wait before the next attempt
        share = WAITING_SHARE if isinstance(failed, RateLimited) else 1.0
        return 0.0 if wait < (deadline - clock.monotonic()) * share else False

    try:
        async for one in stamina.retry_context(
            on=decide,
            attempts=attempts,
            timeout=None,
            wait_initial=_FIRST_WAIT_S,
            wait_max=_LONGEST_WAIT_S,
        ):
            if failed:
                log.info("%s: attempt %d failed (%s): again in %.1f s", origin, one.num - 1, failed.code, wait)
            if wait:
                await clock.sleep(wait)
            backoff = one.next_wait
            with one:
                return await attempt()
    except Again as last:
        raise last.error from None
    raise AssertionError("stamina ended without a result")
