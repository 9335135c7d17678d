"""Strategies: search methods as streams of rounds, for any space that has their searchers."""
