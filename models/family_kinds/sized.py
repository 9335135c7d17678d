"""Families whose members can be found for a machine: a number of nodes, the ports of a switch, a throughput."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, ClassVar, ParamSpec, Self, TypeVar, cast

from ..family import Family
from ..site.part_costs import BY_CABLES, PartCosts

if TYPE_CHECKING:  # arrays are slow to import, and named families need none
    from ..topologies.xgft import Shape

Given = ParamSpec("Given")
Item = TypeVar("Item")


class Sized(Family):
    """A family with the members that a comparison considers for a machine, and with bounds on their throughput."""

    most_node_links: ClassVar[int | None] = None  # of a node in a plane, whatever the size; None for no such limit
    few_hops: ClassVar[bool] = False  # of most pairs, for graphs of their degree: searches for such graphs begin there

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self] | None:
        """Yield the minimal members with at least `nodes` nodes and at most `ports` ports per switch, found by formula.

        Minimal: every member that fits is at least as large, in every parameter, as one of these. They are sorted by
        switches, then by ports. None by default: for families whose size is given or does not depend on ports.

        Parameters
        ----------
        nodes
            Least number of places, each for one link of a node: `nodes` of a member, where every node has one. For a
            machine whose nodes have k links in a plane it is k times their number.
        ports
            Most ports that a switch uses, for places and for cables.
        """
        return None

    @classmethod
    def tapered(cls, nodes: int, ports: int, taper: Fraction) -> Iterator[Self] | None:
        """Yield members as in `fitting` whose upper levels carry a fraction of the rate of the nodes below them.

        The taper is the uplinks per place of a leaf, at most 1, rounded up to whole ones. None by default: for families
        without levels.
        """
        return None

    @classmethod
    def candidates(
        cls, nodes: int, ports: int, throughput: Fraction, links: int, costs: PartCosts = BY_CABLES
    ) -> Iterator[Self] | None:
        """Yield members that may be the cheapest with at least a `throughput_bound`, in ascending order of `costs`.

        Candidates chosen for their costs have a multiple of `links` nodes at a switch. None by default: for families
        that have only the sizes of `fitting`.

        Parameters
        ----------
        nodes, ports
            As in `fitting`: places, and ports of a switch.
        throughput
            Least all-to-all throughput of a place, in link capacities, which `throughput_bound` must reach.
        links
            Links of a node in the plane, all at one switch: so many of its places belong to one node.
        costs
            What a switch and a cable cost in the order of the members.
        """
        return None

    @classmethod
    def of_tree(cls, shape: "Shape") -> Self | None:
        """Return the member with the switches and cables of `xgft`, and with no fewer nodes at a leaf; None if none is.

        Parameters
        ----------
        shape
            Children, parents and parallel cables of all levels.

        Raises
        ------
        InputError
            If a number is too large for a member.
        """
        return None

    @property
    def nodes_at_switch(self) -> int | None:
        """Number of nodes at every switch that has any; None if their numbers differ or are unknown."""
        return None

    @property
    def throughput_bound(self) -> Fraction | None:
        """Upper bound on the all-to-all throughput per node link, in link capacities, by formula; None by default."""
        return None

    @property
    def reaches_bound(self) -> bool:
        """Whether its routes have exactly the throughput of `throughput_bound`; False if that is unknown."""
        return False


def kept(sizes: Callable[Given, Iterator[Item]]) -> Callable[Given, tuple[Item, ...]]:
    """Return a function whose last results are kept: a comparison asks for the same sizes in the order of many prices.

    Examples
    --------
    >>> kept(lambda most: iter(range(most)))(3)
    (0, 1, 2)
    """
    listed = lru_cache(maxsize=8)(wraps(sizes)(lambda *given, **named: tuple(sizes(*given, **named))))
    return cast(Callable[Given, tuple[Item, ...]], listed)
