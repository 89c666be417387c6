"""Embedded local index for websearch."""
