"""Metrics of a network in the figures, as exact fractions."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from isoplane.models import Design, InputError, Network
from isoplane.objectives import exact_metrics
from isoplane.runs.report.designs.evaluated_cubes import EvaluatedCubes

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


Row = tuple[str, int, str, Fraction]  # name of the network, dimension, one of `UNITS`, exact value


def rows_of(designs: Iterable[EvaluatedCubes], metrics: Sequence[str]) -> list[Row]:
    """Return one row per design and metric."""
    rows: list[Row] = []
    for design in designs:
        values = measures(design.network)
        rows += [(design.title, design.cubes.n, metric, values[metric]) for metric in metrics]
    return rows


def values_of(rows: Iterable[Row]) -> dict[tuple[str, int, str], Fraction]:
    """Return the values of rows by (network, n, metric)."""
    return {(network, n, metric): value for network, n, metric, value in rows}


def measures(network: Network) -> dict[str, Fraction]:
    """Return every metric of `UNITS`.

    switch delay = hop · ASPL, cable delay = mean cable length · delay per metre · ASPL and other delay = α add up to
    delay_paper; the parts of `COST_PARTS` add up to the network cost.

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
    design = EvaluatedCubes("", Design(network))
    exact, cubes = exact_metrics(network), design.cubes
    if network.site.layout is None or exact.cable_length_mm is None:
        raise InputError("layout=none: the published figures need a layout")
    links = sum(len(plane.links) for plane in cubes.planes)
    aspl = Fraction(exact.sum_of_distances, cubes.plane_switches)
    traffic = Fraction(2 * cubes.plane_switches, exact.max_load)
    length_m = Fraction(exact.cable_length_mm, 1000 * links * cubes.plane_switches)
    delays = _delays_ns(network, aspl, length_m)
    costs = tuple(Fraction(cents, 100_000 * network.nodes) for cents in design.cost_cents())
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
