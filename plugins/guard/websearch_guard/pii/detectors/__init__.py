"""One module for each class of personal data and secrets."""
