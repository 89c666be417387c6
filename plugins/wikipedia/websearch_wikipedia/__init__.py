"""Reads Wikipedia where the page is not the source."""
