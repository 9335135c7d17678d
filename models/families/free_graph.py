"""Regular graphs of switches that a search chooses."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, ClassVar, Self

import numpy as np

from ..arrays import Ints
from ..checks import Metres, check_int, shown
from ..errors import InputError
from ..family_kinds.routed import RoutedFamily
from ..mathematics.automorphisms import canonical_graph
from ..mathematics.random_graphs import MIN_DEGREE, random_regular_edges
from ..network import Network
from ..planes.topology import Topology
from ..search_variables import GraphVariable, Variable
from ..topologies import graph

MAX_SWITCHES, MAX_DEGREE = 4096, 512
MAX_COMPARED = 2048  # switches of a graph that is told from others: symmetric ones of many can take long


@dataclass(frozen=True, kw_only=True)
class FreeGraph(RoutedFamily):
    """Switches joined by any regular graph, which a search finds; further parameters as in `UniformFamily`.

    Parameters
    ----------
    switches
        Number of switches, from 4 to 4,096.
    degree
        Cables of every switch, from 3 to `switches` - 1; even if the number of switches is odd.
    edges
        Pairs of switches, in either order; None for the random graph of seed 1 (`RandomRegular`), with which searches
        compare.
    routing
        A routing for any topology, as in `Graph`.

    References
    ----------
    Graph Golf: The Order/degree Problem Competition, National Institute of Informatics, 2015 to 2022.

    Examples
    --------
    >>> FreeGraph(switches=10, degree=3).cables
    15
    """

    name: ClassVar[str] = "free_graph"
    baseline_title = "random graph"

    switches: int = 64
    degree: int = 8
    edges: tuple[tuple[int, int], ...] | None = None
    routing: str = "balanced"
    assumed_cable_m: Metres | None = 5.0
    nodes_per_switch: int = 1
    node_cable_m: Metres | None = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("network.switches", self.switches, MIN_DEGREE + 1, MAX_SWITCHES)
        check_int("network.degree", self.degree, MIN_DEGREE, min(self.switches - 1, MAX_DEGREE))
        if self.switches * self.degree % 2:
            nearest = [each for each in (self.degree - 1, self.degree + 1) if MIN_DEGREE <= each <= MAX_DEGREE]
            raise InputError(
                f"network.degree={self.degree}: expected {' or '.join(map(str, nearest))}, an even number, for "
                f"{self.switches} switches"
            )
        if self.edges is None:
            # In the order of `RandomRegular`, which has the same ports then, and the same routes.
            pairs = np.sort(random_regular_edges(self.switches, self.degree, seed=1), axis=1)
            object.__setattr__(self, "edges", tuple((int(one), int(other)) for one, other in pairs))
        self._check_edges()

    def _check_edges(self) -> None:
        pairs = self.pairs
        if pairs.ndim == 2 and (pairs[:, 0] > pairs[:, -1]).any():
            # Each graph has one form in records: the lower switch of a pair is first.
            object.__setattr__(self, "edges", tuple((min(pair), max(pair)) for pair in pairs.tolist()))
            del self.__dict__["pairs"]
            pairs = self.pairs
        if pairs.shape != (self.cables, 2) or pairs.min() < 0 or pairs.max() >= self.switches:
            raise InputError(f"network.edges: expected {self.cables} pairs of switches from 0 to {self.switches - 1}")
        wrong = np.flatnonzero(np.bincount(pairs.ravel(), minlength=self.switches) != self.degree)
        if wrong.size:
            raise InputError(f"network.edges: switch {wrong[0]} has another number of cables; expected {self.degree}")
        found, times = np.unique(pairs, axis=0, return_counts=True)
        refused = [*pairs[pairs[:, 0] == pairs[:, 1]].tolist(), *found[times > 1].tolist()]
        if refused:
            raise InputError(f"network.edges={refused[0]}: expected different pairs of two switches")
        self.topology().require_connected()

    @cached_property
    def pairs(self) -> Ints:
        """The edges, as ``int64[cables, 2]``."""
        return np.array(self.edges, dtype=np.int64)

    @property
    def size_label(self) -> str:
        """Switches, and cables of each to others."""
        return f"{self.switches}x{self.degree}"

    @property
    def baseline(self) -> Self:
        """The random graph of the same size."""
        return replace(self, edges=None)

    @property
    def variables(self) -> Mapping[str, Variable]:
        """The graph, whose symmetries can be limited."""
        return {"symmetry": GraphVariable(self.switches, self.degree)}

    def class_key(self) -> Any:
        """Return the canonical form of the graph; None for a large one."""
        if self.switches > MAX_COMPARED:
            return None
        edges, _ = canonical_graph(self.pairs, [0] * self.switches)
        return [self.name, self.switches, self.nodes_per_switch, sha256(edges).hexdigest()]

    def topology(self) -> Topology:
        """Return the switches and their cables; ports are in the order of the edges."""
        return graph(self.pairs, self.switches)

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Self:
        """Return the graph of a record, or of a config, whose ``symmetry`` only limits a search."""
        values = dict(keys)
        GraphVariable(0, 0).within("symmetry", values.pop("symmetry", None))
        if values.get("edges") is not None:
            values["edges"] = _pairs_of(values["edges"])
        return super().read(values)


def free_graph_of(network: Network, source: str = "") -> FreeGraph:
    """Return the family of a network that is a regular graph, of any edges; errors begin with its source."""
    if not isinstance(network.family, FreeGraph):
        raise InputError(f"{source}network={network.name}: expected {FreeGraph.name}")
    return network.family


def _pairs_of(edges: Any) -> tuple[tuple[int, int], ...]:
    """Return the edges of a record or a config, which have to be pairs of integers."""
    if isinstance(edges, (list, tuple)) and all(
        isinstance(edge, (list, tuple)) and [type(end) for end in edge] == [int, int] for edge in edges
    ):
        return tuple((one, other) for one, other in edges)
    raise InputError(f"network.edges={shown(edges)}: expected pairs of switches")
