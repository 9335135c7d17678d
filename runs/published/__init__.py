"""Numbers and statements of the papers, as data."""

from typing import TYPE_CHECKING

from isoplane.models.imports import handed_on

if TYPE_CHECKING:
    from .claims import Claim, read_claims, shibamura_claims
    from .counts import PublishedCount, read_counts, shimizu_counts
    from .designs import PublishedDesign, published_points
    from .measurements import Measurement, read_measurements, shimizu_measurements
    from .table import Published, published, read_published
else:
    __getattr__ = handed_on(__name__, __file__)

__all__ = [
    "Claim",
    "Measurement",
    "Published",
    "PublishedCount",
    "PublishedDesign",
    "published",
    "published_points",
    "read_claims",
    "read_counts",
    "read_measurements",
    "read_published",
    "shibamura_claims",
    "shimizu_counts",
    "shimizu_measurements",
]
