"""HTTP fetcher and extractors for websearch."""
