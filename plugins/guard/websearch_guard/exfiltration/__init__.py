"""guard-exfiltration: nothing is carried out in an address or a query."""

from .filter import GuardExfiltration

__all__ = ["GuardExfiltration"]
