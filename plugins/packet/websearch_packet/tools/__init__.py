"""The tools `extract`, `chunk` and `compact`."""
