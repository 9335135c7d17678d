"""Designs of cubes with their numbers."""

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Cube, Design, InputError, Site, port_aggregate
from isoplane.models.checks import millimetres
from isoplane.models.family_kinds.cube import Cubes, has_kernels
from isoplane.objectives import ExactMetrics, exact_metrics
from isoplane.objectives.cubes.costs import fixed_cents
from isoplane.objectives.scoring.metric import MetricValues
from isoplane.runs.drawing.link_heat import Heat
from isoplane.runs.published import published_designs

from .evaluated import EvaluatedDesign

LARGEST_N = 16  # limit of the kernels
BY_SITE = frozenset({"cable_length_m", "delay_paper_ns", "cost_usd_per_node"})  # stated for the paper's racks
# With Port-Aggregate a switch has half the nodes and there are twice as many offsets: these are not comparable.
BY_OFFSET = frozenset({"sum_of_distances", "max_load", "max_traffic"})


class EvaluatedCubes(EvaluatedDesign):
    """Planes of cubes and their metrics."""

    @property
    def cubes(self) -> Cubes:
        """The family, by whose kind the class was chosen."""
        return self.family(Cubes)

    @cached_property
    def exact(self) -> ExactMetrics | None:
        """The exact integers of cubes; None if the kernels do not support so many planes."""
        return exact_metrics(self.network) if has_kernels(self.network) else None

    @cached_property
    def shown(self) -> MetricValues:
        """The metrics of a record, and the throughput of a node."""
        if self.exact is None:
            return self.metrics
        load = self.exact.max_load * self.cubes.nodes_per_switch
        return {**self.metrics, "throughput_per_node": 2 * self.cubes.plane_switches / load}

    @property
    def plane_switches(self) -> tuple[int, ...]:
        """Number of switches in each plane; the planes of Port-Aggregate networks are not built."""
        return (self.cubes.plane_switches,) * len(self.cubes.planes)

    @cached_property
    def published(self) -> Mapping[str, Mapping[str, tuple[float, float]]]:
        """The paper's optimised designs of this size; identical planes are computed here instead.

        The traffic of a node is a share of that of a switch; lengths, delays and costs are given only for the paper's
        racks.
        """
        found = {}
        for network, stated in published_designs(self.cubes.folded, self.cubes.n).items():
            if len(self.cubes.planes) == 2 and network.startswith("DI-"):
                known = {name: pair for name, pair in stated.items() if self.as_in_the_paper or name not in BY_SITE}
                traffic, precision = stated["max_traffic"]
                share = self.cubes.nodes_per_switch
                found[network] = {**known, "throughput_per_node": (traffic / share, precision / share)}
        return found

    @property
    def as_in_the_paper(self) -> bool:
        """Whether racks, catalogue, delays and nodes are those for which the paper states delay and cost."""
        return (self.network.site, self.cubes.nodes_per_switch) == (Site(), 4)

    @property
    def distance_counts(self) -> tuple[Sequence[tuple[int, ...]], tuple[int, ...], str]:
        """Counts of offsets by distance, up to the diameter of a plane."""
        distances = [plane_distances(plane) for plane in self.cubes.planes]
        bins = 1 + max(int(plane.max()) for plane in distances)
        counts = [np.bincount(hops, minlength=bins) for hops in (*distances, np.minimum.reduce(distances))]
        *planes, nearest = (tuple(int(count) for count in row) for row in counts)
        return planes, nearest, f"offsets (of {self.cubes.plane_switches:,})"

    @property
    def generator_loads(self) -> Sequence[Sequence[tuple[str, int]]]:
        """Name and load of every generator by plane, in the order of `Cube.links`; none without kernels."""
        planes = () if self.exact is None else zip(self.cubes.planes, self.exact.loads, strict=True)
        return [
            [
                (f"{generator}\nfolded" if place == plane.n else str(generator), packets)
                for place, (generator, packets) in enumerate(zip(plane.links, loads, strict=True))
            ]
            for plane, loads in planes
        ]

    def cost_cents(self) -> tuple[int, int, int, int]:
        """Return the price of interfaces, switches, node cables and switch cables, for Port-Aggregate without planes.

        Examples
        --------
        >>> from isoplane.models import dual_cube
        >>> network = dual_cube(8, tuple(1 << i for i in range(8)))
        >>> EvaluatedCubes("", Design(network)).cost_cents()[0] // (100 * network.nodes)
        485
        """
        site = self.network.site
        if self.exact is None or self.exact.cost_cents is None or site.layout is None:
            return super().cost_cents()
        ports, fixed, cable_mm = self.cubes.node_ports, fixed_cents(self.network), site.layout.node_cable_m
        nics = self.network.nodes * site.prices.nic_cents(ports)
        cables = self.network.nodes * ports * site.prices.cable_for_mm(millimetres("", cable_mm))[1]
        return nics, fixed - nics - cables, cables, self.exact.cost_cents - fixed

    @cached_property
    def heat(self) -> Heat | None:
        """Values of all links; loads are those of the generators, two packets from every offset."""
        if self.exact is None or self.workload is not None:
            return super().heat
        per_packet = self.cubes.nodes_per_switch**2 / 2
        switches = np.ones((self.cubes.plane_switches, 1))
        return Heat([switches * loads * per_packet for loads in map(np.array, self.exact.loads)], "load", "packets")

    def alternatives(self) -> tuple[tuple[EvaluatedDesign, ...], tuple[str, ...]]:
        """Return identical planes and Port-Aggregate, and notes on those left out.

        Examples
        --------
        >>> from isoplane.models import dual_cube
        >>> found, _ = EvaluatedCubes("This design", Design(dual_cube(3, (3, 5, 7)))).alternatives()
        >>> [each.title for each in found]
        ['Identical planes', 'Port-Aggregate']
        """
        simplest, _ = super().alternatives()
        aggregate, notes = self._port_aggregate() if simplest and len(self.cubes.planes) == 2 else ((), ())
        return (*simplest, *aggregate), notes

    def _port_aggregate(self) -> tuple[tuple[EvaluatedDesign, ...], tuple[str, ...]]:
        """Return one plane that uses both ports of every node."""
        if self.cubes.n == LARGEST_N:
            return (), (f"Port-Aggregate is left out: it would be a cube of dimension {LARGEST_N + 1}.",)
        try:
            aggregate = EvaluatedCubes("Port-Aggregate", Design(port_aggregate(self.network)), incomparable=BY_OFFSET)
            aggregate.metrics  # noqa: B018  # raises an error if the catalogue lacks a cable
        except InputError as error:
            return (), (f"Port-Aggregate is left out: {error}.",)
        return (aggregate,), (
            "Port-Aggregate puts both ports of every node into one cube of dimension n + 1 with half as many nodes per "
            "switch, so sums, loads and traffic with one node per switch are not comparable; compare "
            "the throughput of a node.",
        )


def plane_distances(plane: Cube) -> NDArray[np.int64]:
    """Return the distance of every offset in one plane, in hops, as ``int64[2^n]``.

    wt(r) for a cube and min(wt(r), n + 1 - wt(r)) for a folded one, r being the routing value.

    References
    ----------
    Hosomi et al. 2021, section 2.2.

    Examples
    --------
    >>> from isoplane.models import ConnectionSet
    >>> plane_distances(Cube(ConnectionSet(3, (3, 5, 7)))).tolist()
    [0, 3, 2, 1, 2, 1, 2, 1]
    """
    values = plane.connections.routing_values().tolist()
    weights = np.array([value.bit_count() for value in values], dtype=np.int64)
    return np.minimum(weights, plane.n + 1 - weights) if plane.folded else weights
