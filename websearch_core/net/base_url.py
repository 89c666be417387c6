"""The base address of an engine client: one origin, and only what lies below."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote

from ..contract.engine_response import Parameter
from ..contract.errors import InvalidRequest, Refused, StartupError
from .engine_message import form
from .urls import Target, join, parse

_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[/\\]{2}|\\")
_BELOW = "this client asks one origin only, and only below its base address"
_FORM = 'the base address must be http(s)://HOST[:PORT][/PATH], for example "http://127.0.0.1:8080"'


class BaseUrl:
    """An address that the operator configured."""

    def __init__(self, url: str) -> None:
        """Raises StartupError, which never shows the address: a password may be in it."""
        try:
            self.address = parse(url)
        except InvalidRequest:
            raise StartupError(_FORM) from None
        except Refused:
            raise StartupError(f"{_FORM}, without user name or password: those have settings") from None
        if "?" in self.address.path:
            raise StartupError(f"{_FORM}, without a query")

    def below(self, path: str, params: Mapping[str, Parameter]) -> Target:
        """The address of `path`, relative or absolute, with these parameters. Raises Refused, InvalidRequest."""
        prefix = self.address.path.rstrip("/") + "/"
        absolute = _ABSOLUTE.match(path) is not None
        plain = self.address.origin + prefix + path.lstrip("/") if path else self.address.url
        target = join(self.address, path) if absolute else parse(plain)
        if target.origin != self.address.origin or not f"{target.path.partition('?')[0]}/".startswith(prefix):
            raise Refused(_BELOW)
        # many servers read an escaped slash as one, and go up
        if ".." in unquote(target.path.partition("?")[0]).replace("\\", "/").split("/"):
            raise Refused(_BELOW)
        query = form(params)
        if not query:
            return target
        joint = "&" if "?" in target.path else "?"
        return parse(f"{target.url}{joint}{query}")
