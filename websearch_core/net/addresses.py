"""Which IP addresses are public, by number and never by text, and the operator's exact exceptions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network

from .urls import host_and_port, normal_host

_GOOD_EXCEPTION = 'write for example "10.1.0.0/16", "127.0.0.1:8099", "[::1]:8099" or "wiki.corp:8080"'

# IANA's special-purpose registries (RFC 6890 and updates): everything that is not globally reachable unicast
_REFUSED: Mapping[str, tuple[str, ...]] = {
    "unspecified": ("0.0.0.0/8", "::/128"),
    "loopback": ("127.0.0.0/8", "::1/128"),
    "private": ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),
    "unique local": ("fc00::/7",),
    "carrier-grade NAT": ("100.64.0.0/10",),
    "cloud platform": ("168.63.129.16/32",),  # Azure's host agent: a public number, answered by the platform
    "link-local": ("169.254.0.0/16", "fe80::/10"),
    "site-local": ("fec0::/10",),
    "documentation": ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"),
    "benchmarking": ("198.18.0.0/15", "2001:2::/48"),
    "multicast": ("224.0.0.0/4", "ff00::/8"),
    "discard": ("100::/64",),
    "Teredo": ("2001::/32",),
    "IPv4-compatible": ("::/96",),
    "local NAT64": ("64:ff9b:1::/48",),
    "reserved": ("192.0.0.0/24", "192.88.99.0/24", "240.0.0.0/4", "2001::/23", "3ffe::/16"),
}
"""The first that fits names an address."""
_NETWORKS = [(ip_network(text), name) for name, texts in _REFUSED.items() for text in texts]
_REFUSED_V4 = tuple((network, name) for network, name in _NETWORKS if isinstance(network, IPv4Network))
_REFUSED_V6 = tuple((network, name) for network, name in _NETWORKS if isinstance(network, IPv6Network))
_MAPPED = IPv6Network("::ffff:0:0/96")
_NAT64 = IPv6Network("64:ff9b::/96")
_6TO4 = IPv6Network("2002::/16")
_GLOBAL_UNICAST = IPv6Network("2000::/3")


def why_refused(ip: IPv4Address | IPv6Address) -> str | None:
    """The class of an address that is not public, or None. An IPv4 address inside IPv6 is taken out and judged."""
    if isinstance(ip, IPv4Address):
        return next((name for network, name in _REFUSED_V4 if ip in network), None)
    if ip.scope_id is not None:
        return "scoped"
    for network, name, shift in ((_MAPPED, "IPv4-mapped", 0), (_NAT64, "NAT64", 0), (_6TO4, "6to4", 80)):
        if ip in network:
            inner = why_refused(IPv4Address((int(ip) >> shift) & 0xFFFF_FFFF))
            return inner and f"{name} {inner}"
    refused = next((name for network, name in _REFUSED_V6 if ip in network), None)
    if refused is None and ip not in _GLOBAL_UNICAST:
        return "reserved"
    return refused


class Exceptions:
    """`[net] private`: the networks, addresses and internal names that may be reached all the same.

    Exact: `127.0.0.1:8099` is this port of this address; `localhost` is not named by it. A network so wide that it
    would switch the guard off is an error.
    """

    def __init__(self, entries: Iterable[str]) -> None:
        """Raises ValueError that names the malformed entry."""
        self._networks: list[IPv4Network | IPv6Network] = []
        self._hosts: set[tuple[str, int | None]] = set()
        for entry in entries:
            try:
                self._add(entry.strip())
            except ValueError as error:
                raise ValueError(f"{entry!r} is not an exception ({error}); {_GOOD_EXCEPTION}") from None

    def allows(self, ip: IPv4Address | IPv6Address, port: int, host: str = "") -> bool:
        """Whether this address may be reached at this port, by itself or as the address of `host`."""
        if self.names(str(ip), port) or (host and self.names(host, port)):
            return True
        return any(ip.version == network.version and ip in network for network in self._networks)

    def names(self, host: str, port: int) -> bool:
        """Whether the host itself is listed, for this port or for all."""
        return (host, port) in self._hosts or (host, None) in self._hosts

    def _add(self, entry: str) -> None:
        if "/" in entry:
            network = ip_network(entry)
            if network.prefixlen < (8 if network.version == 4 else 7):
                raise ValueError("the network is too wide")
            self._networks.append(network)
            return
        host, port = host_and_port(entry)
        if port is None and host != entry:
            raise ValueError("a port must follow the colon")
        self._hosts.add((normal_host(host)[0], port))
