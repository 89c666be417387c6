"""The sub-commands of `websearch library`."""
