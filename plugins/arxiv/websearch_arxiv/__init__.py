"""Reads arXiv where the page is not the source."""
