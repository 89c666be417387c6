"""Reads YouTube where the page is not the source."""
