"""The judge of addresses that came from outside: what can be said before DNS, and what of its answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address

from ..contract.errors import InvalidRequest, NetworkFailed, Refused, StartupError
from ..settings.configuration import NetSettings
from .addresses import Exceptions, why_refused
from .domains import DomainRules, compiled
from .urls import Target, parse

# RFC 6761, 6762 (and its appendix G), 8375, 7686, 9476, ICANN's .internal; what clouds and clusters call themselves
_INTERNAL = DomainRules(
    (
        *("localhost", "local", "internal", "home.arpa", "localdomain", "intranet", "lan", "home", "corp", "private"),
        *("onion", "alt", "svc", "metadata.goog", "metadata.azure.com", "metadata.tencentyun.com"),
        *("metadata.packet.net", "metadata.platformequinix.com"),
    )
)


class AddressPolicy:
    """The operator's rules for addresses. One object judges the screen, the client and every redirect alike."""

    def __init__(self, settings: NetSettings) -> None:
        """Raises StartupError that names the setting, the malformed rule and a good example."""
        self._allow = _checked("allow", settings.allow)
        self._deny = _checked("deny", settings.deny)
        try:
            self._exceptions = Exceptions(settings.private)
        except ValueError as error:
            raise StartupError(f"[net] private: {error}") from None

    def check(self, url: str, allowed_domains: Sequence[str] = ()) -> Target:
        """Everything that can be judged without DNS. Raises `Refused` or `InvalidRequest`, in constant text.

        Scheme, userinfo, literals in every spelling, internal names, the operator's rules, and the caller's, which
        can only narrow.
        """
        target = parse(url)
        if reason := self._why_barred(target):
            raise Refused(reason)
        if self._allow and not self._allow.names(target.host):
            raise Refused("not in allowlist: the operator does not allow this site")
        try:
            wanted = compiled(allowed_domains)
        except ValueError as error:
            raise InvalidRequest(f"allowed_domains: {error}") from None
        if wanted and not wanted.names(target.host):
            raise Refused("not in allowlist: allowed_domains does not name this site")
        return target

    def judge(self, addresses: Sequence[str], target: Target) -> list[IPv4Address | IPv6Address]:
        """The addresses of a host, if every one of them may be reached; else `Refused`."""
        judged: list[IPv4Address | IPv6Address] = []
        for text in addresses:
            try:
                address = ip_address(text)
            except ValueError:
                raise NetworkFailed("the name's addresses could not be read") from None
            reason = why_refused(address)
            if reason and not self._exceptions.allows(address, target.port, target.host):
                raise Refused(f"the address is not public ({reason})")
            judged.append(address)
        if not judged:
            raise NetworkFailed("the name has no address: check its spelling")
        return judged

    def why_unlisted(self, url: str) -> str:
        """Why an address must not stand among search results; empty: it may. Never raises.

        Whatever `check` refuses for every caller, the operator's allowlist aside, and any number that her settings do
        not name: what engines find has a name.
        """
        try:
            target = parse(url)
        except (InvalidRequest, Refused) as error:
            return error.detail
        if reason := self._why_barred(target):
            return reason
        if target.literal is None or self._allow.names(target.host):
            return ""
        is_named = self._exceptions.allows(target.literal, target.port)
        return "" if is_named else "the address is a number and not a name"

    def is_allowed(self, url: str) -> bool:
        """Whether the operator's allowlist lets this address be read; what is no address is not."""
        try:
            return not self._allow or self._allow.names(parse(url).host)
        except (InvalidRequest, Refused):
            return False

    def is_at_home(self, url: str) -> bool:
        """Whether its spelling tells that the address is in the operator's own network: no remote service may learn it.

        Raises `InvalidRequest` or `Refused` as `check`, for what is no address.
        """
        target = parse(url)
        if target.literal is not None:
            return why_refused(target.literal) is not None
        return self._is_internal(target.host) or self._exceptions.names(target.host, target.port)

    def _why_barred(self, target: Target) -> str:
        """Why it may not be read, as far as can be told without DNS; empty: it may."""
        if target.literal is not None:
            reason = why_refused(target.literal)
            if reason and not self._exceptions.allows(target.literal, target.port, target.host):
                return f"the address is not public ({reason})"
        elif self._is_internal(target.host) and not self._exceptions.names(target.host, target.port):
            return "the address is an internal name"
        return "not in allowlist: the operator denies this site" if self._deny.names(target.host) else ""

    def _is_internal(self, host: str) -> bool:
        return "." not in host or _INTERNAL.names(host)


def _checked(setting: str, rules: Iterable[str]) -> DomainRules:
    try:
        return DomainRules(rules)
    except ValueError as error:
        raise StartupError(f"[net] {setting}: {error}") from None
