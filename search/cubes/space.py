"""The space of connection sets."""

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
from isoplane.models.workloads import Workload
from isoplane.objectives import METRICS, Lexicographic
from isoplane.objectives.bounds import Enumeration, enumeration_behind, score_bounds
from isoplane.objectives.cubes.costs import fixed_cents
from isoplane.objectives.cubes.range import check_range

from .. import _native
from ..core.space import Space, variable_of

Generators = tuple[int, ...]


@dataclass(frozen=True)
class ConnectionSets(Space):
    """All bases of plane 1 of a dual-plane cube whose plane 0 is the unit basis.

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

    Raises
    ------
    InputError
        If a value is out of range, the price list lacks a cable that a generator could need, or delays
        need more than 64 bits.

    Examples
    --------
    >>> ConnectionSets(3, site=Site(layout=None)).design((3, 5, 7)).network.name
    'hypercube'
    """

    over: ClassVar[frozenset[type[Variable]]] = frozenset({BasisVariable})
    under_workload: ClassVar[bool] = False
    varies: ClassVar[str] = "connection sets of cubes"
    default_objective: ClassVar[str] = "aspl_and_traffic"

    n: int
    folded: bool = False
    nodes_per_switch: int = 4
    site: Site = field(default_factory=Site)
    template: Cubes | None = None

    def __post_init__(self) -> None:
        check_int("network.n", self.n, 2, 16)
        check_bool("network.folded", self.folded)
        check_int("network.nodes_per_switch", self.nodes_per_switch, 1, MAX_NODES_PER_SWITCH)
        layout, prices = self.site.layout, self.site.prices
        if layout is not None:
            check_longest_cable(self.n, layout, prices)
            table = cable_table(self.n, layout, prices)
            table.require_all_cables(prices)
            check_range(self.n, self.folded, table, self.site.switch.units())
            fixed_cents(self.identical)

    @classmethod
    def of(cls, network: Network, variables: Mapping[str, Variable], workload: Workload | None) -> Self:
        """Return the space of the generators of plane 1.

        Raises
        ------
        InputError
            If the kernels cannot evaluate the network: they require at most two planes of cubes, under ``nearest``.
        """
        cubes = cubes_of(network).require_kernels()
        space = cls(variable_of(variables, BasisVariable).n, cubes.folded, cubes.nodes_per_switch, network.site)
        template = replace(cubes, planes=cubes_of(space.identical).planes)
        return space if template == cubes_of(space.identical) else replace(space, template=template)

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
        planes = tuple(
            Cube(connections, self.folded)
            for connections in (ConnectionSet.unit(self.n), ConnectionSet.basis(self.n, tuple(generators)))
        )
        if self.template is None:
            return Design(Network(cube_planes(planes, self.nodes_per_switch), self.site))
        return Design(Network(replace(self.template, planes=planes), self.site))

    def generators(self, design: Design) -> Generators:
        """Return the generators of plane 1 of a design of this space.

        Raises
        ------
        InputError
            If the design has another dimension or family, or does not have two planes.
        """
        network = design.network
        if (cubes_of(network).n, cubes_of(network).folded, len(cubes_of(network).planes)) != (self.n, self.folded, 2):
            raise InputError(
                f"warm_start: {len(cubes_of(network).planes)} planes, {network.name} of n={cubes_of(network).n}; "
                f"expected 2 planes, {self.identical.name} of n={self.n}"
            )
        return cubes_of(network).planes[1].connections.generators

    def candidate(self, design: Design) -> Generators:
        """Return the `generators` of a design."""
        return self.generators(design)

    def canonical(self, candidate: Generators) -> Generators:
        """Return the generators in ascending order."""
        return tuple(sorted(candidate))

    def bounds(self, objective: Lexicographic) -> tuple[int | None, ...]:
        """Return a lower bound of each score component over all connection sets."""
        return score_bounds(self.fitted(objective), self.identical)

    def bound_source(self, objective: Lexicographic) -> Enumeration | None:
        """Return the stored enumeration without which the bound of a component would be weaker."""
        metrics = {metric for component in self.fitted(objective).components for metric in component}
        return enumeration_behind(metrics, self.identical)

    def fitted(self, objective: Lexicographic) -> Lexicographic:
        """Return the objective, without the components that need a layout if there is none.

        Raises
        ------
        InputError
            If it does not evaluate cubes, or is undefined without a layout.
        """
        if objective.scope != "cubes":
            raise InputError(f"objective={objective.name}: expected an objective of cubes")
        return objective.without_layout() if self.site.layout is None else objective

    def evaluator(self, objective: Lexicographic) -> _native.Evaluator:
        """Return the native evaluator of an objective over this space.

        Raises
        ------
        InputError
            If the objective needs a layout and there is none.
        """
        # Only its two metrics determine a front; the components rank its designs afterwards.
        components = tuple((metric,) for metric in objective.front) if objective.front else objective.components
        numbers = [[METRICS.index(metric) for metric in component] for component in components]
        if self.site.layout is None:
            return _native.Evaluator(self.n, self.folded, numbers, [], [], 0, 0, 0, 0)
        table, units = cable_table(self.n, self.site.layout, self.site.prices), self.site.switch.units()
        return _native.Evaluator(
            self.n,
            self.folded,
            numbers,
            table.length_mm.tolist(),
            table.price_cents.tolist(),
            units.hop,
            units.cable_mm,
            units.endpoint,
            fixed_cents(self.identical),
        )
