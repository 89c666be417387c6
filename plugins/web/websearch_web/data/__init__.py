"""JSON, CSV and XML."""
