"""Failures as values and as exceptions: kept in trails and caches, and raised again for those who ask next."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from ...contract.errors import BackendError, Failure, ServerFailed

logger = logging.getLogger(__name__)

T = TypeVar("T")

BUG = "unexpected failure in the plugin"
"""All that is told outside the log of an exception that is no `BackendError`."""


def as_failure(source: str, error: BackendError) -> Failure:
    """The error as a value, named for the source that it came from."""
    own = "" if error.advice == error.code.advice else error.advice.next_step
    return Failure(source, error.code, error.detail, error.retry_after, error.retry_helps, own, error.resting)


def plugin_bug(component: str, error: Exception) -> ServerFailed:
    """An unexpected exception, told to the log by type and place only: its message may hold a query or a page."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "?"
    logger.error(
        "%s: %s: %s at %s", component, BUG, type(error).__name__, place, extra={"component": component, "at": place}
    )
    return ServerFailed(BUG)


def declared(component: str, ask: Callable[[], T], instead: T) -> T:
    """What a plugin says of itself; `instead` where its code fails, which is logged."""
    try:
        return ask()
    except Exception as error:  # noqa: BLE001 - a plugin may raise anything
        plugin_bug(component, error)
        return instead
