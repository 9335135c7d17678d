"""Exact integers and metrics of any network of switches."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from isoplane.models import DelayUnits, Network, Plane
from isoplane.models.arrays import Ints
from isoplane.models.paths.transmission_times import are_rates_comparable

from ..costs.bill import bill_of
from ..scoring.metric import MetricValues, Scope
from ..scoring.metric_scopes import metric_value, metric_values
from .arrays import NetworkArrays
from .distances import Distances, all_distances
from .link_loads import LinkLoads, all_to_all_loads, node_link_loads

SCOPE: Scope = "switches"


@dataclass(frozen=True, eq=False)
class GeneralExact:
    """Exact integers from which every metric of any network follows, computed lazily.

    Parameters
    ----------
    network
        The network.

    Raises
    ------
    InputError
        On first access: if a route does not lead to its destination, no plane connects a pair of nodes, the policy is
        ``adaptive``, only some links state a rate, or the catalogue lacks an interface or a cable.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> exact = GeneralExact(dual_cube(2, (1, 3), nodes_per_switch=1, layout=None))
    >>> exact.total_hops, exact.diameter, exact.peak_load, exact.parts, exact.delay
    (12, 1, 2, 2, None)
    """

    network: Network

    @cached_property
    def _arrays(self) -> NetworkArrays:
        return NetworkArrays(self.network)

    @cached_property
    def _distances(self) -> Distances:
        return all_distances(self.network, self._arrays)

    @cached_property
    def _loads(self) -> LinkLoads:
        return all_to_all_loads(self.network, self._arrays)

    @cached_property
    def total_hops(self) -> int:
        """Σ over ordered pairs of nodes, including a node with itself, of the hops of a packet, in 1 / `hop_parts`.

        Under the policy ``nearest`` these are the hops in the nearest plane, by cables; under any other policy, the
        mean over the paths of the packet, along the routes.
        """
        if self._is_nearest:
            return self._distances.total_hops
        return self._loads.weighted_sum(tuple(np.ones_like(plane.cable_mm) for plane in self.network.planes))

    @property
    def hop_parts(self) -> int:
        """1 under the policy ``nearest``, else the number of load units per packet."""
        return 1 if self._is_nearest else self._loads.parts

    @property
    def _is_nearest(self) -> bool:
        return self.network.policy == "nearest"

    @property
    def diameter(self) -> int:
        """Largest distance between two nodes, in hops."""
        return self._distances.diameter

    @property
    def peak_load(self) -> int:
        """Load of the busiest link between switches if every node sends a packet to every node, in 1 / `parts`.

        Loads are measured in packet times on the reference link (`TransmissionTimes`).
        """
        return self._loads.peak

    @property
    def parts(self) -> int:
        """lcm(1, ..., planes), or a multiple of it that makes `peak_load` an integer (`LinkLoads.peak_parts`)."""
        return self._loads.peak_parts

    @cached_property
    def cable_length_mm(self) -> int | None:
        """Σ of the lengths of all cables between switches; None without a layout."""
        if self.network.site.layout is None:
            return None
        return sum(int(plane.cable_mm.sum()) for plane in self.network.planes) // 2

    @cached_property
    def delay(self) -> int | None:
        """Σ over ordered pairs of nodes of the mean delay of a packet, in delay units / `parts`; None without a layout.

        If planes state no delays, it is Σ over links of load · (hop + cable · length) + endpoint · parts · nodes².
        """
        return None if self.network.site.layout is None else _delay(self.network, self._loads)

    @cached_property
    def cost_cents(self) -> int | None:
        """Price of the whole network; None without a layout."""
        return None if self.network.site.layout is None else bill_of(self.network).total_cents


def general_exact(network: Network) -> GeneralExact:
    """Evaluate any network: distances over its cables, loads and delays along its routes, all computed at once.

    Raises
    ------
    InputError
        As for `GeneralExact`.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> general_exact(dual_cube(2, (1, 3), nodes_per_switch=1)).cost_cents  # 4 nodes, 24 ports in use, 8 cables of 1 m
    1133872
    """
    exact = GeneralExact(network)
    metric_values(SCOPE, exact, network)
    return exact


def zero_load_and_throughput(network: Network) -> tuple[float | None, float | None]:
    """Return the mean delay in ns, and the all-to-all throughput per node in link capacities.

    The capacity is that of the reference link (`TransmissionTimes`). Both follow from the routes alone and do not
    depend on prices. The delay is None without a layout, and for direct networks, whose packets pass neither the switch
    nor the node cables that the endpoint delay includes; the throughput is None without load. Both are None under
    ``adaptive``, or if only some links state a rate.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> zero_load_and_throughput(dual_cube(3, (3, 5, 7)))  # 231 ns, and 16 / 3 shared by four nodes
    (231.0, 1.3333333333333333)
    """
    if network.policy == "adaptive" or not are_rates_comparable(network):
        return None, None
    exact = GeneralExact(network)
    throughput = metric_value(SCOPE, "throughput_per_node", exact, network)
    if network.node_cable_mm is None:
        return None, throughput
    return metric_value(SCOPE, "delay_ns", exact, network), throughput


def _delay(network: Network, loads: LinkLoads) -> int:
    """Return the delays of all packets, in delay units / `LinkLoads.peak_parts`.

    The endpoint delay includes one switch and two node links; delays that a plane states replace them.
    """
    units = network.delay_units
    total = loads.weighted_sum(tuple(_hop_delays(plane, units) for plane in network.planes))
    total += units.endpoint * loads.parts * network.nodes**2
    if any(_differs_at_ends(plane) for plane in network.planes):
        for plane, sent, received in zip(network.planes, *node_link_loads(network, loads.parts), strict=True):
            send_delays, receive_delays = _extra_node_delays(plane, units)
            total += _dot_product(sent, send_delays) + _dot_product(received, receive_delays)
    # Peak parts are the denominator of records, whether or not the rates of links differ.
    return total * loads.rates.whole


def _differs_at_ends(plane: Plane) -> bool:
    """Whether delays at the ends of packets may differ from the endpoint delay."""
    timing = plane.timing
    stated = (timing.switch_delay_ps, timing.node_delay_ps, plane.node_cables_mm)
    return any(each is not None for each in stated)


def _hop_delays(plane: Plane, units: DelayUnits) -> Ints:
    """Return the delay of the link at each port and of the switch that it leads to, as int64[switches, ports]."""
    timing, per_ps = plane.timing, units.per_ns // 1000
    links = plane.cable_mm * units.cable_mm if timing.delay_ps is None else timing.delay_ps * per_ps
    if timing.switch_delay_ps is None:
        return links + units.hop
    found: Ints = links + timing.switch_delay_ps[plane.topology.peer] * per_ps
    return found


def _extra_node_delays(plane: Plane, units: DelayUnits) -> tuple[Ints, Ints]:
    """Return by how much the delays of sending and receiving over each node link differ from the endpoint delay."""
    timing, per_ps = plane.timing, units.per_ns // 1000
    link = switch = np.zeros(len(plane.node_switch), dtype=np.int64)
    if plane.node_cable_mm is not None:
        stated = timing.node_delay_ps
        link = plane.node_lengths_mm * units.cable_mm if stated is None else stated * per_ps
        link = link - plane.node_cable_mm * units.cable_mm
    if timing.switch_delay_ps is not None:
        switch = timing.switch_delay_ps[plane.node_switch] * per_ps - units.hop
    return link + switch, link


def _dot_product(loads: Ints, delays: Ints) -> int:
    # Python's integers: loads times delays over all links of nodes may exceed 64 bits.
    return sum(a * b for a, b in zip(loads.tolist(), delays.tolist(), strict=True))


def general_metrics(network: Network, exact: GeneralExact) -> MetricValues:
    """Return the named metrics of a record, in its order.

    `aspl` (hops) = total_hops / (hop_parts · nodes²), `total_hops`, `diameter` (hops), `peak_load` (parts of a packet),
    `throughput_per_node` (capacities of the reference link) = parts · nodes / peak_load, `cable_length_m` (mean),
    `delay_ns`, `cost_usd_per_node`; the last three are None without a layout, the throughput without cables.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> cubes = dual_cube(2, (1, 3), nodes_per_switch=1)
    >>> general_metrics(cubes, general_exact(cubes))["throughput_per_node"]
    4.0
    """
    return metric_values(SCOPE, exact, network)
