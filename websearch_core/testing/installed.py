"""Every backend that is installed, made with stand-in settings: its declarations can be read without asking anybody."""

from __future__ import annotations

import inspect
from importlib.metadata import entry_points

from websearch_core.contract.errors import MissingSetting
from websearch_core.contract.interfaces import SearchBackend

from .fakes import context


def installed_backends() -> dict[str, SearchBackend]:
    """By name. Those that need a key are given one; those that may do without have none."""
    found: dict[str, SearchBackend] = {}
    for entry in entry_points(group="websearch"):
        hook = getattr(entry.load(), "websearch_search_backends", None)
        environ: dict[str, str] = {}
        while hook is not None:
            ctx = context(entry.name, environ=environ)
            try:
                made = list(hook(ctx) if inspect.signature(hook).parameters else hook())
            except MissingSetting as missing:
                environ |= {name: "http://127.0.0.1:9" if "URL" in name else "x" for name in missing.names}
                continue
            found |= {backend.name: backend for backend in made}
            break
    return dict(sorted(found.items()))
