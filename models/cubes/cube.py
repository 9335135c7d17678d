"""Hypercube planes, plain and folded: a topology and its dimension-order routing."""

from dataclasses import dataclass

from ..checks import check_bool
from .connection_set import ConnectionSet


@dataclass(frozen=True)
class Cube:
    """A hypercube plane, plain or folded, given by the connection set of its hypercube.

    Parameters
    ----------
    connections
        A basis of GF(2)^n.
    folded
        Whether each switch x also has a cable to x ⊕ (XOR of all generators), the folded link.

    References
    ----------
    Hosomi et al. 2021, section 2.1: H(p, n) and FH(p, n).

    Examples
    --------
    >>> Cube(ConnectionSet(3, (1, 2, 6)), folded=True).links
    (1, 2, 6, 5)
    """

    connections: ConnectionSet
    folded: bool = False

    def __post_init__(self) -> None:
        check_bool("folded", self.folded)
        self.connections.require_basis()

    @property
    def n(self) -> int:
        """Dimension; the plane has 2^n switches."""
        return self.connections.n

    @property
    def folded_link(self) -> int:
        """XOR of all generators."""
        value = 0
        for generator in self.connections.generators:
            value ^= generator
        return value

    @property
    def links(self) -> tuple[int, ...]:
        """The generators in ascending order, followed by the folded link if there is one."""
        return (*self.connections.generators, *((self.folded_link,) if self.folded else ()))

    def route(self, routing_value: int) -> tuple[int, ...]:
        """Return the links of the shortest route, as indices into `links`, in the order of the route.

        It consists of the set bits of the routing value r in ascending order or, in a folded cube with wt(r) > (n+1)/2,
        of the folded link and then the bits of the complement. In a folded cube with wt(r) = (n+1)/2, it does not use
        the folded link (the paper does not specify this tie).

        References
        ----------
        Hosomi et al. 2021, section 2.2; El-Amawy and Latifi, 1991.

        Examples
        --------
        >>> Cube(ConnectionSet.unit(3)).route(6)
        (1, 2)
        """
        bits = [k for k in range(self.n) if routing_value >> k & 1]
        if self.folded and 2 * len(bits) > self.n + 1:
            return (self.n, *(k for k in range(self.n) if not routing_value >> k & 1))
        return tuple(bits)
