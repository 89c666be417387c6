"""The plugin's settings; imports little."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import ClassVar, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from websearch_core import (
    OptionalKeys,
    Settings,
)


class SafeguardSettings(Settings):
    """`[plugin.safeguard]`: which model judges, what it is shown, and how much that may take."""

    aliases: ClassVar[Mapping[str, str]] = {
        "TINFOIL_API_KEY": "api_key",
        "SAFEGUARD_MODEL": "model",
        "ENABLE_PII_CHECK": "pii",
        "ENABLE_FETCH_INJECTION_CHECK": "fetch_injection",
        "ENABLE_SEARCH_INJECTION_CHECK": "search_injection",
    }

    base_url: str = "https://inference.tinfoil.sh/v1"
    """What stands before `/chat/completions`."""
    api_key: OptionalKeys = ()
    no_key: bool = False
    """The endpoint wants no key; one on this machine or in a private network is asked without one anyway."""
    model: str = Field(default="gpt-oss-safeguard-120b", min_length=1)
    pii: bool = True
    """Judge requests, where no header says otherwise."""
    search_injection: bool = True
    """Judge hits, where no header says otherwise."""
    fetch_injection: bool = True
    """Judge pages, where no header says otherwise."""
    mode: Literal["always", "escalate"] = "always"
    """`escalate`: only documents in which an earlier filter left a lead between the two scores."""
    escalate_from: float = Field(default=0.2, ge=0, le=1)
    escalate_to: float = Field(default=1.0, ge=0, le=1)
    action: Literal["drop", "excise", "annotate"] = "drop"
    """What a violation does to a document: `excise` cuts the paragraph out and judges the rest again; `annotate` marks
    what was found."""
    timeout_s: float = Field(default=5.0, gt=0)
    """For one check with all its calls and repeats; keep it below `[chain] filter_timeout_s`."""
    parallel: int = Field(default=8, ge=1)
    """Calls in flight, for each of the two filters."""
    windows_per_page: int = Field(default=12, ge=2)
    """How many pieces of 6,000 characters of a longer page are judged at most."""
    budget_chars: int = Field(default=400_000, ge=10_000)
    """How many characters are shown to the model for one check; what does not fit counts as not judged."""
    max_tokens: int = Field(default=4096, ge=0)
    """The model's answer, its reasoning included; 0: the endpoint's own limit."""
    reasoning_effort: Literal["", "low", "medium", "high"] = "low"
    """Empty: not said."""
    datamark: bool = True
    """Join the words of what is judged by a sign, so that it reads less like instructions."""
    control: bool = True
    """Slip a text that is known to be bad into each call: a judge that passes it is not believed."""
    cache_ttl_s: float = Field(default=86_400.0, ge=0)
    """How long a verdict is kept; 0: not at all."""
    breaker_failures: int = Field(default=5, ge=1)
    """After so many failures of the endpoint in a row it is left alone, and every check fails at once,"""
    breaker_rest_s: float = Field(default=30.0, gt=0)
    """for so long."""
    policies_dir: str = ""
    """A folder with policies of the operator's own, `*.toml`."""
    self_test: bool = True
    """Start only when the model judges a few known texts rightly."""

    @field_validator("base_url")
    @classmethod
    def _not_in_the_clear(cls, value: str) -> str:
        if urlsplit(value).scheme != "https" and not at_home(value):
            raise ValueError(
                "must be https: queries and pages go there (http is for this machine and private networks)"
            )
        return value

    @model_validator(mode="after")
    def _in_order(self) -> SafeguardSettings:
        if self.escalate_from > self.escalate_to:
            raise ValueError("escalate_from must not be above escalate_to")
        return self

    @property
    def lacks_key(self) -> bool:
        """Whether nothing can be asked for want of a key."""
        return not (self.api_key or self.no_key or at_home(self.base_url))


def at_home(base_url: str) -> bool:
    """Whether the host is this machine, a private address, or a bare name, which only a local network knows."""
    try:
        host = urlsplit(base_url).hostname or ""
    except ValueError:
        return False
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return bool(host) and ("." not in host or host.endswith(".localhost"))
    return address.is_loopback or address.is_private
