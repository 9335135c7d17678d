"""Listings of discovered InfiniBand fabrics."""
