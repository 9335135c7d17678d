"""Algebra and combinatorics that know no network."""
