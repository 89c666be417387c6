"""Extractors of Office documents and e-books for websearch."""
