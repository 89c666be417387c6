"""Logging of a server: to stderr, one line a record, and nothing in it that a request could have said."""

from __future__ import annotations

import logging
import sys

_FOREIGN = ("mcp", "uvicorn", "sse_starlette")
_QUOTES_HEADERS = "mcp.server.transport_security"
_REMEDY = "if it is yours, add it to [server] allowed_hosts or allowed_origins"


class NoTracebacks(logging.Filter):
    """Libraries log exceptions whose text may hold a query or a page, and headers: only type and name stay."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always keeps the record."""
        if record.exc_info and record.name.partition(".")[0] in _FOREIGN:
            kind = record.exc_info[0]
            record.msg = f"{record.getMessage()} ({kind.__name__})" if kind else record.getMessage()
            record.args = ()
            record.exc_info = None
            record.exc_text = None
        if record.name == _QUOTES_HEADERS and (said := record.getMessage().partition(": "))[1]:
            record.msg = f"{said[0]}; {_REMEDY}"
            record.args = ()
        return True


def log_to_stderr() -> None:
    """Set up logging, unless somebody already has; in any case keep libraries' tracebacks out."""
    root = logging.getLogger()
    if not root.handlers:
        logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    for handler in root.handlers:
        if not any(isinstance(each, NoTracebacks) for each in handler.filters):
            handler.addFilter(NoTracebacks())
    for name in _FOREIGN:
        logging.getLogger(name).setLevel(logging.WARNING)
    # it says that something is asked again, not what or why: whoever asks says that
    logging.getLogger("stamina").setLevel(logging.ERROR)
