"""E-books to Markdown."""
