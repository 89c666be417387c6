"""Who calls: bearer tokens, and the headers that switch filter families for one request."""

from __future__ import annotations

import hashlib
import hmac
import logging
from collections.abc import Iterable, Mapping, Sequence

import anyio

from ..contract.interfaces import TokenVerifier
from ..contract.models import Caller

log = logging.getLogger(__name__)

Header = tuple[bytes, bytes]

FAMILY_HEADERS: Mapping[bytes, str] = {
    b"x-tinfoil-tool-pii-check": "pii",
    b"x-websearch-pii-check": "pii",
    b"x-tinfoil-tool-injection-check": "injection",
    b"x-websearch-injection-check": "injection",
}

_SWITCH = {b"true": True, b"1": True, b"false": False, b"0": False}
_LONGEST_TOKEN = 8192

VERIFIER_SECONDS = 5.0
"""How long one token verifier may take; the request holds its place meanwhile."""


class VerifierError(Exception):
    """A verifier failed, so nobody can say whose the token is: not the caller's fault."""


class Callers:
    """Tells who sent a request; without tokens and verifiers, everybody is the anonymous tenant."""

    def __init__(self, tokens: Mapping[str, str], verifiers: Sequence[TokenVerifier], floor: frozenset[str]) -> None:
        """`tokens`: tenant → SHA-256 of its token, in hex."""
        self._tokens = tuple((tenant, digest.lower()) for tenant, digest in tokens.items())
        self._verifiers = tuple(verifiers)
        self._floor = floor

    @property
    def open_to_all(self) -> bool:
        """Whether nobody needs a token."""
        return not self._tokens and not self._verifiers

    async def identify(self, headers: Iterable[Header]) -> Caller | None:
        """The caller, or None: no token, or one that nobody knows. Raises VerifierError."""
        authorization = b""
        families: dict[str, bool] = {}
        for name, value in headers:
            if name == b"authorization":
                authorization = value
            elif (family := FAMILY_HEADERS.get(name)) and (switch := _SWITCH.get(value.strip().lower())) is not None:
                # Of two that disagree, the stricter counts.
                families[family] = families.get(family, False) or switch
        for family in self._floor:
            if families.get(family) is False:
                del families[family]
        if self.open_to_all:
            return Caller(families=families) if families else _ANYBODY
        caller = await self._holder(authorization)
        if caller is None or not families:
            return caller
        # What the verifier switched on stays on, as between two headers.
        switched = {name: on or caller.families.get(name, False) for name, on in families.items()}
        return caller.model_copy(update={"families": {**caller.families, **switched}})

    async def _holder(self, authorization: bytes) -> Caller | None:
        scheme, _, token = authorization.partition(b" ")
        token = token.strip()
        if scheme.lower() != b"bearer" or not token or len(token) > _LONGEST_TOKEN:
            return None
        digest = hashlib.sha256(token).hexdigest()
        found = ""
        for tenant, known in self._tokens:  # every one is compared: the time tells nothing
            if hmac.compare_digest(digest, known):
                found = tenant
        if found:
            return Caller(tenant=found)
        for verifier in self._verifiers:
            try:
                with anyio.fail_after(VERIFIER_SECONDS):
                    caller = await verifier.verify(token.decode("latin-1"))
            except Exception as error:  # noqa: BLE001 - whatever it is, nobody was verified
                log.error("token verifier %s failed (%s)", verifier.name, type(error).__name__)  # noqa: TRY400 - a traceback may hold the token
                raise VerifierError from None
            if caller is not None:
                return caller
        return None


_ANYBODY = Caller()
