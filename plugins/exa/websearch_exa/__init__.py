"""Exa backend and fetcher for websearch."""
