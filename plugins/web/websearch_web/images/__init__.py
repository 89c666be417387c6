"""Format and size of pictures."""
