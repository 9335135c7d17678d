"""Connection sets: the generators of a plane over GF(2)^n."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..checks import check_int
from ..errors import InputError
from ..mathematics import gf2

MIN_N, MAX_N = 1, 17  # a dual-plane cube has n = 2..16; its Port-Aggregate baseline has one dimension more


@dataclass(frozen=True)
class ConnectionSet:
    """A set of generators: switch x has a cable to x ⊕ h for every generator h.

    Parameters
    ----------
    n
        Dimension of the space, 1..17.
    generators
        Distinct integers from 1 to 2^n - 1, in any order; kept ascending.

    References
    ----------
    Hosomi et al., Dual-plane Isomorphic Hypercube Networks, 2021, section 2.1: H(p, n).

    Examples
    --------
    >>> ConnectionSet(3, (5, 3, 7)).generators
    (3, 5, 7)
    """

    n: int
    generators: tuple[int, ...]

    def __post_init__(self) -> None:
        check_int("n", self.n, MIN_N, MAX_N)
        if not isinstance(self.generators, (tuple, list)):
            raise InputError(f"generators={self.generators!r}: expected a list of integers")
        for generator in self.generators:
            check_int("generator", generator, 1, (1 << self.n) - 1)
        ascending = tuple(sorted(self.generators))
        duplicate = next((a for a, b in pairwise(ascending) if a == b), None)
        if duplicate is not None:
            raise InputError(
                f"generators={list(self.generators)}: {duplicate} occurs twice; expected distinct generators"
            )
        # Ascending, because the bits of routing values number the generators in this order.
        object.__setattr__(self, "generators", ascending)

    @classmethod
    def unit(cls, n: int) -> "ConnectionSet":
        """Return the unit basis 1, 2, 4, ..., the connection set H(0, n) of plane 0."""
        return cls(n, tuple(1 << i for i in range(n)))

    @classmethod
    def basis(cls, n: int, generators: Iterable[int]) -> "ConnectionSet":
        """Return a connection set that is a basis, so that its plane is a hypercube.

        Raises
        ------
        InputError
            If it is not a basis; the message names a generator and those it depends on.
        """
        connections = cls(n, tuple(generators))
        connections.require_basis()
        return connections

    @property
    def rank(self) -> int:
        """Dimension of the span; the plane is connected if it equals n."""
        return gf2.rank(self.generators)

    @property
    def is_basis(self) -> bool:
        """Whether the plane is a hypercube: n independent generators (section 2.1)."""
        return len(self.generators) == self.n == self.rank

    def require_basis(self) -> None:
        """Raise an `InputError` that gives the reason if this set is not a basis."""
        dependency = gf2.dependency(self.generators)
        if dependency is not None:
            index, others = dependency
            terms = " ^ ".join(str(self.generators[k]) for k in others)
            raise InputError(
                f"generators={list(self.generators)}: not a basis, since {self.generators[index]} = {terms}; "
                f"expected {self.n} independent generators"
            )
        if len(self.generators) != self.n:
            raise InputError(
                f"generators={list(self.generators)}: {len(self.generators)} generators; "
                f"expected {self.n} independent generators"
            )

    def routing_values(self) -> NDArray[np.uint32]:
        """Return r(x) for every offset x = source ⊕ destination, as ``uint32[2^n]``.

        Bit k of r(x) is set when the route takes the k-th smallest generator: the coordinates of x in this basis.

        References
        ----------
        Hosomi et al. 2021, section 2.2 and Table 1.

        Examples
        --------
        >>> ConnectionSet(3, (3, 5, 7)).routing_values().tolist()
        [0, 7, 6, 1, 5, 2, 3, 4]
        """
        self.require_basis()
        values = np.zeros(1 << self.n, dtype=np.uint32)
        for i, coordinates in enumerate(gf2.coordinates_of_units(self.generators)):
            # r is linear: an offset with highest bit i is unit vector i plus an offset that is known already.
            values[1 << i : 2 << i] = values[: 1 << i] ^ np.uint32(coordinates)
        return values
