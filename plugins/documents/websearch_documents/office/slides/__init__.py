"""What slides show and hide."""
