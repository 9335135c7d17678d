"""Variables: what a search may vary of a network, and within which limits."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Self

from .checks import check_int
from .errors import InputError

PLACEMENTS = ("by_switch", "by_communication", "free")


class Variable(ABC):
    """What a search may vary of a network, within limits; the family declares it under a key of its config."""

    @abstractmethod
    def within(self, key: str, given: Any) -> Self:
        """Return the variable within the narrower limits that a config gives under its key.

        Raises
        ------
        InputError
            If that is no limit, such as a value that the search is to find.
        """


@dataclass(frozen=True)
class BasisVariable(Variable):
    """The generators of a plane: a basis of GF(2)^n.

    Parameters
    ----------
    n
        Dimension.

    Examples
    --------
    >>> BasisVariable(3).within("generators", None)
    BasisVariable(n=3)
    """

    n: int

    def within(self, key: str, given: Any) -> Self:
        """Return itself: nothing narrows it.

        Raises
        ------
        InputError
            If generators are given.
        """
        if given is not None:
            raise InputError(f"network.{key}={given}: a search finds them; expected null")
        return self


@dataclass(frozen=True)
class CircuitsVariable(Variable):
    """The circuits of an optical switch.

    Parameters
    ----------
    per_node
        Most circuits at a node: its ports.
    most
        Most circuits in all.

    Examples
    --------
    >>> CircuitsVariable(per_node=1, most=4).within("circuits", 3).most
    3
    """

    per_node: int
    most: int

    def within(self, key: str, given: Any) -> Self:
        """Return the same with at most so many circuits; null leaves the limit as it is.

        Raises
        ------
        InputError
            If circuits are given, or more of them are allowed than there are ports for.
        """
        if isinstance(given, list):
            raise InputError(f"network.{key}={given}: a search finds them; expected how many there are at most")
        return self if given is None else replace(self, most=check_int(f"network.{key}", given, 0, self.most))


@dataclass(frozen=True)
class PlacementVariable(Variable):
    """The placement of processes on nodes.

    Parameters
    ----------
    nodes
        As many as processes.
    by
        ``free``: any permutation; or the rule that fixes it, ``by_switch`` (process i on node i) or
        ``by_communication`` (a balanced cut of the traffic).

    Examples
    --------
    >>> PlacementVariable(8).within("placement", "by_switch")
    PlacementVariable(nodes=8, by='by_switch')
    """

    nodes: int
    by: str = "free"

    def within(self, key: str, given: Any) -> Self:
        """Return the same, fixed by a rule or free.

        Raises
        ------
        InputError
            If there is no such rule.
        """
        if not isinstance(given, str) or given not in PLACEMENTS:
            shown = given if isinstance(given, str) else "null" if given is None else repr(given)
            raise InputError(f"network.{key}={shown}: expected {', '.join(PLACEMENTS)}")
        return replace(self, by=given)
