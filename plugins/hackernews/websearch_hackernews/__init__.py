"""Reads Hacker News where the page is not the source."""
