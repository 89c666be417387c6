"""Offline safety filters for websearch."""
