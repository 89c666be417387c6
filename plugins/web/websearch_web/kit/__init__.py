"""What all extractors share: charsets, Markdown escaping, dates, links."""
