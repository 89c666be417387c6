"""HTML to a page: parse, metadata, hidden text, main content, Markdown."""
