"""What to do with an empty answer: who was asked, what to loosen, and what it does not mean."""

from __future__ import annotations

from collections.abc import Sequence

from ..contract.models import SearchRequest
from ..contract.verdicts import ADDRESS_RULES, Dropped

NO_PROOF = "That nothing was found here does not prove that nothing exists."

_LIMITS = (
    "allowed_domains",
    "excluded_domains",
    "category",
    "start_published_date",
    "end_published_date",
    "time_range",
    "language",
    "user_location_country",
    "safesearch",
    "goggle",
    "vertical",
    "backend",
)
"""What narrows a search, the narrowest first."""
_LONG = 8


def of_empty(request: SearchRequest, asked: Sequence[str], dropped: Sequence[Dropped] = ()) -> tuple[str, ...]:
    """Constant sentences for an answer without hits; `dropped`: the receipts of those that were left out."""
    judged = [gone.unjudged for gone in dropped if gone.by != ADDRESS_RULES]
    if judged and all(judged):
        again = any(gone.retry_helps for gone in judged if gone)
        step = "try again, or ask for fewer results" if again else "the operator must look at the filter"
        return (f"Something was found, but the safety filters could not judge it: {step}.",)
    if judged:
        return ("Something was found, but safety filters left all of it out: ask in other words.",)
    if dropped:
        return ("Something was found, but only at addresses that may not be read here: ask in other words.",)
    fields = SearchRequest.model_fields
    loosen = [name for name in _LIMITS if getattr(request, name) != fields[name].get_default(call_default_factory=True)]
    if request.safesearch == "off":
        loosen.remove("safesearch")
    if request.lens:
        loosen = ["lens", *(name for name in loosen if name not in ("allowed_domains", "goggle"))]
    hints = [f"Asked: {', '.join(asked)}."] if asked else []
    if loosen:
        hints.append(f"Loosen what limits the search: {', '.join(loosen)}.")
    hints.append("Use fewer words." if len(request.query.split()) > _LONG else "Use other words.")
    return (*hints, NO_PROOF)
