"""Choices of routing-table caches."""
