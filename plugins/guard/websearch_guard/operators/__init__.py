"""guard-operators: a query is words, not commands to an engine."""

from .filter import GuardOperators

__all__ = ["GuardOperators"]
