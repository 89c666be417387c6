"""Charts of what was measured, drawn from the tables in Markdown."""
