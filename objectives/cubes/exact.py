"""Exact integers and metrics of a network of one or two cube planes."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import comb, floor

import numpy as np

from isoplane.models import CableTable, Cubes, Network, cable_table
from isoplane.models.arrays import Ints
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.models.mathematics import gf2

from .. import _native
from ..costs.lookups import cache_area_mm2, in_millionths, lookup_power
from ..general.exact import GeneralExact
from ..scoring.metric import MetricValues
from ..scoring.metric_scopes import exact_value, metric_value, metric_values, needing
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
    diameter
        The largest distance in the nearer plane.
    cable_length_mm
        Σ over planes, links and switches, each cable counted at both ends; like all that follow, None without a layout.
    delay
        Σ load · (hop · 2^n + cable · length) + endpoint · 2 · 4^n, in delay units / (2 · 4^n). Where caches miss, the
        look-ups of the general evaluator are added, to the nearest unit.
    delay_paper
        (Σ length · cable + hop · G · 2^n) · sum + endpoint · G · 4^n with G links in all planes, in units / (G · 4^n);
        None where caches miss, because the formula has one delay for all hops.
    cost_cents
        Total price of the network.
    longest_cable_mm
        Length of the longest cable, those of nodes included.
    switches, cables
        Numbers of switches, and of cables between them, in all planes.
    cable_fault_diameter, cable_fault_hops
        Largest distance, and sum over ordered pairs of switches, after the loss of the worst cable (`_after_losses`).
    switch_fault_diameter
        Largest distance after the loss of any switch of a plane.
    plane_fault_diameter, plane_fault_hops
        Largest distance, and sum over ordered pairs of switches, in the other one of two planes; None of a single one.
    lookup_power_uw, cache_area_um2
        Power of the look-ups of all switches in µW, and area of the caches of a switch in µm², to the nearest; None if
        the switch model does not state them, or there are no caches.
    general
        The same network for the general evaluator, where caches miss; else None.
    """

    sum_of_distances: int
    loads: tuple[tuple[int, ...], ...]
    max_load: int
    diameter: int
    cable_length_mm: int | None = None
    delay: int | None = None
    delay_paper: int | None = None
    cost_cents: int | None = None
    longest_cable_mm: int | None = None
    lookup_power_uw: int | None = None
    cache_area_um2: int | None = None
    general: GeneralExact | None = field(default=None, repr=False, compare=False)
    switches: int = 0
    cables: int = 0
    cable_fault_diameter: int = 0
    switch_fault_diameter: int = 0
    cable_fault_hops: int = 0
    plane_fault_diameter: int | None = None
    plane_fault_hops: int | None = None

    @property
    def max_delay(self) -> int | None:
        """Largest delay of a path, in delay units / `max_delay_parts`, where caches miss; else None."""
        return None if self.general is None else self.general.max_delay

    @property
    def max_delay_parts(self) -> int:
        """Units of `max_delay` per delay unit."""
        return 1 if self.general is None else self.general.max_delay_parts


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
    switches = cubes.plane_switches * len(cubes.planes)
    cables = cubes.plane_switches * sum(len(plane.links) for plane in cubes.planes) // 2  # each has two ends
    exact = _of_cubes(network, cubes)
    longest, of_switch, hops = _after_losses(cubes, exact.sum_of_distances, exact.diameter)
    without_plane, hops_without_plane = _after_plane_loss(cubes)
    return replace(
        exact, switches=switches, cables=cables, cable_fault_diameter=longest, switch_fault_diameter=of_switch,
        cable_fault_hops=hops, plane_fault_diameter=without_plane, plane_fault_hops=hops_without_plane,
    )  # fmt: skip


def _after_plane_loss(cubes: Cubes) -> tuple[int | None, int | None]:
    """Return the diameter of the other plane, and its sum of distances: of a cube, whatever its generators."""
    if len(cubes.planes) == 1:
        return None, None
    n, links = cubes.n, cubes.n + cubes.folded
    hops = [min(differing, links - differing) if cubes.folded else differing for differing in range(n + 1)]
    return max(hops), sum(away * comb(n, differing) for differing, away in enumerate(hops)) << n


def _after_losses(cubes: Cubes, sum_of_distances: int, diameter: int) -> tuple[int, int, int]:
    """Return the largest distance after the loss of a cable, and of a switch, and the sum of distances without a cable.

    Any offset of two or more hops has several shortest paths without a common cable or switch, so that a lost cable
    parts its two ends alone: over three other cables of its plane, in a folded square over two, or over another plane.
    All cables of a generator are alike, since adding an offset to all switches is an automorphism of all planes. The
    nodes of a lost switch have the diameter of the other plane.
    """
    links = [plane.links for plane in cubes.planes]
    reach = [(set(each), {a ^ b for a in each for b in each}) for each in links]
    longest = 2 if cubes.folded and cubes.n == 2 else 3
    hops = 1
    for plane, generators in enumerate(links):
        others = [near for number, near in enumerate(reach) if number != plane]
        for link in generators:
            near = [1 if link in one else 2 if link in two else longest for one, two in others]
            hops = max(hops, min([longest, *near]))
    switches = cubes.plane_switches
    of_plane = (cubes.n + 1) // 2 if cubes.folded else cubes.n
    after_switch = diameter if len(links) == 1 else of_plane
    return max(diameter, hops), after_switch, switches * sum_of_distances + 2 * (hops - 1)


