"""Adds pages, sites and files to the index."""
