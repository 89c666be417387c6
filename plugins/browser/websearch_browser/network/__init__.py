"""What a page may ask for, and the one way out."""
