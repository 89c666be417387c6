"""Packets for websearch: a page with all that is known of it, in chunks, in short, and as MCP resources."""
