"""Runs in a browser, read-only and on loopback."""
