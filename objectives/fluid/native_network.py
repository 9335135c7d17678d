"""Networks with circuits as plain data for the native code."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isoplane.models import MessageList, OpticalFamily, Site
from isoplane.models.checks import fraction_of
from isoplane.models.families.hybrid import tree_of
from isoplane.models.family_kinds.distance_vector import segment_costs

from .packet_ways import NativeWays, all_ways, packet_scales, packet_units
from .units import units_of


@dataclass(frozen=True)
class NativeNetwork:
    """A network with circuits under a workload.

    Attributes
    ----------
    rates
        Rates of node links, uplinks and circuits in bits per ns; the first two are 0 unless the network is a tree.
    costs
        Routing costs of a segment inside a group and of a circuit.
    units
        `FluidUnits` as a list.
    packet_ways
        The ways of the packet network; None for the tree, whose ways the native code derives itself.
    begin_ticks
        Delay of each message.
    """

    rates: tuple[float, float, float]
    costs: tuple[int, int]
    units: list[int]
    packet_ways: NativeWays | None
    begin_ticks: NDArray[np.float64]


def native_network(hybrid: OpticalFamily, site: Site, messages: MessageList) -> NativeNetwork:
    """Return a network on a site as plain data.

    Raises
    ------
    InputError
        As for `units_of` and `packet_scales`.

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> from isoplane.models.workloads import stencil
    >>> native_network(Hybrid(2, 2), Site(), stencil((2, 2)).message_list()).rates
    (10.0, 64.0, 32.0)
    """
    costs = segment_costs(hybrid, site)[:2]
    if hybrid.is_tree:
        node, up, circuit = map(float, tree_of(hybrid).rates_gbps)  # 1 Gbit/s is 1 bit per ns
        units = units_of(tree_of(hybrid), messages)
        begin_ticks = units.scales.begin_ticks(messages)
        return NativeNetwork((node, up, circuit), costs, units.as_list, None, begin_ticks)
    scales = packet_scales(hybrid, site, messages)
    rates = 0.0, 0.0, float(fraction_of(hybrid.circuit_gbps))
    ways = all_ways(hybrid, site).scaled(scales)
    return NativeNetwork(rates, costs, packet_units(hybrid, scales).as_list, ways, scales.begin_ticks(messages))
