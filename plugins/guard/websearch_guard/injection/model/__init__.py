"""The linear model over hashed words."""
