"""Metrics of a network in the figures, as exact fractions."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from isoplane.models import InputError, Layout, Network, cable_table
from isoplane.models.checks import millimetres
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.objectives import exact_metrics

from .designs import Designs

DELAY_PARTS = ("switch delay", "cable delay", "other delay")
COST_PARTS = ("network interface cost", "switch cost", "node cable cost", "switch cable cost")
UNITS = {
    "aspl": "hops",
    "max_traffic": "link capacities per node",
    "max_traffic / 4": "link capacities per node, 4 nodes a switch",
    "delay_paper": "ns",
    "mean cable length": "m",
    "network cost": "k$ per node",
    "switch cable share of cost": "%",
    **dict.fromkeys(DELAY_PARTS, "ns"),
    **dict.fromkeys(COST_PARTS, "k$ per node"),
}


@dataclass(frozen=True)
class Row:
    """One number of a figure.

    Attributes
    ----------
    network, n
        The paper's name of the network, and its dimension.
    metric, unit
        One of `UNITS`.
    value
        Exact.
    """

    network: str
    n: int
    metric: str
    unit: str
    value: Fraction


def rows_of(designs: Designs, metrics: Iterable[str]) -> list[Row]:
    """Return one row per design and metric."""
    metrics = tuple(metrics)
    rows = []
    for name, network in designs:
        values = measures(network)
        rows += [Row(name, cubes_of(network).n, metric, UNITS[metric], values[metric]) for metric in metrics]
    return rows


def values_of(rows: Iterable[Row]) -> dict[tuple[str, int, str], Fraction]:
    """Return the values of rows by (network, n, metric)."""
    return {(row.network, row.n, row.metric): row.value for row in rows}


def measures(network: Network) -> dict[str, Fraction]:
    """Return every metric of `UNITS`.

    switch delay = hop · ASPL, cable delay = mean cable length · delay per metre · ASPL and other delay = α add up to
    delay_paper; the parts of `COST_PARTS` add up to the network cost.

    Raises
    ------
    InputError
        If the network has no layout or the catalogue lacks something.

    References
    ----------
    Hosomi et al. 2021, sections 2.3, 3.1.2, 3.2.1 and 3.3.1.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> cubes = measures(dual_cube(8, tuple(1 << i for i in range(8))))
    >>> [float(cubes[part]) for part in DELAY_PARTS]
    [360.0, 110.0, 131.0]
    """
    exact, cubes = exact_metrics(network), cubes_of(network)
    if network.site.layout is None or exact.cable_length_mm is None:
        raise InputError("layout=none: the published figures need a layout")
    links = sum(len(plane.links) for plane in cubes.planes)
    aspl = Fraction(exact.sum_of_distances, cubes.plane_switches)
    traffic = Fraction(2 * cubes.plane_switches, exact.max_load)
    length_m = Fraction(exact.cable_length_mm, 1000 * links * cubes.plane_switches)
    delays, costs = _delays_ns(network, aspl, length_m), _costs(network, network.site.layout)
    return {
        "aspl": aspl,
        "max_traffic": traffic,
        "max_traffic / 4": traffic / cubes.nodes_per_switch,
        "delay_paper": sum(delays, Fraction(0)),
        "mean cable length": length_m,
        "network cost": sum(costs, Fraction(0)),
        "switch cable share of cost": 100 * costs[-1] / sum(costs, Fraction(0)),
        **dict(zip(DELAY_PARTS + COST_PARTS, delays + costs, strict=True)),
    }


def _delays_ns(network: Network, aspl: Fraction, length_m: Fraction) -> tuple[Fraction, ...]:
    """Return the delays of `DELAY_PARTS`."""
    units = network.site.switch.units()
    delays = (aspl * units.hop, aspl * length_m * 1000 * units.cable_mm, Fraction(units.endpoint))
    return tuple(delay / units.per_ns for delay in delays)


def _costs(network: Network, layout: Layout) -> tuple[Fraction, ...]:
    """Return the prices of `COST_PARTS` in thousands of US$ per node."""
    cubes = cubes_of(network)
    prices, planes = network.site.prices, len(cubes.planes)
    table = cable_table(cubes.n, layout, prices)
    _, switch = prices.switch_for(cubes.ports)
    _, node_cable = prices.cable_for_mm(millimetres("layout.node_cable_m", layout.node_cable_m))
    per_node = (
        Fraction(prices.nic_cents(cubes.node_ports)),
        Fraction(switch * planes, cubes.nodes_per_switch),
        Fraction(cubes.node_ports * node_cable),
        Fraction(sum(int(table.price_cents[g]) for plane in cubes.planes for g in plane.links), network.nodes),
    )
    return tuple(price / 100_000 for price in per_node)
