"""An operator's keys for one engine: read from the settings, put where the engine wants them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, SecretStr


def _several(value: Any) -> Any:
    """One key, several parted by commas, or a list of them."""
    if isinstance(value, SecretStr):
        value = value.get_secret_value()
    if isinstance(value, str):
        return tuple(key.strip() for key in value.split(",") if key.strip())
    return value


def _usable(keys: tuple[SecretStr, ...]) -> tuple[SecretStr, ...]:
    for key in keys:
        text = key.get_secret_value()
        if not text or not text.isascii() or not text.isprintable() or " " in text:
            raise ValueError("each key must be one word of printable ASCII, as the engine's site shows it")
    return tuple({key.get_secret_value(): key for key in keys}.values())


def _some(keys: tuple[SecretStr, ...]) -> tuple[SecretStr, ...]:
    if not keys:
        raise ValueError("must not be empty")
    return keys


OptionalKeys = Annotated[tuple[SecretStr, ...], BeforeValidator(_several), AfterValidator(_usable)]
"""A setting for no, one or several keys: text, text with commas, or a list. Give it the default `()`."""

Keys = Annotated[OptionalKeys, AfterValidator(_some)]
"""A setting for one or several keys, of which there must be one."""


@dataclass(frozen=True, slots=True)
class KeyPool:
    """Keys that are used in turn, and how a request carries one: in a header, or as a query parameter.

    `KeyPool(keys, header="authorization", prefix="Bearer ")`, `KeyPool(keys, param="key")`.
    """

    keys: tuple[SecretStr, ...]
    header: str = ""
    prefix: str = ""
    param: str = ""

    def __post_init__(self) -> None:
        if bool(self.header) == bool(self.param):
            raise ValueError("a pool's keys go into a header or into a parameter: name one of the two")

    def headers(self, key: SecretStr) -> dict[str, str]:
        """What carries `key`, if that is a header: its name in lower case, the secret told."""
        return {self.header.lower(): self.prefix + key.get_secret_value()} if self.header else {}

    def params(self, key: SecretStr) -> dict[str, str]:
        """What carries `key`, if that is a query parameter, the secret told."""
        return {self.param: key.get_secret_value()} if self.param else {}
