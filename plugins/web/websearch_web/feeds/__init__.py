"""RSS, Atom and JSON feeds."""
