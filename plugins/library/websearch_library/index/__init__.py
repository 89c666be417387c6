"""The index: a SQLite file with pages, passages and FTS5 tables."""
