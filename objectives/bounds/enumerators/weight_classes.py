"""Weight classes: vectors grouped by their weights on groups of coordinates, and their character sums."""

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

Type = tuple[int, ...]


def krawtchouk(n: int) -> NDArray[np.int64]:
    """Return the Krawtchouk numbers K_k(i) of length n as ``int64[n + 1, n + 1]``.

    K_k(i) = Σ_a (-1)^a C(i, a) C(n - i, k - a) is the sum of (-1)^<u, x> over the vectors u of weight k, where x has
    weight i.

    References
    ----------
    MacWilliams and Sloane, The Theory of Error-Correcting Codes, chapter 5, section 2.

    Examples
    --------
    >>> krawtchouk(2).tolist()
    [[1, 1, 1], [2, 0, -2], [1, -1, 1]]
    """
    terms = [
        [sum((-1) ** a * comb(i, a) * comb(n - i, k - a) for a in range(k + 1)) for i in range(n + 1)]
        for k in range(n + 1)
    ]
    return np.array(terms, dtype=np.int64)


@dataclass(frozen=True)
class WeightClasses:
    """Offsets classified by the weights of their routes in one plane on groups of its links.

    A plain cube has n links, and an offset is a vector of GF(2)^n. A folded cube has n + 1 links whose XOR is zero, so
    an offset is a vector of GF(2)^(n+1) or its complement, whichever is lighter. The type of an offset is the tuple of
    these weights; products of Krawtchouk numbers are the character sums over all vectors of a type.

    Parameters
    ----------
    groups
        Number of links in each group.
    folded
        Whether a vector and its complement are the same offset.
    """

    groups: tuple[int, ...]
    folded: bool

    @property
    def links(self) -> int:
        """Number of links of the plane."""
        return sum(self.groups)

    def canonical(self, weights: Type) -> Type:
        """Return the type of a vector with these weights: in a folded plane the lighter of the two complements."""
        if not self.folded:
            return weights
        complement = tuple(size - weight for size, weight in zip(self.groups, weights, strict=True))
        # Two complements of half weight are equally light: the smaller tuple makes the choice unique.
        return min((weights, complement), key=lambda candidate: (sum(candidate), candidate))

    @cached_property
    def types(self) -> tuple[Type, ...]:
        """All types, the type of offset 0 first."""
        return tuple(t for t in self._all_weights if self.canonical(t) == t)

    @cached_property
    def index(self) -> dict[Type, int]:
        """Index of each type in `types`."""
        return {t: k for k, t in enumerate(self.types)}

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Number of offsets of each type."""
        sizes = np.zeros(len(self.types), dtype=np.int64)
        for t in self._all_weights:
            sizes[self.index[self.canonical(t)]] += prod(map(comb, self.groups, t))
        # Each offset of a folded plane was counted by both of its vectors.
        return sizes // (1 + self.folded)

    @cached_property
    def distances(self) -> NDArray[np.int64]:
        """Hops to an offset of each type."""
        return np.array([sum(t) for t in self.types], dtype=np.int64)

    @cached_property
    def dual_types(self) -> tuple[Type, ...]:
        """Types of dual codewords; in a folded cube orthogonal to the all-ones word, hence of even weight."""
        return tuple(t for t in self._all_weights if not (self.folded and sum(t) % 2))

    @cached_property
    def characters(self) -> NDArray[np.int64]:
        """Σ (-1)^<u, x> over all u of a dual type, for x of each type, ``int64[dual types, types]``."""
        table = np.ones((1, 1), dtype=np.int64)
        for size in self.groups:
            table = np.kron(table, krawtchouk(size))
        weights = self._all_weights
        # Only words u of even weight give a vector and its complement, one offset, the same sign.
        rows = [k for k, t in enumerate(weights) if not (self.folded and sum(t) % 2)]
        columns = [k for k, t in enumerate(weights) if self.canonical(t) == t]
        return table[np.ix_(rows, columns)]

    @cached_property
    def _all_weights(self) -> tuple[Type, ...]:
        return tuple(product(*(range(size + 1) for size in self.groups)))
