"""Plain text, code and Markdown files."""
