"""Reference metrics of one or two cube planes, from walked routes and counted cables."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor

import numpy as np

from isoplane.models import DelayUnits, Network
from isoplane.models.family_kinds.cube import Cubes, cubes_of

from .cables import longest_cable_mm, network_cost_cents, plane_cables
from .general import measure_general
from .graph import distances, plane_graph
from .lookups import lookup_metrics
from .routes import Loads, routed_loads


@dataclass(frozen=True)
class CubeReference:
    """Exact integers behind the metrics; lengths, delays and cost are None without a layout.

    Attributes
    ----------
    sum_of_distances
        Σ over offsets of the distance in the nearer plane, in hops.
    max_load
        Packets over the busiest directed link.
    loads
        Packets over a directed link of each of `Cube.links`, per plane.
    cable_length_mm
        Σ over planes, links and switches of the catalogue length, each cable counted at both ends.
    delay
        2·4^n times the mean delay over the real routes, in delay units (`SwitchModel.units`), to the nearest integer.
    delay_paper
        G·4^n times the published delay, in delay units; G is the number of links of a switch over all planes. None if
        caches miss.
    cost_cents
        Total price of the network.
    diameter
        Largest distance in the nearer plane.
    longest_cable_mm
        Length of the longest cable, those of nodes included.
    miss_rate, mean_delay, max_delay
        Share of all look-ups that miss a cache, and where any do, the mean and the largest delay in delay units.
    """

    sum_of_distances: int
    max_load: int
    loads: tuple[tuple[int, ...], ...]
    cable_length_mm: int | None = None
    delay: int | None = None
    delay_paper: int | None = None
    cost_cents: int | None = None
    miss_rate: Fraction = Fraction(0)
    mean_delay: Fraction | None = None
    max_delay: Fraction | None = None
    diameter: int = 0
    longest_cable_mm: int | None = None


def measure_cubes(network: Network) -> CubeReference:
    """Return the exact integers of a network.

    delay = Σ_k load_k·(hop·2^n + cable·S_k) + endpoint·2·4^n and
    delay_paper = (Σ_k S_k·cable + hop·G·2^n)·sum + endpoint·G·4^n, where k runs over the G links of all planes and S_k
    is the sum over switches of the length of link k in millimetres.

    Raises
    ------
    InputError
        If there are more than two planes, the layout does not fit, or the catalogue lacks a required cable or
        interface.
    RuntimeError
        If the reference is inconsistent.

    References
    ----------
    Hosomi et al. 2021, sections 3.1 to 3.3.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> exact = measure_cubes(dual_cube(2, (1, 3)))
    >>> exact.sum_of_distances, exact.loads, exact.cable_length_mm
    (3, ((1, 2), (1, 2)), 16000)
    >>> exact.delay, exact.delay_paper, exact.cost_cents
    (6472000, 12944000, 2782144)
    """
    cubes = _kernel_cubes(network)
    graphs = [plane_graph(cube) for cube in cubes.planes]
    sum_of_distances, loads = routed_loads(cubes, graphs)
    max_load = max(map(max, loads))
    diameter = int(np.min([distances(graph, [0]) for graph in graphs], axis=0).max())
    cache = network.site.switch.cache
    # Where caches miss, the delay of a hop depends on the port at its end: routes are walked link by link.
    walked = None if cache is None or cache.entries >= network.nodes - 1 else measure_general(network)
    missed = () if walked is None else (walked.miss_rate, walked.delay, walked.max_delay)
    if network.site.layout is None:
        miss_rate = missed[0] if missed else Fraction(0)
        return CubeReference(sum_of_distances, max_load, loads, miss_rate=miss_rate, diameter=diameter)
    cables = [plane_cables(graph, network.site.layout, network.site.prices) for graph in graphs]
    lengths_mm = [length for length_mm, _ in cables for length in length_mm]
    units = network.delay_units
    delays: tuple[int, int | None] = _delays(units, cubes.plane_switches, (sum_of_distances, loads), lengths_mm)
    if walked is not None and walked.delay is not None:
        delays = floor(2 * cubes.plane_switches**2 * walked.delay + Fraction(1, 2)), None
    cost_cents = network_cost_cents(cubes, network.site, network.site.layout, sum(cents for _, cents in cables))
    known = CubeReference(sum_of_distances, max_load, loads, sum(lengths_mm), *delays, cost_cents, *missed)
    longest_mm = longest_cable_mm(graphs, network.site.layout, network.site.prices)
    return replace(known, diameter=diameter, longest_cable_mm=longest_mm)


def _kernel_cubes(network: Network) -> Cubes:
    return cubes_of(network).require_kernels()


def _delays(units: DelayUnits, switches: int, walked: Loads, lengths_mm: list[int]) -> tuple[int, int]:
    """Return the exact and the published delay as integers; `lengths_mm` holds S_k of every link, plane by plane."""
    sum_of_distances, loads_of_planes = walked
    loads = [load for plane in loads_of_planes for load in plane]
    hop_delays = sum(
        load * (units.hop * switches + units.cable_mm * length) for load, length in zip(loads, lengths_mm, strict=True)
    )
    links = len(lengths_mm)
    published = (sum(lengths_mm) * units.cable_mm + units.hop * links * switches) * sum_of_distances
    return hop_delays + units.endpoint * 2 * switches**2, published + units.endpoint * links * switches**2


def cube_metrics(network: Network) -> dict[str, int | float | None]:
    """Return the metrics of a network under the names of a record, in its order.

    Hops for ``aspl`` and ``sum_of_distances``, packets for ``max_load``, metres, nanoseconds and US$ as the names
    indicate; ``max_traffic`` = 2·2^n / max_load for one node at each switch. The last four are None without a layout.
    Everything is computed with integers and fractions and rounded once, to the nearest float. Errors and sources are
    those of `measure_cubes`.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> metrics = cube_metrics(dual_cube(8, tuple(1 << i for i in range(8))))
    >>> metrics["aspl"], metrics["max_load"], metrics["cable_length_m"], metrics["delay_paper_ns"]
    (4.0, 128, 5.5, 601.0)
    """
    cubes = _kernel_cubes(network)
    exact, switches = measure_cubes(network), cubes.plane_switches
    links = sum(len(cube.links) for cube in cubes.planes)
    per_ns = network.delay_units.per_ns
    # Where caches miss, the mean is no multiple of the unit of `delay`.
    mean_ns = _ratio(exact.delay, 2 * switches**2 * per_ns)
    mean_ns = mean_ns if exact.mean_delay is None else float(exact.mean_delay / per_ns)
    return {
        "aspl": float(Fraction(exact.sum_of_distances, switches)),
        "sum_of_distances": exact.sum_of_distances,
        "max_load": exact.max_load,
        "max_traffic": float(Fraction(2 * switches, exact.max_load)),
        "cable_length_m": _ratio(exact.cable_length_mm, 1000 * links * switches),
        "delay_ns": mean_ns,
        **({} if exact.max_delay is None else {"max_delay_ns": float(exact.max_delay / per_ns)}),
        "delay_paper_ns": _ratio(exact.delay_paper, links * switches**2 * per_ns),
        "cost_usd_per_node": _ratio(exact.cost_cents, 100 * network.nodes),
        **lookup_metrics(network, exact.miss_rate),
    }


def _ratio(numerator: int | None, denominator: int) -> float | None:
    return None if numerator is None else float(Fraction(numerator, denominator))
