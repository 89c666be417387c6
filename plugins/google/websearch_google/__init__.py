"""Google Programmable Search backend for websearch."""
