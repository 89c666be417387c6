"""OpenDocument text to Markdown."""
