"""Exact integers and metrics of a network of one or two cube planes."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import floor

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
from .fault_distances import after_losses, after_plane_loss, after_rack_loss

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
    lookup_power_uw, cache_area_um2
        Power of the look-ups of all switches in µW, and area of the caches of a switch in µm², to the nearest; None if
        the switch model does not state them, or there are no caches.
    general
        The same network for the general evaluator, where caches miss; else None.
    network
        The network, of which metrics after losses are computed when they are asked for.
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
    network: Network | None = field(default=None, repr=False, compare=False)

    @cached_property
    def _cubes(self) -> Cubes:
        assert self.network is not None
        return cubes_of(self.network)

    @cached_property
    def _after_losses(self) -> tuple[int, int, int]:
        return after_losses(self._cubes, self.sum_of_distances, self.diameter)

    @property
    def cable_fault_diameter(self) -> int:
        """Largest distance after the loss of any one cable."""
        return self._after_losses[0]

    @property
    def switch_fault_diameter(self) -> int:
        """Largest distance after the loss of any switch of a plane."""
        return self._after_losses[1]

    @property
    def cable_fault_hops(self) -> int:
        """Largest sum of distances over ordered pairs of switches after the loss of any one cable."""
        return self._after_losses[2]

    @property
    def plane_fault_diameter(self) -> int | None:
        """Largest distance in the other one of two planes; None of a single one."""
        return after_plane_loss(self._cubes)[0]

    @property
    def plane_fault_hops(self) -> int | None:
        """Sum of distances over ordered pairs of switches in the other one of two planes; None of a single one."""
        return after_plane_loss(self._cubes)[1]

    @cached_property
    def _after_rack_loss(self) -> tuple[int | None, int | None]:
        assert self.network is not None
        lost = after_rack_loss(self.network)
        if lost is not None:
            return lost
        general = GeneralExact(self.network)
        return general.rack_fault_diameter, general.rack_fault_aspl_nhops

    @property
    def rack_fault_diameter(self) -> int | None:
        """Largest distance between switches that are left after the loss of any one rack; None without two racks."""
        return self._after_rack_loss[0]

    @property
    def rack_fault_aspl_nhops(self) -> int | None:
        """Largest mean distance of these switches in 10^-9 hops, to the nearest; None likewise."""
        return self._after_rack_loss[1]

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
    return replace(exact, switches=switches, cables=cables, network=network)


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
