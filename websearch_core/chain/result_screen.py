"""Search results at addresses that may not be read here: taken out, with a receipt that says why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..contract.models import Hit
from ..contract.results import Inspected
from ..contract.verdicts import ADDRESS_RULES, Decision, Dropped
from .document_inspector import host_of

if TYPE_CHECKING:
    from ..net.policy import AddressPolicy

_MOST_NAMED = 5


def listable(hits: Sequence[Hit], policy: AddressPolicy) -> Inspected[Hit]:
    """The hits that may stand in an answer, in their order, without pictures from addresses that may not.

    A note names the hosts that only the operator's allowlist keeps from being read: what engines say of them stays.
    """
    kept: list[Hit] = []
    dropped: list[Dropped] = []
    for hit in hits:
        if reason := policy.why_unlisted(hit.url) or (policy.why_unlisted(hit.final_url) if hit.final_url else ""):
            dropped.append(Dropped(host=host_of(hit.url), by=ADDRESS_RULES, reason=reason))
            continue
        barred = [name for name in ("image", "favicon") if (url := getattr(hit, name)) and policy.why_unlisted(url)]
        kept.append(hit.model_copy(update=dict.fromkeys(barred, "")) if barred else hit)
    trail = tuple(
        Decision(stage="inspect", by=gone.by, outcome="block", about=gone.host, reason=gone.reason) for gone in dropped
    )
    return Inspected(tuple(kept), tuple(dropped), trail, _unreadable(kept, policy))


def _unreadable(hits: Sequence[Hit], policy: AddressPolicy) -> tuple[str, ...]:
    hosts = list(dict.fromkeys(host_of(hit.url) for hit in hits if not policy.is_allowed(hit.url)))
    if not hosts:
        return ()
    more = f" and {len(hosts) - _MOST_NAMED} more" if len(hosts) > _MOST_NAMED else ""
    return (f"unreadable here, as the operator allows other sites only: {', '.join(hosts[:_MOST_NAMED])}{more}",)
