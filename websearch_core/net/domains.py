"""Domain rules: the one dialect in which operators, callers and lenses name hosts."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from .urls import normal_host

GOOD_RULE = 'write for example "example.com", "=example.com", "*.example.com" or "docs-*.example.com"'

_CLASS = re.compile(r"\[[!^]?([a-z0-9._-]+)\]")
_GLOB = re.compile(rf"(?:[\w.*?-]|{_CLASS.pattern})+", re.ASCII)


class DomainRules:
    """A set of rules, checked when it is made; any one of them is enough for a match.

    `example.com` is the host and its subdomains, `=example.com` this host only, `*.example.com` its subdomains only.
    Anything else with `*`, `?`, `[a-z]` or `[^a-z]` is a glob over the whole host, in which `*` crosses dots. An IP
    address means itself. Case, a trailing dot and the spelling of an international name do not matter. Looking up a
    host costs the same however many plain rules there are; a glob takes linear time.
    """

    def __init__(self, rules: Iterable[str]) -> None:
        """Raises ValueError that names the malformed rule."""
        self._hosts: set[str] = set()
        self._trees: set[str] = set()
        self._globs: list[re.Pattern[str]] = []
        for rule in rules:
            try:
                self._add(rule.strip().lower())
            except (ValueError, re.error) as error:
                raise ValueError(f"{rule!r} is not a domain rule ({error}); {GOOD_RULE}") from None

    def __bool__(self) -> bool:
        return bool(self._hosts or self._trees or self._globs)

    def matches(self, host: str) -> bool:
        """Whether a rule names this host (no port, no brackets needed); what is not a host matches nothing."""
        try:
            return bool(self) and self.names(normal_host(host)[0])
        except ValueError:
            return False

    def names(self, name: str) -> bool:
        """The same for a host in its normal spelling, as `Target.host` is."""
        if name in self._hosts:
            return True
        parent = name if self._trees else ""
        while parent:
            _, _, parent = parent.partition(".")
            if parent in self._trees:
                return True
        return any(glob.match(name) for glob in self._globs)

    def _add(self, rule: str) -> None:
        if rule.startswith("="):
            self._hosts.add(normal_host(rule[1:])[0])
        elif rule.startswith("*.") and not _is_glob(rule[2:]):
            name, literal = normal_host(rule[2:])
            if literal is not None:
                raise ValueError("an address has no subdomains")
            self._trees.add(name)
        elif _is_glob(rule):
            self._globs.append(_pattern(rule))
        else:
            name, literal = normal_host(rule)
            self._hosts.add(name)
            if literal is None:
                self._trees.add(name)


def compiled(rules: Sequence[str]) -> DomainRules:
    """The rules of one caller, compiled once and not at each step of the chain. Raises as `DomainRules`."""
    return _compiled(tuple(rules))


_compiled = lru_cache(maxsize=256)(DomainRules)


def _is_glob(rule: str) -> bool:
    bracketed_address = rule.startswith("[") and ":" in rule
    return not bracketed_address and any(character in rule for character in "*?[")


def _pattern(rule: str) -> re.Pattern[str]:
    labels = rule.removesuffix(".").split(".") if "[" not in rule else [rule]
    pattern = ".".join(label if label.isascii() else normal_host(label)[0] for label in labels)
    if not _GLOB.fullmatch(pattern):
        raise ValueError("no scheme, port or path, and each [ needs its ]")
    for group in _CLASS.findall(pattern):
        re.compile(f"[{group}]")  # a range like z-a would otherwise silently match nothing
    # fnmatch puts all that follows a star into an atomic group: nothing is tried twice
    return re.compile(fnmatch.translate(pattern.replace("[^", "[!")))
