"""Designs of cubes with their numbers."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from isoplane.models import Design, InputError, port_aggregate
from isoplane.models.family_kinds.cube import Cubes, cubes_of, has_kernels
from isoplane.objectives import CUBES, Evaluator, ExactMetrics, exact_metrics
from isoplane.objectives.scoring.metric import Metrics
from isoplane.runs.published import PublishedDesign, published_points

from .evaluated import EvaluatedDesign

LARGEST_N = 16  # limit of the kernels
# With Port-Aggregate a switch has half the nodes and there are twice as many offsets: these are not comparable.
BY_OFFSET = frozenset({"sum_of_distances", "max_load", "max_traffic"})


class EvaluatedCubes(EvaluatedDesign):
    """Planes of cubes and their metrics."""

    @property
    def cubes(self) -> Cubes:
        """The family."""
        return cubes_of(self.network)

    @cached_property
    def exact(self) -> ExactMetrics | None:
        """The exact integers of cubes; None if the kernels do not support so many planes."""
        return exact_metrics(self.network) if has_kernels(self.network) else None

    @cached_property
    def shown(self) -> Metrics:
        """The metrics of a record, and the throughput of a node."""
        if self.exact is None:
            return self.metrics
        load = self.exact.max_load * self.cubes.nodes_per_switch
        return {**self.metrics, "throughput_per_node": 2 * self.cubes.plane_switches / load}

    @property
    def plane_switches(self) -> tuple[int, ...]:
        """Number of switches in each plane; the planes of Port-Aggregate networks are not built."""
        return (self.cubes.plane_switches,) * len(self.cubes.planes)

    @property
    def published(self) -> tuple[PublishedDesign, ...]:
        """The paper's optimised designs of this size; identical planes are computed here instead."""
        known = published_points(self.cubes.folded, self.cubes.n) if len(self.cubes.planes) == 2 else ()
        return tuple(design for design in known if design.network.startswith("DI-"))

    def evaluator(self, record: Mapping[str, Any]) -> Evaluator | None:
        """Return that of times, or else of cubes."""
        return super().evaluator(record) or (None if self.exact is None else CUBES)

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
