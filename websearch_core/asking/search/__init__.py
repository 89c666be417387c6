"""One search: which backends, with which constraints, in which order, and their answers merged."""
