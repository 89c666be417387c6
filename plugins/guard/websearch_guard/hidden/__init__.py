"""What a person would not see, and addresses that could carry data out: taken out of what a model reads."""

from .filter import HiddenFilter

__all__ = ["HiddenFilter"]
