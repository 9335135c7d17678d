"""Exact integers and metrics of any network of switches."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor

import numpy as np

from isoplane.models import Network
from isoplane.models.paths.transmission_times import are_rates_comparable
from isoplane.models.policy import depends_on_queues

from ..costs.bill import bill_of
from ..costs.lookups import cache_area_mm2, in_millionths, lookup_powers, most_ports
from ..scoring.metric import MetricValues, Scope
from ..scoring.metric_scopes import metric_value, metric_values
from .arrays import NetworkArrays
from .distances import pairs_at_distances, sum_of_hops
from .fault_distances import after_plane_loss, after_rack_loss, hops_after_loss, longest_after_loss
from .link_loads import LinkLoads, all_to_all_loads, peak_of_all_links
from .zero_load import Misses, largest_delay, means_of, misses_of, total_delay

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
    def _pairs_at_distances(self) -> tuple[int, ...]:
        return pairs_at_distances(self.network, self._arrays)

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
            return sum_of_hops(self._pairs_at_distances)
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
        return len(self._pairs_at_distances) - 1

    @cached_property
    def cable_fault_diameter(self) -> int:
        """Largest distance between two nodes after the loss of any one cable between switches.

        The number of all switches, which is more than any path has hops, if one leaves no path between two nodes.
        """
        return longest_after_loss(self.network, self._arrays, self.diameter, of_switches=False)

    @cached_property
    def switch_fault_diameter(self) -> int:
        """The same after the loss of any one switch, between nodes with a link to another one."""
        return longest_after_loss(self.network, self._arrays, self.diameter, of_switches=True)

    @cached_property
    def cable_fault_hops(self) -> int:
        """Largest sum of distances over ordered pairs of nodes after the loss of any one cable between switches."""
        return hops_after_loss(self.network, self._arrays, sum_of_hops(self._pairs_at_distances))

    @cached_property
    def _after_plane_loss(self) -> tuple[int, int] | None:
        return after_plane_loss(self.network, self._arrays)

    @property
    def plane_fault_diameter(self) -> int | None:
        """Largest distance between two nodes after the loss of any one plane; None if fewer than two carry packets."""
        return None if self._after_plane_loss is None else self._after_plane_loss[0]

    @property
    def plane_fault_hops(self) -> int | None:
        """Largest sum of distances over ordered pairs of nodes after the loss of any one plane; None likewise."""
        return None if self._after_plane_loss is None else self._after_plane_loss[1]

    @cached_property
    def _after_rack_loss(self) -> tuple[int, Fraction] | None:
        return after_rack_loss(self.network, self._arrays)

    @property
    def rack_fault_diameter(self) -> int | None:
        """Largest distance between two nodes that are left after the loss of any one rack; None without two racks."""
        return None if self._after_rack_loss is None else self._after_rack_loss[0]

    @property
    def rack_fault_aspl_nhops(self) -> int | None:
        """Largest mean distance of these nodes in 10^-9 hops, to the nearest; None likewise."""
        return None if self._after_rack_loss is None else floor(10**9 * self._after_rack_loss[1] + Fraction(1, 2))

    @property
    def peak_load(self) -> int:
        """Load of the busiest link between switches if every node sends a packet to every node, in 1 / `parts`.

        Loads are measured in packet times on the reference link (`TransmissionTimes`).
        """
        return self._loads.peak

    @cached_property
    def peak_load_of_all_links(self) -> int:
        """As `peak_load`, of the links of nodes too, in a network whose nodes have cables."""
        return peak_of_all_links(self.network, self._loads)

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

    @property
    def longest_cable_mm(self) -> int | None:
        """Length of the longest cable, those of nodes included; None without a layout."""
        return None if self.network.site.layout is None else self.network.longest_cable_mm

    @property
    def switches(self) -> int:
        """Number of switches in all planes."""
        return sum(self.network.plane_switches)

    @property
    def cables(self) -> int:
        """Number of cables between switches in all planes."""
        return sum(int((plane.topology.peer >= 0).sum()) for plane in self.network.cabling) // 2

    @cached_property
    def delay(self) -> int | None:
        """Σ over ordered pairs of nodes of the mean delay of a packet, in units / `delay_parts`; None without a layout.

        If planes state no delays, it is Σ over links of load · (hop + cable · length) + endpoint · parts · nodes².
        """
        return None if self._total_delay is None else self._total_delay.numerator * self.parts // self._loads.parts

    @property
    def delay_parts(self) -> int:
        """Units of `delay` per delay unit: `parts`, or a multiple of it if caches miss a share of the packets."""
        return self.parts * (1 if self._total_delay is None else self._total_delay.denominator)

    @cached_property
    def _misses(self) -> Misses:
        return misses_of(self.network)

    @cached_property
    def _total_delay(self) -> Fraction | None:
        return None if self.network.site.layout is None else total_delay(self.network, self._loads, self._misses)

    @cached_property
    def _largest_delay(self) -> Fraction | None:
        return None if self.network.site.layout is None else largest_delay(self.network, self._arrays, self._misses)

    @property
    def max_delay(self) -> int | None:
        """Largest delay of a path that packets take, in delay units / `max_delay_parts`; None without a layout."""
        return None if self._largest_delay is None else self._largest_delay.numerator

    @property
    def max_delay_parts(self) -> int:
        """Units of `max_delay` per delay unit: more than 1 if caches miss a share of the packets."""
        return 1 if self._largest_delay is None else self._largest_delay.denominator

    @cached_property
    def cost_cents(self) -> int | None:
        """Price of the whole network; None without a layout."""
        return None if self.network.site.layout is None else bill_of(self.network).total_cents

    @cached_property
    def lookup_power_uw(self) -> int | None:
        """Power of the look-ups of all switches in µW, to the nearest; None if the switch model does not state it."""
        powers = [count * power.total_w for _, _, count, power in lookup_powers(self.network, self.miss_rate)]
        return in_millionths(sum(powers)) if powers else None

    @cached_property
    def mean_misses(self) -> tuple[Fraction, Fraction]:
        """Misses of a packet on its way, in the mean, and the share of look-ups that miss: see `mean_misses`."""
        return means_of(self._loads, self._misses, self.network.nodes)

    @property
    def miss_rate(self) -> Fraction:
        """The share of look-ups that miss; loads need not be known where none can."""
        has_hits = self.network.site.switch.misses_none_of(self.network.nodes - 1)
        return Fraction(0) if has_hits else self.mean_misses[1]

    @property
    def cache_area_um2(self) -> int | None:
        """Area of the caches of the switch with the most ports in use, in µm²; None without caches, or if unknown."""
        switch = self.network.site.switch
        return None if switch.cache is None else in_millionths(cache_area_mm2(switch, most_ports(self.network)))


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
    a policy that depends on queues, or if only some links state a rate.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> zero_load_and_throughput(dual_cube(3, (3, 5, 7)))  # 231 ns, and 16 / 3 shared by four nodes
    (231.0, 1.3333333333333333)
    """
    if depends_on_queues(network.policy) or not are_rates_comparable(network):
        return None, None
    exact = GeneralExact(network)
    throughput = metric_value(SCOPE, "throughput_per_node", exact, network)
    if network.node_cable_mm is None:
        return None, throughput
    return metric_value(SCOPE, "delay_ns", exact, network), throughput


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
