"""Which backends are asked for a search: by vertical, by name, and by what each backend can serve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...contract.errors import Code, Failure, InvalidRequest
from ...contract.interfaces import SearchBackend
from ...contract.models import SearchRequest
from ..source.answer_cache import ASK_LIVE, MISS, ONLY_CACHE
from ..source.failure_values import declared
from .search_run import SearchRun


class BackendSelector:
    """The backends of one start, in the order of asking."""

    def __init__(
        self,
        backends: Sequence[SearchBackend],
        routes: Mapping[str, Sequence[SearchBackend]],
        off: Mapping[str, str],
    ) -> None:
        """`routes`: per vertical, another order. `off`: backends that are installed, but not asked → why."""
        self._usual = tuple(backends)
        self._routes = {vertical: tuple(chosen) for vertical, chosen in routes.items()}
        self._off = off
        backends = (*self._usual, *(backend for chosen in self._routes.values() for backend in chosen))
        self.known: Mapping[str, SearchBackend] = {backend.name: backend for backend in backends}

    def chosen(self, request: SearchRequest) -> Sequence[SearchBackend]:
        """The backends to ask, in order; only the one that the request names, if it names one.

        Backends that are asked only `alone` are left out where another is configured, whatever comes of asking it.

        Raises `InvalidRequest` when it names one that is not there; what is missing is named, too.
        """
        name = request.backend
        if not name:
            usual = self._routes.get(request.vertical, self._usual)
            company = [backend for backend in usual if not _property(backend, "alone")]
            return company or usual
        if name in self.known:
            return (self.known[name],)
        if name in self._off:
            why = self._off[name]
            raise InvalidRequest(f"backend: {name} cannot be asked: {why}; only the operator can change that")
        names = ", ".join(sorted(self.known)) or "none"
        raise InvalidRequest(f"backend: there is none of this name; configured are: {names}")

    def serving(
        self, chosen: Sequence[SearchBackend], run: SearchRun
    ) -> tuple[list[SearchBackend], list[SearchBackend]]:
        """The chosen backends that can serve the request: the ordinary ones, and those that are always merged."""
        serving = [backend for backend in chosen if _serves(backend, run)]
        joining = [backend for backend in serving if _property(backend, "always_merged")]
        ordinary = [backend for backend in serving if backend not in joining]
        return (ordinary, joining) if ordinary else (joining, [])


def kept_by(backend: SearchBackend, request: SearchRequest) -> bool:
    """Whether the engine has a cache of its own that it can be held to."""
    return "max_age_hours" in backend.verticals.get(request.vertical, frozenset())


def identity(chosen: Sequence[SearchBackend], revisions: Mapping[str, str]) -> list[object]:
    """The backends, for the cache's key: other backends, other settings, another index give another answer.

    `revisions`: backend → digest of its plugin's settings.
    """
    dynamic = ("always_merged", "revision")
    return [
        [backend.name, revisions[backend.name], *(_property(backend, name, default="") for name in dynamic)]
        for backend in chosen
    ]


def _serves(backend: SearchBackend, run: SearchRun) -> bool:
    request = run.request
    if request.vertical not in backend.verticals:
        run.skipped(Failure(backend.name, Code.UNSUPPORTED, f"it does not search {request.vertical}"))
        return False
    if request.max_age_hours == ONLY_CACHE and not kept_by(backend, request):
        run.skipped(Failure(backend.name, Code.NOT_FOUND, MISS, next_step=ASK_LIVE))
        return False
    characters, words = backend.max_query_chars, backend.max_query_words
    limit = ""
    if characters is not None and len(request.query) > characters:
        limit = f"{characters} characters"
    elif words is not None and len(request.query.split()) > words:
        limit = f"{words} words"
    if limit:
        detail = f"it takes queries of at most {limit}"
        run.skipped(Failure(backend.name, Code.INVALID_REQUEST, detail))
        run.notes.append(f"{backend.name} was not asked: {detail}")
    return not limit


def _property(backend: SearchBackend, name: str, *, default: Any = False) -> Any:
    return declared(backend.name, lambda: getattr(backend, name), default)
