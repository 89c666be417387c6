"""Stores: in memory, in SQLite, and views of them."""
