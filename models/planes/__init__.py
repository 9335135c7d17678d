"""Switches, cables, nodes and routes, as data."""
