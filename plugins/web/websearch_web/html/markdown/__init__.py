"""A page's tree to Markdown."""
