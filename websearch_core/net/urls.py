"""Addresses as browsers read them (WHATWG URL), less what we refuse to guess about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import quote, unquote_to_bytes, urljoin

from ..contract.errors import InvalidRequest, Refused

MAX_CHARS = 8192

_BLANK = "".join(map(chr, range(33)))
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_AUTHORITY_END = re.compile(r"[/\\?#]")
_HOST = re.compile(r"(?=.{1,253}\Z)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\Z")
_NUMBER = re.compile(r"[0-9]+\Z|0x[0-9a-f]*\Z")
_PORT = re.compile(r"(\[.*\]|[^:]*)(?::([0-9]{0,8}))?")
_DEFAULT_PORTS = {"http": 80, "https": 443}
# RFC 3986 delimiters and "%" stay; everything else that is not unreserved is escaped, as browsers do
_PATH_SAFE = "/:@!$&'()*+,;=%~[]|^"
_QUERY_SAFE = _PATH_SAFE.replace("'", "") + "?\\`{}"
# what most addresses look like: normal already, so there is nothing to do but take them apart
_PLAIN = re.compile(
    r"(https?)://(?=[^/]{1,253}/)((?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]{0,62})"
    rf"(/[\w.~{re.escape(_PATH_SAFE)}-]*(?:\?[\w.~{re.escape(_QUERY_SAFE)}-]*)?)\Z",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Target:
    """An http(s) address that has been read: what is connected to is what was judged."""

    scheme: str
    host: str
    """Lower-case ASCII, no brackets, no trailing dot."""
    port: int
    literal: IPv4Address | IPv6Address | None
    """The address, when the host is one in any spelling."""
    path: str
    """Path and query, as sent."""

    @property
    def url(self) -> str:
        """The whole address in its normal spelling, without fragment."""
        return self.origin + self.path

    @property
    def origin(self) -> str:
        """Scheme, host and port, the port only where it is not the scheme's own."""
        return f"{self.scheme}://{self.authority}"

    @property
    def authority(self) -> str:
        """The value of the Host header."""
        host = f"[{self.host}]" if isinstance(self.literal, IPv6Address) else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"


@lru_cache(maxsize=512)
def parse(url: str) -> Target:
    """Read an absolute address. Raises `Refused` for what policy forbids whatever the host, else `InvalidRequest`.

    The last addresses are remembered: screen, client and checks all read the same one.
    """
    plain = _PLAIN.match(url)
    if plain and len(url) <= MAX_CHARS and "/." not in url and "/%2" not in url:
        scheme, host, path = plain.groups()
        return Target(scheme, host, _DEFAULT_PORTS[scheme], None, path)
    return _read(url)


def _read(url: str) -> Target:
    text = url.strip(_BLANK)
    if len(text) > MAX_CHARS:
        raise InvalidRequest("the address is too long")
    if _CONTROL.search(text):
        raise InvalidRequest("the address holds a control character")
    match = _SCHEME.match(text)
    if match is None:
        raise InvalidRequest("the address needs a scheme, for example https://example.com/page")
    scheme = match[1].lower()
    if scheme not in _DEFAULT_PORTS:
        raise Refused("only http and https addresses are read")
    rest = text[match.end() :].partition("#")[0]
    if not rest.startswith("//"):
        raise InvalidRequest("the address needs a host, for example https://example.com/page")
    end = _AUTHORITY_END.search(rest, 2)
    authority, tail = (rest[2 : end.start()], rest[end.start() :]) if end else (rest[2:], "")
    if "@" in authority:
        raise Refused("addresses with a user name or password are refused")
    try:
        host, port = host_and_port(authority)
        if ":" in host and not host.startswith("["):
            raise ValueError("its port is not a number, or its IPv6 address lacks brackets")
        name, literal = normal_host(host)
        path = _normal_path(tail)
    except ValueError as error:
        raise InvalidRequest(f"the address's host is not valid: {error}") from None
    target = Target(scheme, name, port or _DEFAULT_PORTS[scheme], literal, path)
    if len(target.url) > MAX_CHARS:
        raise InvalidRequest("the address is too long")
    return target


