"""Which text an answer showed a piece of, so that a later piece of another text says so."""

from __future__ import annotations

from collections import OrderedDict

from ..contract.models import FetchRequest
from ..contract.results import FetchAnswer

_MOST = 5000
CHANGED = "the page has changed since a piece of it was shown: this piece may not fit that one; begin again at offset 0"


class ShownVersions:
    """The hashes of the last pages; in this process alone, for the text itself may not be kept."""

    def __init__(self) -> None:
        self._hashes: OrderedDict[tuple[str, ...], str] = OrderedDict()

    def compared(self, request: FetchRequest, answer: FetchAnswer) -> FetchAnswer:
        """The answer, with a note where it continues a page that now has another text."""
        key = (request.caller.tenant, request.url, request.render, str(request.raw))
        before, now = self._hashes.pop(key, ""), answer.page.content_hash
        self._hashes[key] = now
        if len(self._hashes) > _MOST:
            self._hashes.popitem(last=False)
        if not request.continued or before in ("", now):
            return answer
        return answer.model_copy(update={"notes": (CHANGED, *answer.notes)})
