"""Any network: the exact integers behind its metrics, and the metrics."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from isoplane.models import Network
from isoplane.models.checks import cents

from ..objective import Metrics
from .arrays import NetworkArrays
from .distances import all_distances
from .link_loads import LinkLoads, all_to_all_loads


@dataclass(frozen=True)
class GeneralExact:
    """Exact integers from which every metric of any network follows.

    Attributes
    ----------
    total_hops
        Σ over ordered pairs of nodes, a node with itself included, of the hops in the nearest plane.
    diameter
        The largest distance of two nodes, in hops.
    peak_load
        Parts of a packet over the busiest link when every node sends a packet to every node (`LinkLoads`).
    parts
        Parts of a packet: lcm(1, ..., planes).
    cable_length_mm
        Σ of the lengths of all cables between switches; None without a layout, like all that follow.
    delay
        Σ over links of load · (hop + cable · length) + endpoint · parts · nodes², in delay units / (parts · nodes²).
    cost_cents
        Price of the whole network.
    """

    total_hops: int
    diameter: int
    peak_load: int
    parts: int
    cable_length_mm: int | None = None
    delay: int | None = None
    cost_cents: int | None = None


def general_exact(network: Network) -> GeneralExact:
    """Evaluate any network: distances by its cables, loads and delays along its routes.

    Raises
    ------
    InputError
        If it has no planes of switches alone, a route does not lead to its destination, or the catalogue lacks an
        interface or a cable.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> general_exact(dual_cube(2, (1, 3), nodes_per_switch=1, layout=None))
    GeneralExact(total_hops=12, diameter=1, peak_load=2, parts=2, cable_length_mm=None, delay=None, cost_cents=None)
    """
    arrays = NetworkArrays(network)
    apart, loads = all_distances(network, arrays), all_to_all_loads(network, arrays)
    exact = GeneralExact(apart.total_hops, apart.diameter, loads.peak, loads.parts)
    if network.site.layout is None:
        return exact
    length = sum(int(plane.cable_mm.sum()) for plane in network.planes) // 2
    return GeneralExact(
        exact.total_hops,
        exact.diameter,
        exact.peak_load,
        exact.parts,
        length,
        _delay(network, loads),
        _cost_cents(network),
    )


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
    loads = all_to_all_loads(network)
    throughput = float(Fraction(loads.parts * network.nodes, loads.peak)) if loads.peak else None
    if network.site.layout is None or network.node_cable_mm is None:
        return None, throughput
    units = loads.parts * network.nodes**2 * network.site.switch.units().per_ns
    return float(Fraction(_delay(network, loads), units)), throughput


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
    pairs = network.nodes**2
    per_ns = network.site.switch.units().per_ns
    cables = network.family.cables

    def ratio(value: int | None, divisor: int) -> float | None:
        return None if value is None or not divisor else float(Fraction(value, divisor))

    return {
        "aspl": ratio(exact.total_hops, pairs),
        "total_hops": exact.total_hops,
        "diameter": exact.diameter,
        "peak_load": exact.peak_load,
        "throughput_per_node": ratio(exact.parts * network.nodes, exact.peak_load),
        "cable_length_m": ratio(exact.cable_length_mm, 1000 * cables),
        "delay_ns": ratio(exact.delay, exact.parts * pairs * per_ns),
        "cost_usd_per_node": ratio(exact.cost_cents, 100 * network.nodes),
    }
