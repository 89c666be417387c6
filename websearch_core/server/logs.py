"""Logging of a server: to stderr, one line a record, and no traceback that could quote a request."""

from __future__ import annotations

import logging
import sys

_FOREIGN = ("mcp", "uvicorn", "sse_starlette")


class NoTracebacks(logging.Filter):
    """Libraries log exceptions whose text may hold a query or a page: only the type stays."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always keeps the record."""
        if record.exc_info and record.name.partition(".")[0] in _FOREIGN:
            kind = record.exc_info[0]
            record.msg = f"{record.getMessage()} ({kind.__name__})" if kind else record.getMessage()
            record.args = ()
            record.exc_info = None
            record.exc_text = None
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
