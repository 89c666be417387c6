"""Reads Stack Exchange where the page is not the source."""
