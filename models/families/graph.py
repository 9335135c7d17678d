"""Arbitrary graphs of switches, with a routing for any topology."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..checks import shown
from ..errors import InputError
from ..family_kinds.routed import RoutedFamily
from ..files.graph_files import read_edges
from ..planes.topology import Topology
from ..topologies import graph, graph_cables_mm
from ..topologies.graph import Edge, require_cables_once

EDGES = "network.edges"


@dataclass(frozen=True, kw_only=True)
class Graph(RoutedFamily):
    """Switches connected by the edges of a graph; further parameters as in `UniformFamily`.

    A config names a graph file (`graph_files.read_edges`) or has the edges; a record holds the edges themselves.

    Parameters
    ----------
    edges
        Pairs of switches, or triples with the cable length in metres; the default length is `assumed_cable_m`.
    routing
        ``up_down``, which is deadlock-free; ``shortest``: shortest paths, ties broken by the lowest port;
        ``hop_classes``: the same paths, with a separate class of virtual channels per hop; ``balanced``: shortest paths
        that spread the traffic (`balanced_table`), with the same classes.

    Examples
    --------
    >>> Graph(edges=((0, 1), (1, 2), (2, 0))).cables
    3
    """

    name: ClassVar[str] = "graph"

    edges: tuple[Edge, ...]
    routing: str = "up_down"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.assumed_cable_m is None and any(len(edge) == 3 for edge in self.edges):
            raise InputError("network.assumed_cable_m=null: expected a length, because edges have lengths of their own")
        self.topology().require_connected()  # here, and not when it is built, so that a config is refused at once

    @property
    def switches(self) -> int:
        """Number of switches: one more than the highest id."""
        return 1 + max(max(edge[:2]) for edge in self.edges)

    @property
    def degree(self) -> int:
        """Maximum degree."""
        return int(np.bincount(np.array([edge[:2] for edge in self.edges]).ravel()).max())

    @property
    def cables(self) -> int:
        """Number of edges."""
        return len(self.edges)

    @property
    def size_label(self) -> str:
        """The number of switches."""
        return f"of {self.switches} switches"

    def topology(self) -> Topology:
        """Return the switches and their cables; ports are in the order of the edges."""
        return graph(self.edges, name=EDGES)

    def cables_mm(self, topology: Topology) -> NDArray[np.int64]:
        """Return the given length of the cable at each port, ``int64[switches, ports]``; edges may state their own."""
        if self.assumed_cable_m is None:
            return super().cables_mm(topology)
        edges = [edge if len(edge) == 3 else (*edge, self.assumed_cable_m) for edge in self.edges]
        return graph_cables_mm(edges, name=EDGES)

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Self:
        """Return the graph of a record, which has edges, or of a config, which names a file."""
        values = dict(keys)
        is_config, file, given = "file" in values, values.pop("file", None), values.get("edges")
        if file is not None:
            if given is not None:
                raise InputError(f"network.file={file}: {EDGES} is given, too; expected one of them")
            values["edges"] = read_edges(str(file))
        elif given is None:
            raise InputError(f"network.file=null: expected an edge list or a GraphML file, or {EDGES}, a list")
        elif not isinstance(given, (list, tuple)):
            file = "; a file is network.file=" if isinstance(given, str) else ""
            raise InputError(f"{EDGES}={shown(given)}: expected a list of pairs of switches{file}")
        else:
            values["edges"] = tuple(tuple(edge) if isinstance(edge, list) else edge for edge in given)
            # What is no pair of numbers is refused with all other edges.
            if is_config and all(isinstance(edge, tuple) and _is_pair(edge) for edge in values["edges"]):
                require_cables_once(EDGES, [edge[:2] for edge in values["edges"]])
        return super().read(values)


def _is_pair(edge: tuple[Any, ...]) -> bool:
    return len(edge) > 1 and all(isinstance(end, int) for end in edge[:2])
