"""The trust policy: a popular site's own pages, less a random share of them."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from websearch_core import Document, TrustPolicy

from .audit import Audit
from .own_list import OwnList
from .public_suffixes import PublicSuffixes
from .ranking import Ranking
from .url_place import place
from .user_content import UserContent, categories

_NO_LIST = "there is no list, or it is too old; set WEBSEARCH_POPULARITY__API_TOKEN or WEBSEARCH_POPULARITY__LIST_FILE"


class Ruling(NamedTuple):
    """Whether an address is trusted, and why."""

    trusted: bool
    why: str
    """Constant text; of strangers, the list's reason."""
    host: str = ""
    domain: str = ""
    category: str = ""
    entry: str = ""
    """What matched: the listed name, or the rule's entry."""


class PopularityPolicy(TrustPolicy):
    """Trusts a page whose final host, or its registrable domain, is listed, where no stranger writes."""

    name = "popularity"

    def __init__(self, ranking: Ranking | None, own: OwnList | None, audit: Audit) -> None:
        self.lists = tuple(one for one in (ranking, own) if one)
        self._ranking = ranking
        self.audit = audit
        self._loaded = False

    async def load(self) -> None:
        """Be ready for `judge`: read what is on this machine."""
        self._loaded = bool(self._user_content)
        if self._ranking:
            await self._ranking.load()

    async def start(self) -> None:
        """Be ready, and keep Radar's list fresh in the background."""
        self._loaded = bool(self._user_content)
        if self._ranking:
            await self._ranking.start()

    async def aclose(self) -> None:
        """Stop, and write the counts."""
        if self._ranking:
            await self._ranking.aclose()
        await self.audit.write()

    async def trusts(self, document: Document) -> bool:
        """Whether it may skip filters, this time."""
        return self.judge(document.reached).trusted and not await self.audit.draws()

    def judge(self, address: str) -> Ruling:
        """What is thought of an address, without chance."""
        if not self._loaded:
            return Ruling(trusted=False, why="the lists are not loaded")
        where = place(address)
        if where is None:
            return Ruling(trusted=False, why="not a plain web address with a host name")
        host = where.host
        if not (domain := self._suffixes.domain(host)):
            return Ruling(trusted=False, why="a suffix under which others register", host=host)
        if rule := self._user_content.rule(where, domain):
            return Ruling(False, rule.reason, host, domain, rule.category, rule.entry)
        current = [(one.label, names) for one in self.lists if (names := one.names) is not None]
        if not current:
            return Ruling(trusted=False, why=_NO_LIST, host=host, domain=domain)
        for label, names in current:
            for name in dict.fromkeys((domain, host)):
                if name in names:
                    return Ruling(trusted=True, why=f"on {label}", host=host, domain=domain, entry=name)
        return Ruling(trusted=False, why="on no list", host=host, domain=domain)

    @cached_property
    def _suffixes(self) -> PublicSuffixes:
        return PublicSuffixes()

    @cached_property
    def _user_content(self) -> UserContent:
        return UserContent(categories(), self._suffixes.is_name)
