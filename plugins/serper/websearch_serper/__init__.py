"""Serper backend for websearch."""
