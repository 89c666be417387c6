"""What is said and done where a page does not get the browser that it needs, or a browser gets what is no page."""

from __future__ import annotations

from collections.abc import Sequence

from ...contract.errors import BackendError, Code, NeedsRendering, Unsupported
from ...contract.interfaces import Fetcher
from ...contract.models import FetchRequest, Page

_ASK = 'ask for it again with render "auto"'
_INSTALL = "use another source, or the operator installs a fetcher that renders pages (websearch-browser)"
NOT_RENDERED = "a browser could not make a page of this, so it was read without one"


def to_render(request: FetchRequest) -> bool:
    """Whether only a browser is to be asked."""
    return request.render == "always" or request.screenshot


def remedied(error: BackendError, request: FetchRequest, fetchers: Sequence[Fetcher]) -> BackendError:
    """The error, with the next step where a browser would help that was not asked."""
    there = any(fetcher.renders for fetcher in fetchers)
    if error.code is not Code.NEEDS_RENDERING or (there and request.render != "never"):
        return error
    told = NeedsRendering(error.detail)
    told.next_step = _ASK if there else _INSTALL
    return told


def no_browser() -> BackendError:
    """The error where a request needs a browser and none is installed."""
    error = Unsupported("no installed fetcher renders pages")
    error.next_step = f"leave render and screenshot out; or {_INSTALL.partition(', or ')[2]}"
    return error


def unrendered(page: Page) -> Page:
    """The page, with the note that it was not rendered."""
    return page.model_copy(update={"notes": (NOT_RENDERED, *page.notes)})
