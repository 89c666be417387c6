"""Counts how many different values each parameter of a site was given lately: data leaves in small pieces, too."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

MAX_TENANTS = 1024
MAX_PLACES = 512


class Changing:
    """Different values per tenant and place in a sliding window; bounded, the least recently used go first.

    One tenant's requests neither count for another's nor push them out, until there are more than 1,024 tenants.
    """

    def __init__(self, window_s: float) -> None:
        """Values older than the window are forgotten."""
        self._window = window_s
        self._tenants: OrderedDict[str, OrderedDict[Hashable, OrderedDict[int, float]]] = OrderedDict()

    def exceeds(self, tenant: str, place: Hashable, value: int, limit: int, now: float) -> bool:
        """Whether this value would be one more than `limit` different ones; one that would be is not remembered."""
        places = self._of(tenant)
        values = places.setdefault(place, OrderedDict())
        places.move_to_end(place)
        if len(places) > MAX_PLACES:
            places.popitem(last=False)
        while values and next(iter(values.values())) <= now - self._window:
            values.popitem(last=False)
        if value not in values and len(values) >= limit:
            return True
        values[value] = now
        values.move_to_end(value)
        return False

    def _of(self, tenant: str) -> OrderedDict[Hashable, OrderedDict[int, float]]:
        places = self._tenants.setdefault(tenant, OrderedDict())
        self._tenants.move_to_end(tenant)
        if len(self._tenants) > MAX_TENANTS:
            self._tenants.popitem(last=False)
        return places
