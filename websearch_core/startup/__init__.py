"""From installed plugins to a running chain: discover, select, assemble, start, stop."""
