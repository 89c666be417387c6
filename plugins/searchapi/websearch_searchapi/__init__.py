"""SearchApi backend for websearch."""
