"""Metrics of a network in the figures, as exact fractions."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from isoplane.models import Design, InputError, Network
from isoplane.objectives import exact_metrics
from isoplane.runs.report.designs.evaluated_cubes import EvaluatedCubes

DELAY_PARTS = ("switch delay", "cable delay", "other delay")
COST_PARTS = ("network interface cost", "switch cost", "node cable cost", "switch cable cost")
UNITS = {
    "aspl": "hops",
    "max_traffic": "link capacities per switch",
    "max_traffic / 4": "link capacities per node",
    "delay_paper": "ns",
    "mean cable length": "m",
    "network cost": "k$ per node",
    "switch cable share of cost": "%",
    **dict.fromkeys(DELAY_PARTS, "ns"),
    **dict.fromkeys(COST_PARTS, "k$ per node"),
}


Values = Mapping[tuple[str, int, str], Fraction]  # by name of the network, dimension, and metric of `UNITS`


def values_of(designs: Iterable[EvaluatedCubes], metrics: Sequence[str]) -> Values:
    """Return some metrics of designs, whose titles are the names of networks."""
    values: dict[tuple[str, int, str], Fraction] = {}
    for design in designs:
        found = measures(design.network)
        values |= {(design.title, design.cubes.n, metric): found[metric] for metric in metrics}
    return values


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
    units = network.delay_units
    delays = (aspl * units.hop, aspl * length_m * 1000 * units.cable_mm, Fraction(units.endpoint))
    return tuple(delay / units.per_ns for delay in delays)
