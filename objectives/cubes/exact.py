"""Exact integers and metrics of a network of one or two cube planes."""

from dataclasses import dataclass

import numpy as np

from isoplane.models import CableTable, Cubes, Network, cable_table
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.models.mathematics import gf2

from .. import _native
from ..scoring.metric import MetricValues
from ..scoring.metric_scopes import exact_value, metric_values, needing
from .costs import fixed_cents

CUBE_METRICS = tuple(_native.metric_names())  # the exact metrics in the order of the native enum; all are minimised
CABLE_METRICS = needing("layout", "cubes")


@dataclass(frozen=True)
class ExactMetrics:
    """Exact integers from which every metric and score follows.

    Attributes
    ----------
    sum_of_distances
        Σ over the 2^n offsets of the distance in the nearer plane.
    loads
        Per plane, the packets over each of its links at two packets per offset (folded link last).
    max_load
        The largest load.
    cable_length_mm
        Σ over planes, links and switches, each cable counted at both ends; like all that follow, None without a layout.
    delay
        Σ load · (hop · 2^n + cable · length) + endpoint · 2 · 4^n, in delay units / (2 · 4^n).
    delay_paper
        (Σ length · cable + hop · G · 2^n) · sum + endpoint · G · 4^n with G links in all planes, in units / (G · 4^n).
    cost_cents
        Total price of the network.
    """

    sum_of_distances: int
    loads: tuple[tuple[int, ...], ...]
    max_load: int
    cable_length_mm: int | None = None
    delay: int | None = None
    delay_paper: int | None = None
    cost_cents: int | None = None


def exact_metrics(network: Network) -> ExactMetrics:
    """Evaluate a network of one or two planes with the kernels.

    Raises
    ------
    InputError
        If the network has more than two planes, a cable exceeds the longest in the price list, or the dimension is
        outside the kernels' range 2..16.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> exact_metrics(dual_cube(3, (3, 5, 7), layout=None)).max_load
    3
    """
    cubes = cubes_of(network).require_kernels()
    sum_of_distances, loads = _walk(cubes)
    if network.site.layout is None:
        return ExactMetrics(sum_of_distances, loads, max(max(plane) for plane in loads))
    table = cable_table(cubes.n, network.site.layout, network.site.prices)
    for plane in cubes.planes:
        for generator in plane.links:
            table.require_cable(generator, network.site.prices)
    return _with_cables(network, cubes, table, sum_of_distances, loads)


def _walk(cubes: Cubes) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """Return the sum of distances and the loads of each plane."""
    first, last = cubes.planes[0].connections.generators, cubes.planes[-1].connections.generators
    # In the coordinates of the first plane that plane is the unit basis, so only the last plane's generators matter.
    units = gf2.coordinates_of_units(first)
    transformed = []
    for generator in last:
        coordinates = 0
        for i, unit in enumerate(units):
            coordinates ^= unit if generator >> i & 1 else 0
        transformed.append(coordinates)
    links = cubes.n + cubes.folded
    sums, max_loads = np.empty(1, dtype=np.int64), np.empty(1, dtype=np.int64)
    loads = np.empty((1, 2, links), dtype=np.int32)
    _native.evaluate(np.array([transformed], dtype=np.uint32), cubes.folded, sums, max_loads, loads)
    planes = tuple(tuple(int(load) for load in plane) for plane in loads[0])
    if len(cubes.planes) == 1:  # evaluated as two identical planes, each carrying one of the two packets
        planes = (tuple(a + b for a, b in zip(*planes, strict=True)),)
    return int(sums[0]), planes


def _with_cables(
    network: Network, cubes: Cubes, table: CableTable, sum_of_distances: int, loads: tuple[tuple[int, ...], ...]
) -> ExactMetrics:
    units, switches = network.delay_units, cubes.plane_switches
    lengths = [[int(table.length_mm[g]) for g in plane.links] for plane in cubes.planes]
    total = sum(map(sum, lengths))
    links = sum(map(len, lengths))
    load_mm = sum(load * mm for plane in zip(loads, lengths, strict=True) for load, mm in zip(*plane, strict=True))
    delay = load_mm * units.cable_mm + 2 * sum_of_distances * units.hop * switches + 2 * units.endpoint * switches**2
    delay_paper = (
        total * units.cable_mm + units.hop * links * switches
    ) * sum_of_distances + units.endpoint * links * switches**2
    prices = sum(int(table.price_cents[g]) for plane in cubes.planes for g in plane.links)
    cost, max_load = fixed_cents(network) + prices, max(max(plane) for plane in loads)
    return ExactMetrics(sum_of_distances, loads, max_load, total, delay, delay_paper, cost)


def metrics(network: Network, exact: ExactMetrics) -> MetricValues:
    """Return the named metrics of a record, in its order.

    `aspl` (hops), `sum_of_distances`, `max_load` (packets), `max_traffic` (link capacities per node, with one node per
    switch), `cable_length_m` (mean), `delay_ns`, `delay_paper_ns`, `cost_usd_per_node`; the last four are None without
    a layout.

    References
    ----------
    Hosomi et al. 2021, sections 2.3, 3.1.2, 3.2.1 and 3.3.1; `delay_ns` weights each generator by its load.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> cubes = dual_cube(8, tuple(1 << i for i in range(8)))
    >>> metrics(cubes, exact_metrics(cubes))["aspl"]
    4.0
    """
    return metric_values("cubes", exact, network)


def exact_metric(exact: ExactMetrics, metric: str) -> int:
    """Return one of `CUBE_METRICS` as an exact integer.

    Raises
    ------
    InputError
        If the network has no layout and the metric needs one.
    """
    return exact_value("cubes", exact, metric)
