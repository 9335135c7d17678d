"""Runs in a browser, read-only, on loopback."""
