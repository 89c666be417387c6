"""Numbers and lengths of CSS, however they are written (CSS Values 4)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

MAX_CHARS = 200
"""Of a calculation: longer ones are not worked out."""
MAX_DEPTH = 8
_NUMBER = r"([+-]?(?:\d{1,12}(?:\.\d{0,12})?|\.\d{1,12})(?:e[+-]?\d{1,3})?)"
_AMOUNT = re.compile(_NUMBER + r"([a-z]{1,5}|%)?")
_TOKEN = re.compile(_NUMBER + r"([a-z]{1,5}|%)?|([a-z]+)?(\()|([)*/,+-])")
_SCREEN = [f"{size}{way}" for size in ("", "s", "l", "d") for way in ("vw", "vh", "vi", "vb", "vmin", "vmax")]
_BOX = ["cqw", "cqh", "cqi", "cqb", "cqmin", "cqmax"]
_LETTERS = {"em": 16.0, "rem": 16.0, "ic": 16.0, "cap": 11.0, "ex": 8.0, "rex": 8.0, "ch": 8.0, "lh": 20.0, "rlh": 20.0}
_FIXED = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 38.0, "mm": 3.8, "q": 0.95}
_PIXELS = _FIXED | _LETTERS | dict.fromkeys((*_SCREEN, *_BOX), 10.0)
"""Roughly: a letter has 16, and a screen is thought to be narrow."""


def number(value: str) -> float | None:
    """A plain number, where a hundred per cent are one; None for anything else."""
    return _worked_out(value, {"": 1.0, "%": 0.01})


def length(value: str, percent: float = 16.0) -> float | None:
    """In pixels; zero needs no unit. A hundred per cent are so many."""
    return _worked_out(value, _units(percent))


@lru_cache(8)
def _units(percent: float) -> dict[str, float]:
    return {**_PIXELS, "%": percent / 100}


def _worked_out(value: str, units: Mapping[str, float]) -> float | None:
    if (found := _AMOUNT.fullmatch(value)) is not None:
        return _amount(found[1], found[2] or "", units)
    if "(" not in value or len(value) > MAX_CHARS:
        return None
    try:
        return _Calculation(value, units).result()
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def _amount(digits: str, unit: str, units: Mapping[str, float]) -> float | None:
    amount = float(digits)
    if unit in units:
        return amount * units[unit]
    return 0.0 if amount == 0 and not unit else None


class _Calculation:
    """Sums, products and the functions that choose. Raises `ValueError` for what is none."""

    def __init__(self, text: str, units: Mapping[str, float]) -> None:
        self._units = units
        self._tokens: list[re.Match[str]] = []
        at = 0
        while at < len(text):
            if text[at].isspace():
                at += 1
            elif (token := _TOKEN.match(text, at)) is not None:
                self._tokens.append(token)
                at = token.end()
            else:
                raise ValueError(text)
        self._tokens.reverse()

    def result(self) -> float:
        total = self._sum(0)
        if self._tokens:
            raise ValueError
        return total

    def _next(self) -> str:
        return self._tokens[-1][0] if self._tokens else ""

    def _sum(self, depth: int) -> float:
        if depth > MAX_DEPTH:
            raise ValueError
        total = self._product(depth)
        while (sign := self._next()) in {"+", "-"}:
            self._tokens.pop()
            term = self._product(depth)
            total += term if sign == "+" else -term
        return total

    def _product(self, depth: int) -> float:
        total = self._term(depth)
        while (sign := self._next()) in {"*", "/"}:
            self._tokens.pop()
            term = self._term(depth)
            total = total * term if sign == "*" else total / term
        return total

    def _term(self, depth: int) -> float:
        if not self._tokens:
            raise ValueError
        token = self._tokens.pop()
        if token[1]:
            unit = token[2] or ""
            return float(token[1]) * (self._units[unit] if unit in self._units else _factor(unit))
        if not token[4]:
            raise ValueError
        parts = [self._sum(depth + 1)]
        while self._next() == ",":
            self._tokens.pop()
            parts.append(self._sum(depth + 1))
        if self._next() != ")":
            raise ValueError
        self._tokens.pop()
        return _of_function(token[3] or "", parts)


def _factor(unit: str) -> float:
    if unit:
        raise ValueError(unit)
    return 1.0


def _of_function(name: str, parts: list[float]) -> float:
    if name == "min":
        return min(parts)
    if name == "max":
        return max(parts)
    if name == "clamp" and len(parts) == 3:
        return max(parts[0], min(parts[1], parts[2]))
    if name in {"", "calc"} and len(parts) == 1:
        return parts[0]
    raise ValueError(name)
