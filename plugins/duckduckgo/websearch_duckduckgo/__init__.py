"""DuckDuckGo backend for websearch."""
