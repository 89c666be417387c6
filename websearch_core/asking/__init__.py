"""Asks the world: backends, fetchers and extractors, each behind its cache, breaker and budget."""
