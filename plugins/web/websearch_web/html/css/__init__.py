"""The page's own style rules, as far as they hide text."""
