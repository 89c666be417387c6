"""Which outgoing proxy, if any, stands between us and a host: read by us, never by a client library."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import Self
from urllib.parse import unquote, urlsplit

from ..contract.errors import StartupError, WebsearchError
from ..settings.configuration import NetSettings
from .domains import DomainRules
from .urls import host_and_port, normal_host, parse


@dataclass(frozen=True, slots=True)
class Proxy:
    """One proxy that speaks CONNECT."""

    host: str
    port: int
    secure: bool
    """Whether the way to the proxy itself is TLS."""
    authorization: str = field(default="", repr=False)
    """Value of Proxy-Authorization; empty: none."""


class Proxies:
    """The operator's proxies and the hosts that are reached without one."""

    def __init__(self, by_scheme: Mapping[str, Proxy], exempt: Iterable[str]) -> None:
        """`exempt` is in the dialect of NO_PROXY. Raises ValueError that names the malformed entry."""
        self._by_scheme = by_scheme
        self._exempt = [_Exemption(entry) for entry in exempt]

    @classmethod
    def configured(cls, settings: NetSettings, environ: Mapping[str, str]) -> Self:
        """`[net] proxy` for everything, else HTTPS_PROXY and HTTP_PROXY; NO_PROXY counts for both.

        Raises StartupError that names the setting or variable, and never shows its value.
        """
        found: dict[str, Proxy] = {}
        for scheme in ("http", "https"):
            variables = {name: environ.get(name, "") for name in (f"{scheme}_proxy", f"{scheme}_proxy".upper())}
            for where, url in {"[net] proxy": settings.proxy, **variables}.items():
                if url and scheme not in found:
                    found[scheme] = _proxy(where, url)
        listed = (environ.get("no_proxy") or environ.get("NO_PROXY") or "").split(",")
        try:
            return cls(found, [*settings.no_proxy, *filter(None, map(str.strip, listed))])
        except ValueError as error:
            raise StartupError(f"[net] no_proxy or NO_PROXY: {error}") from None

    def choose(self, scheme: str, host: str, port: int) -> Proxy | None:
        """The proxy for this host, or None: connect directly. Loopback never goes through a proxy: it would be its."""
        proxy = self._by_scheme.get(scheme)
        if proxy is None or _is_loopback(host) or any(entry.covers(host, port) for entry in self._exempt):
            return None
        return proxy


class _Exemption:
    """One entry of NO_PROXY: `*`, a name with its subdomains, `.name`, an address or a network; each with a port."""

    def __init__(self, entry: str) -> None:
        text, self._port = host_and_port(entry.strip().lower())
        self._network = ip_network(text, strict=False) if "/" in text else None
        name = f"*{text}" if text.startswith(".") else text
        self._names = DomainRules(() if self._network else [name])

    def covers(self, host: str, port: int) -> bool:
        """Whether this host is reached without a proxy."""
        if self._port not in (None, port):
            return False
        _, address = normal_host(host)
        return self._names.matches(host) if self._network is None else address is not None and address in self._network


def _is_loopback(host: str) -> bool:
    name, address = normal_host(host)
    return address.is_loopback if address else name == "localhost" or name.endswith(".localhost")


def _proxy(where: str, url: str) -> Proxy:
    text = url if "://" in url else f"http://{url}"
    remedy = f"{where}: must be http://HOST:PORT or https://HOST:PORT"
    try:
        parts = urlsplit(text)
        host, port = normal_host(parts.hostname or "")[0], parts.port
        parse(f"{parts.scheme}://{f'[{host}]' if ':' in host else host}/")
    except (ValueError, WebsearchError):
        raise StartupError(remedy) from None
    if parts.path not in ("", "/") or parts.query:
        raise StartupError(remedy)
    authorization = ""
    if parts.username is not None:
        credentials = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        authorization = "Basic " + base64.b64encode(credentials.encode()).decode("ascii")
    secure = parts.scheme == "https"
    return Proxy(host, port or (443 if secure else 80), secure, authorization)
