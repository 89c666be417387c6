"""Lenses for websearch: named sets of sites, each with a purpose."""
