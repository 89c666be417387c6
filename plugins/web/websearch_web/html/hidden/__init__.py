"""Text that a person would not see."""
