"""Small real documents, written here: what extractors are tested with."""
