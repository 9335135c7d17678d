"""Busy times of all links."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.models.checks import fraction_of
from isoplane.models.families.hybrid import tree_of
from isoplane.models.family_kinds.optical import optical_of
from isoplane.models.planes.links import CABLE, INTO, OUT, link_kinds
from isoplane.objectives.fluid import LinkBytes
from isoplane.objectives.fluid.link_timing import link_timing

Times = NDArray[np.float64]


@dataclass(frozen=True)
class BusyTimes:
    """Busy times of links in one direction, in ms, in the order of `LinkBytes`.

    Attributes
    ----------
    out, into
        Links from and to each node.
    up, down
        Links from and to each group of a two-level tree.
    ahead, back
        The two directions of each circuit.
    cables
        Links between the switches of other packet networks.
    """

    out: Times
    into: Times
    up: Times
    down: Times
    ahead: Times
    back: Times
    cables: Times

    def all(self) -> tuple[Times, ...]:
        """Return the seven arrays."""
        return self.out, self.into, self.up, self.down, self.ahead, self.back, self.cables

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


def busy_times(network: Network, loads: LinkBytes) -> BusyTimes:
    """Return 8 · bytes / rate of all links of a network with circuits.

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> loads = LinkBytes((0, 0), (0, 0), (8_000_000, 0), (0, 0), (), ())
    >>> busy_times(Network(Hybrid(2, 1)), loads).up.tolist()  # 64 Mbit at 64 Gbit/s
    [1.0, 0.0]
    """
    each = zip(loads.all(), _rates_gbps(network), strict=True)
    # Eight bits to a byte, and 10^6 bits in a ms at 1 Gbit/s.
    return BusyTimes(*(8e-6 * np.array(own, dtype=np.float64) / rate for own, rate in each))


def _rates_gbps(network: Network) -> list[float | Times]:
    """Return the rates of links in the order of `LinkBytes`: one for all links of a list, or one per link."""
    hybrid = optical_of(network)
    circuit = float(fraction_of(hybrid.circuit_gbps))
    if hybrid.is_tree:
        node, up = float(tree_of(hybrid).node_gbps), float(tree_of(hybrid).up_gbps)
        return [node, node, up, up, circuit, circuit, up]
    kind, timing = link_kinds(network.plane_links), link_timing(network)
    gbps = np.array([float(rate) for rate in timing.rates_gbps])[timing.rate]
    return [gbps[kind == OUT], gbps[kind == INTO], circuit, circuit, circuit, circuit, gbps[kind == CABLE]]
