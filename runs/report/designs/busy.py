"""Busy times of all links."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.objectives.fluid import LinkBytes, PerLink, rates_gbps

Times = NDArray[np.float64]


def busy_times(network: Network, loads: LinkBytes) -> PerLink[Times]:
    """Return 8 · bytes / rate of all links of a network with circuits, in ms.

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> loads = LinkBytes((0, 0), (0, 0), (8_000_000, 0), (0, 0), (), (), ())
    >>> busy_times(Network(Hybrid(2, 1)), loads).up.tolist()  # 64 Mbit at 64 Gbit/s
    [1.0, 0.0]
    """
    pairs = zip(loads.all(), rates_gbps(network).all(), strict=True)
    # Eight bits to a byte, and 10^6 bits in a ms at 1 Gbit/s.
    return PerLink(*(8e-6 * np.array(sent, dtype=np.float64) / rate for sent, rate in pairs))


def longest_ms(times: PerLink[Times]) -> float:
    """Return the busy time of the busiest link."""
    return max(float(each.max(initial=0)) for each in times.all())


def circuit_times(times: PerLink[Times]) -> tuple[Times, Times]:
    """Return busy times of circuits, (busier direction, other direction), in descending order of the first."""
    directions = np.sort(np.stack([times.ahead, times.back]), axis=0)
    order = np.argsort(-directions[1], kind="stable")
    return directions[1][order], directions[0][order]
