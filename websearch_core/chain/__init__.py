"""The chain: screen the request, ask, inspect the documents."""
