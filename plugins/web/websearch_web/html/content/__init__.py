"""The main content of a page, and pages that have none."""