def _of_cubes(network: Network, cubes: Cubes) -> ExactMetrics:
    sum_of_distances, loads, diameter = _walk(cubes)
    walked = sum_of_distances, loads, max(max(plane) for plane in loads), diameter
    if network.site.layout is None:
        general = _where_caches_miss(network)
        power, area = _lookups(network, cubes, general)
        return ExactMetrics(*walked, lookup_power_uw=power, cache_area_um2=area, general=general)
    table = cable_table(cubes.n, network.site.layout, network.site.prices)
    for plane in cubes.planes:
        for generator in plane.links:
            table.require_cable(generator, network.site.prices)
    return _with_cables(network, cubes, table, walked)


def _walk(cubes: Cubes) -> tuple[int, tuple[tuple[int, ...], ...], int]:
    """Return the sum of distances, the loads of each plane, and the diameter."""
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
    sums, max_loads, diameters = (np.empty(1, dtype=np.int64) for _ in range(3))
    loads, generators = np.empty((1, 2, links), dtype=np.int32), np.array([transformed], dtype=np.uint32)
    _native.evaluate(generators, cubes.folded, sums, max_loads, loads)
    _native.diameters(generators, cubes.folded, diameters)
    planes = tuple(tuple(int(load) for load in plane) for plane in loads[0])
    if len(cubes.planes) == 1:  # evaluated as two identical planes, each carrying one of the two packets
        planes = (tuple(a + b for a, b in zip(*planes, strict=True)),)
    return int(sums[0]), planes, int(diameters[0])


def _with_cables(
    network: Network, cubes: Cubes, table: CableTable, walked: tuple[int, tuple[tuple[int, ...], ...], int, int]
) -> ExactMetrics:
    (sum_of_distances, loads, _, _), units, switches = walked, network.delay_units, cubes.plane_switches
    lengths = [[int(table.length_mm[g]) for g in plane.links] for plane in cubes.planes]
    total = sum(map(sum, lengths))
    links = sum(map(len, lengths))
    load_mm = sum(load * mm for plane in zip(loads, lengths, strict=True) for load, mm in zip(*plane, strict=True))
    delay = load_mm * units.cable_mm + 2 * sum_of_distances * units.hop * switches + 2 * units.endpoint * switches**2
    delay_paper = (
        total * units.cable_mm + units.hop * links * switches
    ) * sum_of_distances + units.endpoint * links * switches**2
    general = _where_caches_miss(network)
    if general is not None:
        missed, _ = general.mean_misses
        delay += floor(2 * switches**2 * units.lookup * missed + Fraction(1, 2))
    prices = sum(int(table.price_cents[g]) for plane in cubes.planes for g in plane.links)
    longest = int(longest_of_generators(network)[[g for plane in cubes.planes for g in plane.links]].max())
    published, looked_up = None if general is not None else delay_paper, _lookups(network, cubes, general)
    return ExactMetrics(*walked, total, delay, published, fixed_cents(network) + prices, longest, *looked_up, general)


def longest_of_generators(network: Network) -> Ints:
    """Return the longest cable that a design with each generator has at least, ``int64[2^n]``: also that of a node."""
    site, n = network.site, cubes_of(network).n
    assert site.layout is not None
    table = cable_table(n, site.layout, site.prices)
    return np.maximum(table.longest_cables_mm(site.prices), site.node_cable_mm or 0)


def _where_caches_miss(network: Network) -> GeneralExact | None:
    has_hits = network.site.switch.misses_none_of(network.nodes - 1)
    return None if has_hits else GeneralExact(network)


def _lookups(network: Network, cubes: Cubes, general: GeneralExact | None) -> tuple[int | None, int | None]:
    """Return the power of all look-ups and the area of the caches of a switch; all switches have as many ports."""
    switch = network.site.switch
    power = lookup_power(switch, cubes.ports, None, 0 if general is None else general.miss_rate)
    area = None if switch.cache is None else cache_area_mm2(switch, cubes.ports)
    return in_millionths(None if power is None else cubes.switches * power.total_w), in_millionths(area)


def metrics(network: Network, exact: ExactMetrics) -> MetricValues:
    """Return the named metrics of a record, in its order.

    `aspl` (hops), `sum_of_distances`, `max_load` (packets), `max_traffic` (link capacities per switch),
    `cable_length_m` (mean), `delay_ns`, `delay_paper_ns`, `cost_usd_per_node`; the last four are None without
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
    values = metric_values("cubes", exact, network)
    if exact.general is not None:  # the integer of scores is rounded
        values["delay_ns"] = metric_value("switches", "delay_ns", exact.general, network)
    return values


def exact_metric(exact: ExactMetrics, metric: str) -> int:
    """Return one of `CUBE_METRICS` as an exact integer.

    Raises
    ------
    InputError
        If the network has no layout and the metric needs one.
    """
    return exact_value("cubes", exact, metric)
