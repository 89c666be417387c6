"""An offline encoder that looks closer at what websearch-guard finds suspicious."""
