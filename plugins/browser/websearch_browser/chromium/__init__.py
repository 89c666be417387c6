"""Chromium as a program: found, started, watched, ended."""
