"""A text prepared for the detectors."""
