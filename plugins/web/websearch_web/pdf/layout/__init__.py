"""A PDF page's blocks to Markdown."""
