"""The space of connection sets, with or without a workload that runs on the cubes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from isoplane.models import (
    BasisVariable,
    ConnectionSet,
    Cube,
    Cubes,
    Design,
    InputError,
    Network,
    Site,
    Variable,
    cable_table,
    cube_planes,
)
from isoplane.models.cabling.cable_lengths import check_longest_cable
from isoplane.models.checks import MAX_NODES_PER_SWITCH, check_bool, check_int
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.models.files.exact_text import counted
from isoplane.models.workloads import Workload
from isoplane.models.workloads.mapped_workload import require_all_nodes
from isoplane.objectives import CUBE_METRICS, Lexicographic
from isoplane.objectives.bounds import BoundSource, cube_time_bounds, enumeration_behind, score_bounds
from isoplane.objectives.cubes.costs import fixed_cents
from isoplane.objectives.cubes.exact import longest_of_generators
from isoplane.objectives.cubes.range import check_range, largest_metrics
from isoplane.objectives.scoring.metric_scopes import needing, time_names

from .. import _native
from ..core.space import Space, variable_of
from .cache_misses import judged_metrics, metrics_in, remark_on, require_varying
from .native_score import native_score

Generators = tuple[int, ...]


@dataclass(frozen=True)
class ConnectionSets(Space):
    """All bases of plane 1 of a dual-plane cube whose plane 0 is the unit basis: the space of a `BasisVariable`.

    Parameters
    ----------
    n
        Dimension, 2..16.
    folded
        Whether both planes are folded.
    nodes_per_switch
        Number of nodes per switch, as in `Cubes`.
    site
        Racks, prices and switches.
    template
        The family of the designs, with identical planes; None for the built-in family with these values.
    workload
        The messages by which designs are evaluated, between as many processes as nodes; process i is on node i.

    Raises
    ------
    InputError
        If a value is out of range, the price list lacks a cable that a generator could need, delays need more than 64
        bits, or the numbers of processes and nodes differ.

    Examples
    --------
    >>> ConnectionSets(3, site=Site(layout=None)).design((3, 5, 7)).network.name
    'hypercube'
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> from isoplane.objectives import TIMES
    >>> space = ConnectionSets(3, nodes_per_switch=1, workload=ring_all_reduce(8, 1_000_000))
    >>> space.bounds(Lexicographic("throughput", (("synchronised",), ("total",)), TIMES, space.workload))
    (70000, 3360000)
    """

    over: ClassVar[frozenset[type[Variable]]] = frozenset({BasisVariable})
    varies: ClassVar[str] = "connection sets of cubes"

    n: int
    folded: bool = False
    nodes_per_switch: int = 4
    site: Site = field(default_factory=Site)
    template: Cubes | None = None
    workload: Workload | None = None

    def __post_init__(self) -> None:
        check_int("network.n", self.n, 2, 16)
        check_bool("network.folded", self.folded)
        check_int("network.nodes_per_switch", self.nodes_per_switch, 1, MAX_NODES_PER_SWITCH)
        layout, prices = self.site.layout, self.site.prices
        if layout is not None:
            check_longest_cable(self.n, layout, prices)
            table = cable_table(self.n, layout, prices)
            table.require_all_cables(prices)
            check_range(self.n, self.folded, table, self.site.delay_units)
            fixed_cents(self.identical)
        if self.workload is not None:
            require_all_nodes(self.workload, self.identical.nodes)

    @classmethod
    def of(cls, network: Network, variables: Mapping[str, Variable], workload: Workload | None) -> Self:
        """Return the space of the generators of plane 1, under a workload if there is one.

        Raises
        ------
        InputError
            If the network has not two planes, or the kernels cannot evaluate it: they require ``nearest``.
        """
        cubes = cubes_of(network)
        if len(cubes.planes) != 2:
            raise InputError(f"network.planes={len(cubes.planes)}: expected 2")
        cubes.require_kernels()
        n = variable_of(variables, BasisVariable).n
        space = cls(n, cubes.folded, cubes.nodes_per_switch, network.site, workload=workload)
        built_in = space.identical.family
        template = replace(cubes, planes=space.planes(tuple(1 << i for i in range(n))))
        return space if template == built_in else replace(space, template=template)

    def with_workload(self, workload: Workload | None) -> Self:
        """Return the same connection sets under a workload, or without one."""
        return replace(self, workload=workload)

    @property
    def required_workload(self) -> Workload:
        """The workload, where there must be one.

        Raises
        ------
        InputError
            If there is none.
        """
        if self.workload is None:
            raise InputError("workload=null: expected the workload to search connection sets for")
        return self.workload

    @property
    def subject(self) -> str:
        """What varies, in words."""
        return self.varies if self.workload is None else f"{self.varies} under a workload"

    @property
    def remark(self) -> str:
        """That the kernels do not judge delays, where caches miss."""
        return "" if self.workload is not None else remark_on(self.site, self.identical.nodes - 1)

    def is_judged(self, objective: Lexicographic) -> bool:
        """Whether a score needs the general evaluator, because caches miss and delay or power is part of it."""
        judged = judged_metrics(self.site, self.identical.nodes - 1)
        return self.workload is None and not judged.isdisjoint(metrics_in(objective))

    @property
    def default_objective(self) -> str:
        """The product of ASPL and load, or the completion of the workload."""
        return "aspl_and_traffic" if self.workload is None else "completion"

    @property
    def identical(self) -> Network:
        """The network of two identical planes: the baseline, and a start for every search."""
        return self.design(tuple(1 << i for i in range(self.n))).network

    @property
    def baseline(self) -> Design:
        """Two identical planes, as a design."""
        return Design(self.identical)

    def design(self, generators: Sequence[int]) -> Design:
        """Return the design with these generators in plane 1."""
        planes = self.planes(generators)
        if self.template is None:
            return Design(Network(cube_planes(planes, self.nodes_per_switch), self.site))
        return Design(Network(replace(self.template, planes=planes), self.site))

    def planes(self, generators: Sequence[int]) -> tuple[Cube, ...]:
        """Return both planes, the second one with these generators."""
        bases = ConnectionSet.unit(self.n), ConnectionSet.basis(self.n, tuple(generators))
        return tuple(Cube(connections, self.folded) for connections in bases)

    def generators(self, design: Design) -> Generators:
        """Return the generators of plane 1 of a design of this space.

        Raises
        ------
        InputError
            If the design has another dimension or family, or does not have two planes.
        """
        cubes = cubes_of(design.network)
        if (cubes.n, cubes.folded, len(cubes.planes)) != (self.n, self.folded, 2):
            raise InputError(
                f"warm_start: {counted(len(cubes.planes), 'plane')}, {design.network.name} of n={cubes.n}; "
                f"expected 2 planes, {self.identical.name} of n={self.n}"
            )
        return cubes.planes[1].connections.generators

    def candidate(self, design: Design) -> Generators:
        """Return the `generators` of a design."""
        return self.generators(design)

    def canonical(self, candidate: Generators) -> Generators:
        """Return the generators in ascending order."""
        return tuple(sorted(candidate))

    def bounds(self, objective: Lexicographic) -> tuple[int | None, ...]:
        """Return a lower bound of each score component over all connection sets: see `cube_time_bounds` for times."""
        fitted = self.fitted(objective)
        if self.workload is None:
            return score_bounds(fitted, self.identical)
        times = tuple(name for name in fitted.metrics if name in time_names("times"))
        known = dict(zip(times, cube_time_bounds(self.identical, self.workload, times), strict=True))
        return fitted.bounds(known.get)

    @property
    def bounded_by(self) -> str:
        """Formulas and certificates; of times what nodes and cables carry."""
        return "formulas and certificates of cubes" if self.workload is None else "bytes over nodes and cables"

    def bound_source(self, objective: Lexicographic) -> BoundSource | None:
        """Return the stored enumeration without which the bound of a component would be weaker; none for times."""
        if self.workload is not None:
            return None
        return enumeration_behind(self.fitted(objective).metrics, self.identical)

    def fitted(self, objective: Lexicographic) -> Lexicographic:
        """Return the objective, without the components that need a layout if there is none.

        Raises
        ------
        InputError
            If it does not evaluate cubes, or is undefined without a layout; under a workload, if it is not a time of
            this workload.
        """
        if self.workload is not None:
            return self._fitted_time(objective)
        if objective.scope != "cubes":
            raise InputError(f"objective={objective.name}: expected an objective of cubes")
        require_varying(objective, self.site, self.identical.nodes - 1)
        if self.site.layout is None:
            return objective.without_layout()
        lost = sorted(needing("racks", "cubes") & metrics_in(objective))
        if lost and self.site.layout.racks(1 << self.n) < 2:
            raise InputError(
                f"layout.switches_per_rack={self.site.layout.switches_per_rack}: one rack has all {1 << self.n} "
                f"switches of a plane; expected fewer for {', '.join(lost)}"
            )
        return objective

    def _fitted_time(self, objective: Lexicographic) -> Lexicographic:
        if objective.scope != "times":
            raise InputError(f"objective={objective.name}: expected completion, throughput, bottleneck with a workload")
        if objective.workload != self.workload:
            raise InputError(f"objective={objective.name}: for another workload; expected that of the space")
        return objective

    def native_evaluator(self, objective: Lexicographic) -> _native.Evaluator:
        """Return the native evaluator of an objective over this space.

        Raises
        ------
        InputError
            If the objective needs a layout and there is none.
        """
        site, network = self.site, self.identical
        sums, limits, function, parts = native_score(objective, network)
        most = largest_metrics(network)
        table, units = None if site.layout is None else cable_table(self.n, site.layout, site.prices), site.delay_units
        return _native.Evaluator(
            self.n,
            self.folded,
            sums,
            limits,
            [most.get(metric, 0) for metric in CUBE_METRICS],
            function,
            parts,
            [] if table is None else table.length_mm.tolist(),
            [] if table is None else table.price_cents.tolist(),
            [] if table is None else longest_of_generators(network).tolist(),
            *((0, 0, 0, 0) if table is None else (units.hop, units.cable_mm, units.endpoint, fixed_cents(network))),
            0 if site.layout is None else site.layout.switches_per_rack,
        )
