"""Workbooks: what their sheets show and hide, as tables."""
