"""Which of two designs is cheaper if prices are anywhere in their ranges."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from isoplane.models.site.prices import PART_CLASSES
from isoplane.objectives import Bill, Part, price_draws

from .request import Request
from .rows import Row

DRAWS = 1000


def cheaper_shares(request: Request, rows: Sequence[Row]) -> NDArray[np.float64]:
    """Return the share of draws of prices in which the design of one row costs less per node than that of another.

    In each draw the price of a class of parts is the same multiple of that of the catalogue for all designs, drawn from
    its range (`price_draws`).

    Returns
    -------
    float64[rows, rows]
        Of the row, against the column; 0 on the diagonal.
    """
    ranges = request.site.prices.ranges
    per_node = np.array([price_draws(_bill(row, ranges), DRAWS, request.seed) / request.nodes for row in rows])
    shares: NDArray[np.float64] = (per_node[:, None] < per_node[None]).mean(axis=2)
    return shares


def _bill(row: Row, ranges: Mapping[str, tuple[float, float]]) -> Bill:
    """Return the bill of a design, one part for each class."""
    cents = {part_class: round(100 * float(row.values[f"{part_class}_usd"] or 0)) for part_class in PART_CLASSES}
    return Bill(tuple(Part(part_class, part_class, 1, price) for part_class, price in cents.items()), ranges)
