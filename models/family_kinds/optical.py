"""Base class of families with an optical switch: groups of nodes on a packet network, and circuits between groups."""

from abc import abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..checks import fraction_of
from ..errors import InputError
from ..family import Family
from ..network import Network
from ..optical_switch import OpticalSwitch
from ..search_variables import CircuitsVariable, PlacementVariable, Variable
from ..site.site import Site

Number = TypeVar("Number", np.int64, np.float64)

MAX_PORTS = 64


class OpticalFamily(Family):
    """A packet network and a non-blocking optical switch, with links to every node.

    Node i is in group i // `nodes_per_group`. Inside a group messages take the packet network, between groups they take
    circuits if any connect them. Concrete families are frozen dataclasses.
    """

    kind: ClassVar[str] = "circuits"
    design_keys: ClassVar[tuple[str, ...]] = ("circuits", "placement")
    baseline_title = "packets only"

    @property
    @abstractmethod
    def groups(self) -> int:
        """Number of groups."""

    @property
    @abstractmethod
    def nodes_per_group(self) -> int:
        """Number of nodes of each group."""

    @property
    @abstractmethod
    def ports_per_node(self) -> int:
        """Maximum number of circuits per node at a time."""

    @property
    @abstractmethod
    def circuit_gbps(self) -> float | Fraction:
        """Rate of a circuit in each direction."""

    @property
    @abstractmethod
    def circuit_ns(self) -> float | Fraction:
        """Delay of a circuit from node to node."""

    @property
    @abstractmethod
    def packet_bytes(self) -> int:
        """Maximum packet length."""

    @abstractmethod
    def inside_cost(self, site: Site) -> Fraction:
        """Return the routing cost of a segment inside a group, in ns per bit: the sum of 1 / rate over its links."""

    @abstractmethod
    def max_node_gbps(self, site: Site) -> Fraction:
        """Return an upper bound on the rate at which the packet network takes traffic from or to a node, in Gbit/s."""

    @property
    def variables(self) -> Mapping[str, Variable]:
        """The circuits, up to the number that the ports allow, and the placement of processes."""
        circuits = CircuitsVariable(self.ports_per_node, self.max_circuits)
        return {"circuits": circuits, "placement": PlacementVariable(self.nodes)}

    @cached_property
    def optical(self) -> OpticalSwitch:
        """The optical switch, which joins nodes of different groups."""
        return OpticalSwitch(tuple(self.group.tolist()), self.ports_per_node, self.circuit_gbps, self.circuit_ns)

    @property
    def max_circuits(self) -> int:
        """Maximum number of circuits."""
        return self.optical.max_circuits

    def group_of(self, node: int) -> int:
        """Return the group of a node."""
        return node // self.nodes_per_group

    @property
    def group(self) -> NDArray[np.int64]:
        """Group of every node."""
        return np.arange(self.nodes) // self.nodes_per_group

    def between_groups(self, matrix: NDArray[Number]) -> NDArray[Number]:
        """Sum a node-to-node matrix over pairs of groups.

        Examples
        --------
        >>> from ..families.hybrid import Hybrid
        >>> Hybrid(2, 2).between_groups(np.arange(16).reshape(4, 4)).tolist()
        [[10, 18], [42, 50]]
        """
        size = self.nodes_per_group
        sums: NDArray[Number] = matrix.reshape(self.groups, size, self.groups, size).sum(axis=(1, 3))
        return sums

    @property
    def circuit_cost(self) -> Fraction:
        """Routing cost of a circuit, in ns per bit."""
        return 1 / fraction_of(self.circuit_gbps)

    @property
    def rates_text(self) -> str:
        """The config keys and values of the rates that routing costs depend on, for messages."""
        return f"network.circuit_gbps={self.circuit_gbps}"


def refuse_circuits(family: Family | type[Family], refusal: str) -> None:
    """Raise an `InputError` with the text of a refusal if networks of a family have circuits."""
    if family.kind == OpticalFamily.kind:
        raise InputError(refusal)


def optical_of(network: Network) -> OpticalFamily:
    """Return the family of a network with an optical switch; raise an `InputError` if it has none."""
    if not isinstance(network.family, OpticalFamily):
        raise InputError(f"network.family={network.name}: expected networks with circuits")
    return network.family
