"""Brave Search backend for websearch."""
