"""Logging of a server: to stderr, one line a record, and nothing in it that a request could have said."""

from __future__ import annotations

import logging
import sys

_FOREIGN = ("mcp", "uvicorn", "sse_starlette", "httpx2")  # httpx2 tells the whole address of each request
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


def log_to_stderr(level: int = logging.INFO, who: str = "") -> None:
    """Set up logging, unless somebody already has; in any case keep libraries' tracebacks and addresses out."""
    root = logging.getLogger()
    if not root.handlers:
        form = f"%(asctime)s %(levelname)s {who}%(name)s: %(message)s"
        logging.basicConfig(stream=sys.stderr, level=level, format=form)
    for handler in root.handlers:
        if not any(isinstance(each, NoTracebacks) for each in handler.filters):
            handler.addFilter(NoTracebacks())
    for name in (*_FOREIGN, "httpx2", "httpcore2"):  # the last two log addresses at INFO
        logging.getLogger(name).setLevel(logging.WARNING)
