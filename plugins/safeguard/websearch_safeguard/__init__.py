"""Filters that ask a policy model behind an OpenAI-compatible endpoint."""
