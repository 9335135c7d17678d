"""Strategies: search methods as streams of rounds, for any space that has chains for them."""
