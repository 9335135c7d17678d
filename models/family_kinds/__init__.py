"""Base classes of families, and the sizes that they can have."""
