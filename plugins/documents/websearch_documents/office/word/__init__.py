"""What Word shows and hides, and what the converter misses."""
