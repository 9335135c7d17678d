"""Busy times of all links."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Hybrid
from isoplane.objectives.fluid import LinkBytes

Times = NDArray[np.float64]


@dataclass(frozen=True)
class BusyTimes:
    """Busy times of links in one direction, in ms, in the order of `LinkBytes`.

    Attributes
    ----------
    out, into
        Links from and to each node.
    up, down
        Links from and to each group.
    ahead, back
        The two directions of each circuit.
    """

    out: Times
    into: Times
    up: Times
    down: Times
    ahead: Times
    back: Times

    def all(self) -> tuple[Times, ...]:
        """Return the six arrays."""
        return self.out, self.into, self.up, self.down, self.ahead, self.back

    @property
    def longest(self) -> float:
        """Busy time of the busiest link."""
        return max(float(times.max(initial=0)) for times in self.all())

    @property
    def circuits(self) -> tuple[Times, Times]:
        """Busy times of circuits, (busier direction, other direction), in descending order of the first."""
        directions = np.sort(np.stack([self.ahead, self.back]), axis=0)
        order = np.argsort(-directions[1], kind="stable")
        return directions[1][order], directions[0][order]


def busy_times(hybrid: Hybrid, loads: LinkBytes) -> BusyTimes:
    """Return 8 · bytes / rate of all links.

    Examples
    --------
    >>> loads = LinkBytes((0, 0), (0, 0), (8_000_000, 0), (0, 0), (), ())
    >>> busy_times(Hybrid(2, 1), loads).up.tolist()  # 64 Mbit at 64 Gbit/s
    [1.0, 0.0]
    """
    rates = (hybrid.node_gbps, hybrid.up_gbps, hybrid.circuit_gbps)
    each = [rate for rate in rates for _ in range(2)]
    return BusyTimes(
        *(8e-6 * np.array(own, dtype=np.float64) / float(rate) for own, rate in zip(loads.all(), each, strict=True))
    )
