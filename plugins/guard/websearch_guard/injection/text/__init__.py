"""Texts taken apart: words, sentences, languages, and what links and pictures say."""
