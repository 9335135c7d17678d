"""Any network: the exact integers behind its metrics, and the metrics."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from isoplane.models import Network
from isoplane.models.checks import cents

from ..metric import Scope
from ..metric_scopes import metric_value, metric_values
from ..objective import Metrics
from .arrays import NetworkArrays
from .distances import Distances, all_distances
from .link_loads import LinkLoads, all_to_all_loads

SCOPE: Scope = "switches"


@dataclass(frozen=True, eq=False)
class GeneralExact:
    """Exact integers from which every metric of any network follows; each is computed when it is first asked for.

    Parameters
    ----------
    network
        The network.

    Raises
    ------
    InputError
        Where a number is asked for: if the network has no planes of switches alone, a route does not lead to its
        destination, or the catalogue lacks an interface or a cable.

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

    @property
    def total_hops(self) -> int:
        """Σ over ordered pairs of nodes, a node with itself included, of the hops in the nearest plane."""
        return self._distances.total_hops

    @property
    def diameter(self) -> int:
        """The largest distance of two nodes, in hops."""
        return self._distances.diameter

    @property
    def peak_load(self) -> int:
        """Parts of a packet over the busiest link when every node sends a packet to every node (`LinkLoads`)."""
        return self._loads.peak

    @property
    def parts(self) -> int:
        """Parts of a packet: lcm(1, ..., planes)."""
        return self._loads.parts

    @cached_property
    def cable_length_mm(self) -> int | None:
        """Σ of the lengths of all cables between switches; None without a layout."""
        if self.network.site.layout is None:
            return None
        return sum(int(plane.cable_mm.sum()) for plane in self.network.planes) // 2

    @cached_property
    def delay(self) -> int | None:
        """Σ over links of load · (hop + cable · length) + endpoint · parts · nodes²; None without a layout.

        In delay units / (parts · nodes²).
        """
        return None if self.network.site.layout is None else _delay(self.network, self._loads)

    @cached_property
    def cost_cents(self) -> int | None:
        """Price of the whole network; None without a layout."""
        return None if self.network.site.layout is None else _cost_cents(self.network)


def general_exact(network: Network) -> GeneralExact:
    """Evaluate any network: distances by its cables, loads and delays along its routes, all of them at once.

    Raises
    ------
    InputError
        As `GeneralExact`.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> general_exact(dual_cube(2, (1, 3), nodes_per_switch=1)).cost_cents  # 4 nodes, 24 ports in use, 8 cables of 1 m
    1133872
    """
    exact = GeneralExact(network)
    metric_values(SCOPE, exact, network)
    return exact


def general_limits(network: Network) -> tuple[float | None, float | None]:
    """Return the mean delay in ns, and what every node can send to all nodes evenly, in link capacities.

    Both follow from the routes alone, whatever the prices; the first is None without a layout, and for direct networks,
    whose packets pass neither the switch nor the node cables that the endpoint delay has; the second without load.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> general_limits(dual_cube(3, (3, 5, 7)))  # 231 ns, and 16 / 3 for four nodes
    (231.0, 1.3333333333333333)
    """
    exact = GeneralExact(network)
    throughput = metric_value(SCOPE, "throughput_per_node", exact, network)
    if network.node_cable_mm is None:
        return None, throughput
    return metric_value(SCOPE, "delay_ns", exact, network), throughput


def _delay(network: Network, loads: LinkLoads) -> int:
    units = network.site.switch.units()
    hops = loads.weighted(tuple(np.ones_like(plane.cable_mm) for plane in network.planes))
    metres = loads.weighted(tuple(plane.cable_mm for plane in network.planes))
    return units.hop * hops + units.cable_mm * metres + units.endpoint * loads.parts * network.nodes**2


def _cost_cents(network: Network) -> int:
    """Return the price of interfaces, ports in use and cables; nodes of a direct network need no interface."""
    prices = network.site.prices
    total = cents("prices.switch_port_usd", prices.switch_port_usd) * sum(
        int(plane.ports_used.sum()) for plane in network.planes
    )
    if network.node_cable_mm is not None:
        planes = len(network.planes)
        _, node_cable = prices.cable_for_mm(network.node_cable_mm)
        total += network.nodes * (prices.nic_cents(planes) + planes * node_cable)
    for plane in network.planes:
        lengths, ends = np.unique(plane.cable_mm[plane.topology.peer >= 0], return_counts=True)
        total += sum(
            prices.cable_for_mm(length)[1] * count // 2
            for length, count in zip(lengths.tolist(), ends.tolist(), strict=True)
        )
    return total


def general_metrics(network: Network, exact: GeneralExact) -> Metrics:
    """Return the named metrics of a record, in its order.

    `aspl` (hops) = total_hops / nodes², `total_hops`, `diameter` (hops), `peak_load` (parts of a packet),
    `throughput_per_node` (link capacities) = parts · nodes / peak_load, `cable_length_m` (mean), `delay_ns`,
    `cost_usd_per_node`; the last three None without a layout, the throughput None without cables.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> cubes = dual_cube(2, (1, 3), nodes_per_switch=1)
    >>> general_metrics(cubes, general_exact(cubes))["throughput_per_node"]
    4.0
    """
    return metric_values(SCOPE, exact, network)
