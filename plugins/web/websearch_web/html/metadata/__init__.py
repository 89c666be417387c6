"""Title, author, site, dates and language."""
