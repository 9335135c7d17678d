"""Search variables of families, and their limits; the one of a site, its cache, is in `site/routing_cache.py`."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from .checks import check_int, shown
from .errors import InputError

SYMMETRIES = ("auto", "cyclic", "none")
PLACEMENTS = ("by_switch", "by_communication", "free")


class Variable(ABC):
    """A search variable of a network, with limits; its family or its site declares it under a key of the config."""

    outside: ClassVar[str] = ""  # designs of the same parts that no value of the variable gives, for pages

    @property
    @abstractmethod
    def scope(self) -> str:
        """All values of the variable, as a proof covers them: the one place that names them."""

    @abstractmethod
    def within(self, key: str, given: Any) -> Self:
        """Return the variable with the narrower limits given in a config under its key.

        Raises
        ------
        InputError
            If the given value is not a limit, for example a value of the variable itself.
        """


@dataclass(frozen=True)
class BasisVariable(Variable):
    """The generators of plane 1, a basis of GF(2)^n: what the space `ConnectionSets` varies.

    Such a plane is a hypercube that relabels the switches of plane 0 linearly. A bound over all bases says nothing of a
    plane 1 that joins x and y where p(x) ⊕ p(y) is a unit vector and p is any other permutation of the switches.

    Parameters
    ----------
    n
        Dimension.

    Examples
    --------
    >>> BasisVariable(3).within("generators", None)
    BasisVariable(n=3)
    """

    outside: ClassVar[str] = "planes 1 that relabel the switches of plane 0 other than linearly, see docs/planes.md"

    n: int

    @property
    def scope(self) -> str:
        """All bases, in words that need no algebra."""
        return "all linear relabellings of plane 1"

    def within(self, key: str, given: Any) -> Self:
        """Return itself; a basis has no limits."""
        if given is not None:
            raise InputError(f"network.{key}={given}: the search determines them; expected null")
        return self


@dataclass(frozen=True)
class CircuitsVariable(Variable):
    """The circuits of an optical switch.

    Parameters
    ----------
    per_node
        Maximum number of circuits per node: the number of its optical ports.
    max_circuits
        Maximum number of circuits in total.

    Examples
    --------
    >>> CircuitsVariable(per_node=1, max_circuits=4).within("circuits", 3).max_circuits
    3
    """

    per_node: int
    max_circuits: int

    @property
    def scope(self) -> str:
        """All sets of circuits, up to the maximum number."""
        return f"all sets of at most {self.max_circuits} circuits"

    def within(self, key: str, given: Any) -> Self:
        """Return the variable with a lower maximum number of circuits; null keeps the limit.

        Raises
        ------
        InputError
            If circuits are given, or the maximum exceeds the number that the ports allow.
        """
        if isinstance(given, list):
            raise InputError(f"network.{key}={given}: the search determines them; expected their maximum number")
        return (
            self
            if given is None
            else replace(self, max_circuits=check_int(f"network.{key}", given, 0, self.max_circuits))
        )


@dataclass(frozen=True)
class PlacementVariable(Variable):
    """The placement of processes on nodes.

    Parameters
    ----------
    nodes
        Number of nodes, equal to the number of processes.
    by
        ``free``: any permutation; or a rule that fixes the placement, ``by_switch`` (process i on node i) or
        ``by_communication`` (a balanced cut of the traffic).

    Examples
    --------
    >>> PlacementVariable(8).within("placement", "by_switch")
    PlacementVariable(nodes=8, by='by_switch')
    """

    nodes: int
    by: str = "free"

    @property
    def scope(self) -> str:
        """All placements, or the one that a rule gives."""
        return "all placements" if self.by == "free" else "the given placement"

    def within(self, key: str, given: Any) -> Self:
        """Return the variable fixed by a rule, or free."""
        if not isinstance(given, str) or given not in PLACEMENTS:
            shown = given if isinstance(given, str) else "null" if given is None else repr(given)
            raise InputError(f"network.{key}={shown}: expected {', '.join(PLACEMENTS)}")
        return replace(self, by=given)


@dataclass(frozen=True)
class PlacesVariable(Variable):
    """The places that switches have in each plane, by cables also in the first: permutations of the switches.

    Examples
    --------
    >>> PlacesVariable().scope
    'all permutations of the switches'
    """

    @property
    def scope(self) -> str:
        """All permutations."""
        return "all permutations of the switches"

    def within(self, key: str, given: Any) -> Self:
        """Return itself; permutations have no limits."""
        if given is not None:
            raise InputError(f"network.{key}={shown(given)}: the search determines them; expected null")
        return self


@dataclass(frozen=True)
class GraphVariable(Variable):
    """The cables of switches that all have the same number of them: a regular graph.

    Parameters
    ----------
    switches, degree
        Number of switches, and cables of each.
    symmetry
        Groups that act on the graphs without fixed switches: ``none``, none but that of one element; ``cyclic``, those
        and cyclic ones; ``auto``, also semidirect products of two cyclic groups.

    Examples
    --------
    >>> GraphVariable(switches=64, degree=8).within("symmetry", "cyclic").symmetry
    'cyclic'
    """

    switches: int
    degree: int
    symmetry: str = "auto"

    @property
    def scope(self) -> str:
        """All regular graphs, or those with a symmetry."""
        return "all regular graphs"

    def within(self, key: str, given: Any) -> Self:
        """Return the variable with other symmetries."""
        if given is not None and given not in SYMMETRIES:
            raise InputError(f"network.{key}={given}: expected {', '.join(SYMMETRIES)}")
        return self if given is None else replace(self, symmetry=given)


@dataclass(frozen=True)
class HostVariable(Variable):
    """The graph of a `HostGraph`: the number of switches, the nodes at each of them, and the cables of every plane.

    Parameters
    ----------
    least, most
        Range of the number of switches of a plane.
    switches
        The number of switches; None for any.

    Examples
    --------
    >>> HostVariable(least=8, most=64).within("switches", 20).switches
    20
    """

    least: int
    most: int
    switches: int | None = None

    @property
    def scope(self) -> str:
        """All graphs, or those of some switches."""
        any_number = "" if self.switches is None else f" of {self.switches} switches"
        return f"all graphs of nodes and ports{any_number}"

    def within(self, key: str, given: Any) -> Self:
        """Return the variable with a fixed number of switches; null keeps any."""
        return (
            self if given is None else replace(self, switches=check_int(f"network.{key}", given, self.least, self.most))
        )
