"""Whether, when and how often a call is repeated: the one place where such waits are decided."""

from __future__ import annotations

import logging
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from ..contract.errors import BackendError, RateLimited
from ..contract.interfaces import Clock
from .rate_limiter import WAITING_SHARE

log = logging.getLogger(__name__)

T = TypeVar("T")

ATTEMPTS = 3

_FIRST_WAIT_S = 0.25
_LONGEST_WAIT_S = 4.0


class RetryWanted(Exception):  # noqa: N818 - a signal from one attempt to `repeated`, never seen outside
    """This attempt failed in a way that allows another one."""

    def __init__(self, error: BackendError) -> None:
        self.error = error
        super().__init__(str(error))


async def repeated(
    attempt: Callable[[], Awaitable[T]], clock: Clock, ends: float, origin: str, attempts: int = ATTEMPTS
) -> T:
    """Call `attempt` until it returns, at most `attempts` times. A failure is repeated only if raised as `RetryWanted`.

    The wait is what the other side asked for (`retry_after`), else exponential with jitter. When the wait would pass
    `ends`, or a rate limit takes more than half of the time until then, the error is raised at once: another engine may
    be free. An attempt that sends nothing says less than the one before it. `origin` is for the log.
    """
    try:
        return await attempt()  # a call that succeeds costs nothing of stamina
    except RetryWanted as again:
        last = again
    backoff_s = wait_s = 0.0

    def allows(error: Exception) -> bool | float:
        nonlocal wait_s
        if not isinstance(error, RetryWanted):
            return False
        asked = error.error.retry_after
        wait_s = backoff_s * random.uniform(1.0, 1.5) if asked is None else asked  # noqa: S311 - jitter, not a secret
        share = WAITING_SHARE if isinstance(error.error, RateLimited) else 1.0
        # 0 s: stamina's own sleep takes no clock, so the next attempt begins with the wait
        return 0.0 if wait_s < (ends - clock.monotonic()) * share else False

    import stamina

    stamina.instrumentation.set_on_retry_hooks([])  # they would tell of waits of 0 s
    try:
        async for one in stamina.retry_context(
            on=allows, attempts=attempts, timeout=None, wait_initial=_FIRST_WAIT_S, wait_max=_LONGEST_WAIT_S
        ):
            with one:
                backoff_s = one.next_wait
                if one.num == 1:
                    raise last
                log.info("%s: attempt %d failed (%s): again in %.1f s", origin, one.num - 1, last.error.code, wait_s)
                await clock.sleep(wait_s)
                try:
                    return await attempt()
                except RetryWanted as again:
                    last = again
                    raise
    except (RetryWanted, BackendError) as error:
        given_up = last.error if isinstance(error, RetryWanted) or error.unsent else error
        raise given_up from None
    raise AssertionError("stamina ended without a result")