def join(base: Target, reference: str) -> Target:
    """Read an address that a page or redirect of `base` points to. Raises as `parse`."""
    text = reference.strip(_BLANK)
    if _SCHEME.match(text):
        return parse(text)
    path = re.split(r"[?#]", text, maxsplit=1)[0]
    try:
        whole = urljoin(base.url, path.replace("\\", "/") + text[len(path) :])
    except ValueError:  # brackets that hold no address
        raise InvalidRequest("the address's host is not valid: it is not an IPv6 address") from None
    return parse(whole)


def normal_host(host: str) -> tuple[str, IPv4Address | IPv6Address | None]:
    """A host in its normal spelling, and the address when it is one. Raises ValueError with constant text."""
    text = host.strip()
    if text.startswith("[") or text.count(":") > 1:
        address = _ipv6(text)
        return str(address), address
    if "%" in text:
        try:
            text = unquote_to_bytes(text).decode()
        except UnicodeDecodeError:
            raise ValueError("it is not UTF-8") from None
    name = _ascii(text).removesuffix(".")
    if not _HOST.match(name):
        raise ValueError("it is empty, too long or holds a forbidden character")
    if _NUMBER.match(name.rpartition(".")[2]):
        literal = _ipv4(name)
        return str(literal), literal
    return name, None


def _ascii(text: str) -> str:
    if text.isascii():
        return text.lower()
    import idna

    try:
        mapped = idna.uts46_remap(text, std3_rules=False)
        return mapped.lower() if mapped.isascii() else idna.encode(mapped).decode("ascii")
    except idna.IDNAError:
        raise ValueError("it is not an international domain name") from None


def host_and_port(text: str) -> tuple[str, int | None]:
    """Splits `host:port` and `[IPv6]:port`; what has no port, as an IPv6 address without brackets, is all host.

    Raises ValueError for a number that is not a port.
    """
    match = _PORT.fullmatch(text)
    if match is None:
        return text, None
    if match[2] and not 0 < int(match[2]) < 65_536:
        raise ValueError("the port is not valid")
    return match[1], int(match[2]) if match[2] else None


def _ipv4(host: str) -> IPv4Address:
    """WHATWG's IPv4 parser: one to four numbers, each decimal, octal (0…) or hexadecimal (0x…)."""
    *leading, last = [_number(part) for part in host.split(".")]
    if len(leading) > 3 or any(number > 255 for number in leading) or last >= 256 ** (4 - len(leading)):
        raise ValueError("it ends in a number and is not an IPv4 address")
    return IPv4Address(last + sum(number << (24 - 8 * place) for place, number in enumerate(leading)))


def _number(text: str) -> int:
    base, digits = 10, text
    if text.startswith("0x"):
        base, digits = 16, text[2:] or "0"
    elif text.startswith("0"):
        base = 8
    try:
        if len(digits) > 64 or not set(digits) <= set("0123456789abcdef"[:base]):  # int reads 0o17 and 1_7, too
            raise ValueError
        return int(digits, base)
    except ValueError:
        raise ValueError("it ends in a number and is not an IPv4 address") from None


def _ipv6(text: str) -> IPv6Address:
    inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    if "%" in inner:
        raise ValueError("IPv6 zone identifiers are refused")
    try:
        return IPv6Address(inner)
    except ValueError:
        raise ValueError("it is not an IPv6 address") from None


def _normal_path(tail: str) -> str:
    path, mark, query = tail.partition("?")
    segments: list[str] = []
    parts = path.replace("\\", "/").split("/")[1:]
    for place, part in enumerate(parts):
        plain = part.lower().replace("%2e", ".")
        if plain == "..":
            del segments[-1:]
        elif plain != ".":
            segments.append(part)
            continue
        if place == len(parts) - 1:
            segments.append("")
    try:
        return "/" + quote("/".join(segments), safe=_PATH_SAFE) + (mark and mark + quote(query, safe=_QUERY_SAFE))
    except UnicodeEncodeError:
        raise ValueError("the path is not Unicode text") from None
