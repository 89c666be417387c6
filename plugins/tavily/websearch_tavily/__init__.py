"""Tavily backend and fetcher for websearch."""
