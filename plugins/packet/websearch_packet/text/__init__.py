"""Sentences, chunks and short versions of a Markdown text."""
