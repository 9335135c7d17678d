"""Single-plane hypercubes with cables of a given length, mainly as direct networks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from numpy.typing import ArrayLike

from ..checks import check_bool, check_int
from ..cubes.connection_set import MAX_N, ConnectionSet
from ..cubes.cube import Cube
from ..errors import InputError
from ..exchanges.all_to_all import ExchangeOrder
from ..exchanges.contention_free import whole_blocks
from ..exchanges.exchange_orders import order_named
from ..family_kinds.routed import RoutedFamily
from ..planes.routes import Routes
from ..planes.topology import Topology
from ..routing import dimension_order
from ..topologies import cube_topology


@dataclass(frozen=True, kw_only=True)
class DirectHypercube(RoutedFamily):
    """A hypercube, plain or folded, whose cables have a given length; further parameters as in `UniformFamily`.

    It is the binary n-cube of the literature on direct networks. `Hypercube` and `FoldedHypercube`, in contrast, are
    indirect networks whose cable lengths follow from the layout.

    Parameters
    ----------
    n
        Dimension, 1..17; at least 2 if folded.
    folded
        Whether each switch x also has a cable to x ⊕ (XOR of all generators), the folded link.
    generators
        A basis of GF(2)^n, kept ascending: switch x has a cable to x ⊕ g for each generator g. None for 1, 2, 4, ...
    routing
        ``dimension_order``: generators in ascending order; or a routing for any topology, as in `Graph`.

    References
    ----------
    Saad and Schultz, Topological Properties of Hypercubes, 1988; El-Amawy and Latifi, Properties and Performance of
    Folded Hypercubes, 1991.

    Examples
    --------
    >>> DirectHypercube(n=12).nodes, DirectHypercube(n=12).cables
    (4096, 24576)
    """

    name: ClassVar[str] = "direct_hypercube"

    n: int = 8
    folded: bool = False
    generators: tuple[int, ...] | None = None
    routing: str = "dimension_order"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_bool("network.folded", self.folded)
        check_int("network.n", self.n, 1 + self.folded, MAX_N)
        generators = self.generators
        connections = ConnectionSet.unit(self.n) if generators is None else ConnectionSet(self.n, generators)
        connections.require_basis()
        object.__setattr__(self, "generators", connections.generators)

    @property
    def cube(self) -> Cube:
        """The plane as a cube."""
        return Cube(ConnectionSet(self.n, self.generators or ()), self.folded)

    @property
    def switches(self) -> int:
        """Number of switches, 2^n."""
        return 1 << self.n

    @property
    def degree(self) -> int:
        """One per generator, and one for the folded link."""
        return self.n + self.folded

    @property
    def size_label(self) -> str:
        """The dimension n, of 2^n switches, and whether it is folded."""
        return f"n={self.n}{', folded' if self.folded else ''}"

    def topology(self) -> Topology:
        """Return the switches and their cables; ports follow the generators, the folded link last."""
        return cube_topology(self.cube)

    def own_routings(self) -> Mapping[str, Callable[[], Routes]]:
        """Return the routing of the family."""
        return {"dimension_order": lambda: dimension_order(self.cube)}

    def contention_free_order(self, nodes: ArrayLike | None = None) -> ExchangeOrder:
        """Return the XOR order of all nodes, one at each switch.

        In a phase, all routes cross the same generators in the same order, each once. So the messages that cross one
        are at different switches.
        """
        for key, given, needed in (
            ("nodes_per_switch", self.nodes_per_switch, 1),
            ("routing", self.routing, "dimension_order"),
        ):
            if given != needed:
                raise InputError(f"network.{key}={given}: no contention-free order; expected {needed}")
        whole_blocks(nodes, self.nodes, self.nodes, "network")
        return order_named("xor", range(self.nodes))
