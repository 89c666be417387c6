"""Reads GitHub where the page is not the source."""
