"""What every value that flows is made of: frozen, validated, in named parts that filters judge and rewrite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self

from pydantic import BaseModel, ConfigDict

ADDRESS_FIELDS = frozenset(
    {"url", "final_url", "favicon", "image", "canonical_url", "media_type", "etag", "last_modified"}
)
"""Parts of a document that can hold neither a warning nor a note of a removal: addresses, and what headers say."""
HIDDEN_FIELD = "hidden"
"""What findings in a document's hidden text name as their field: it is no part, since it is in no answer."""
INJECTION_KIND = "injection-"
"""What the kind of every finding of instructions to an AI begins with."""


class Value(BaseModel):
    """Base of everything that flows: immutable, and an unknown field is an error."""

    # built at first use: listing plugins needs no validators
    model_config = ConfigDict(
        frozen=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64", defer_build=True
    )


class Part(NamedTuple):
    """One named piece of text of a value: what filters judge and rewrite."""

    field: str
    text: str


class Finding(NamedTuple):
    """What a filter saw and where: offsets are code points within the part named `field`; score is 0 to 1."""

    kind: str
    field: str
    start: int
    end: int
    score: float = 1.0


class Parted(Value):
    """What has named parts: one filter serves both tools, and no surface is forgotten."""

    main_part: ClassVar[str]

    @property
    def parts(self) -> tuple[Part, ...]:
        """Every text of this value, empty ones left out, in a fixed order."""
        raise TypeError(f"{type(self).__name__} declares no parts")

    def with_parts(self, parts: Sequence[Part]) -> Self:
        """The same value with these texts; re-validated. Raises ValueError unless the fields are those of `parts`."""
        if [part.field for part in parts] != [part.field for part in self.parts]:
            raise ValueError("a rewrite must keep the parts' fields and their order")
        return self._revalidated(self._fields_from(parts))

    def with_text(self, text: str) -> Self:
        """The same value with another main part (query, url, body, or a hit's text); re-validated."""
        return self._revalidated(self._fields_from(self._main_parts(text)))

    def _main_parts(self, text: str) -> Sequence[Part]:
        return (Part(self.main_part, text),)

    def _fields_from(self, parts: Sequence[Part]) -> dict[str, Any]:
        return {part.field: part.text for part in parts}

    def _revalidated(self, fields: Mapping[str, Any]) -> Self:
        current = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self).model_validate({**current, **fields})
