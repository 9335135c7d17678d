"""Planes: switches, cables, the attachment of nodes, and routes as data."""
