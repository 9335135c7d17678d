"""Weights of transfers, by which they share the links of a network."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError
from isoplane.models.arrays import Bools, Ints

SHARINGS = ("equal", "cm02")
MAX_WEIGHT = 1 << 16
MIN_WEIGHT = 1 << 7  # so that rounding changes a weight by less than 0.4 %
SHARE_LOG2 = 20  # a share of a link is at least 2^20 units of rate, so that rounding it down hardly changes it
MAX_SUM = 1 << 31


def transfer_weights(sharing: str, linked: Bools, delay: Ints, use: Ints, capacity: NDArray[np.float64]) -> Ints:
    """Return the weight of each transfer; none if all weigh the same.

    With ``cm02`` a transfer of latency L weighs W L_min / L, rounded to an integer: proportional to 1 / L. L_min is the
    least latency, and W the largest integer up to 2^16 that keeps the weights of all transfers that ever use a link at
    2^31 and 2^-20 of its capacity in units of rate.

    Parameters
    ----------
    sharing
        ``equal`` or ``cm02``.
    linked : bool[transfers]
        Whether each transfer takes links.
    delay : int64[transfers]
        Its latency, in any unit.
    use : int64[...]
        All uses of links by transfers.
    capacity : float64[links]
        The rates of links, in units of the fluid model.

    Raises
    ------
    InputError
        If a transfer has no latency, or weights would be less than 2^7.

    References
    ----------
    Casanova and Marchal, A Network Model for Simulation of Grid Application, 2002: CM02, where the round-trip time of a
    flow decides its share.
    """
    if sharing not in SHARINGS:
        raise InputError(f"sharing={sharing}: expected {', '.join(SHARINGS)}")
    if sharing == "equal":
        return np.zeros(0, dtype=np.int64)
    weight, latency = np.ones(len(linked), dtype=np.int64), delay[linked]
    if not len(latency):
        return weight
    shortest, longest = int(latency.min()), int(latency.max())
    if shortest == 0:
        raise InputError("sharing=cm02: a path without latency; expected a delay of each cable or switch")
    uses = np.bincount(use, minlength=len(capacity))
    limits = np.minimum(MAX_SUM, np.ldexp(capacity, -SHARE_LOG2)) // np.maximum(uses, 1)
    largest = min(MAX_WEIGHT, int(limits[uses > 0].min()))
    if largest * shortest < MIN_WEIGHT * longest:
        raise InputError(
            f"sharing=cm02: up to {uses.max()} transfers over a link and latencies that differ by a factor of "
            f"{longest / shortest:.6g}; expected fewer transfers"
        )
    # In floating point, since the product may exceed 64 bits.
    weight[linked] = np.rint(float(largest) * shortest / latency)
    return weight
