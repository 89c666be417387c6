"""SearXNG backend for websearch."""
