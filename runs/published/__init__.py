"""The published numbers of the networks that this project optimises, as data."""

from .designs import PublishedDesign, published_points
from .table import Published, published, read_published

__all__ = ["Published", "PublishedDesign", "published", "published_points", "read_published"]
