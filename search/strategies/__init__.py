"""Strategies for any space: chains of one kind or several, enumeration, and the choice of a default."""
