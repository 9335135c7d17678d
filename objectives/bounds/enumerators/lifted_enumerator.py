"""Local enumerators, split weight enumerators relative to a link: a stronger program for the sum of distances.

Let c be a link of plane 0 whose offset is w hops away in plane 1. Separate c from the other links of plane 0, and the w
links of its route in plane 1 from the others. The network has a split weight enumerator X_c for this finer partition.
It satisfies the constraints of every enumerator, is invariant under adding the offset of c to all offsets (the code is
linear), and summed over c it is a multiple of B, because an offset of weight i has i links. The program contains only
X_w = Σ X_c over the links c with the same w, whose number, B[1, w], replaces 1 on the right-hand sides: sums of valid
constraints are valid. Such joint enumerators of two words tighten Delsarte's linear programs for linear codes
(Coregliano, Jeronimo and Jones, A complete linear programming hierarchy for linear codes, 2022); here one of the two
words is a generator or, at greater depth, a sum of a few of them (`lifted_depth.py`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np

from ..linear_program import Integers, ProgramBuilder
from .enumerator import add_enumerator
from .weight_classes import Type, WeightClasses


@dataclass(frozen=True, eq=False)
class LocalEnumerator:
    """X_w: the enumerator of pairs of types relative to the links c whose route in plane 1 has w hops.

    The link may be replaced by any offset c of r hops in plane 0.

    Attributes
    ----------
    first, second
        Weight classes of plane 0 with the r links of the route to c as the first group, the others as the second; of
        plane 1 with the w links of its route as the first group.
    variables : int64[types, types]
        The variable of each pair, -1 if no offset has it.
    """

    first: WeightClasses
    second: WeightClasses
    variables: Integers

    def cells(self, types: Iterable[tuple[Type, Type]]) -> list[int]:
        """Return the variables of the given pairs of types, each pair once and impossible pairs omitted."""
        pairs = {(self.first.canonical(s), self.second.canonical(t)) for s, t in types if min(*s, *t) >= 0}
        positions = [(self.first.index.get(s), self.second.index.get(t)) for s, t in sorted(pairs)]
        cells = [int(self.variables[s, t]) for s, t in positions if s is not None and t is not None]
        return [cell for cell in cells if cell >= 0]


def add_lifted_enumerator(
    builder: ProgramBuilder, classes: WeightClasses, cost: Integers
) -> tuple[Integers, dict[int, LocalEnumerator]]:
    """Add a symmetric B, the local enumerators of all links and the equations between them; return both."""
    enumerator = add_enumerator(builder, classes, classes, cost, symmetric=True)
    local_enumerators = {
        w: add_local_enumerator(builder, classes, int(enumerator[1, w]), w) for w in range(1, len(classes.types))
    }
    tie_to_enumerator(builder, classes, enumerator, local_enumerators)
    _tie_pairs_of_links(builder, local_enumerators)
    _tie_planes(builder, local_enumerators)
    return enumerator, local_enumerators


def add_local_enumerator(
    builder: ProgramBuilder, classes: WeightClasses, count: int, w: int, r: int = 1
) -> LocalEnumerator:
    """Add X_w of the offsets c of r hops in plane 0, with its constraints; `count` is the variable B[r, w]."""
    first = WeightClasses((r, classes.links - r), classes.folded)
    second = WeightClasses((w, classes.links - w), classes.folded)
    local = LocalEnumerator(first, second, _variables(builder, classes, first, second, count))
    cells = local.variables
    for s, size in enumerate(first.sizes):
        builder.add_row([(int(v), 1) for v in cells[s] if v >= 0] + [(count, -int(size))], 0)
    for t, size in enumerate(second.sizes):
        builder.add_row([(int(v), 1) for v in cells[:, t] if v >= 0] + [(count, -int(size))], 0)
    # A dual word is orthogonal to (c, route of c), so its weights on these two groups have equal parity.
    dual = [(u, v) for u in first.dual_types for v in second.dual_types]
    rows = np.array([r for r, (u, v) in enumerate(dual) if sum(u) and sum(v) and (u[0] + v[0]) % 2 == 0])
    # Cells that share a variable become neighbours, so that `reduceat` can add their columns.
    order = np.argsort(cells, axis=None, kind="stable")
    variables, starts = np.unique(cells.ravel()[order], return_index=True)
    transform = np.kron(first.characters, second.characters)[np.ix_(rows, order)]
    present = variables >= 0
    summed = np.add.reduceat(transform, starts, axis=1)[:, present]  # over the cells of each variable
    builder.add_block(summed, variables[present], [0] * len(rows), equation=False)
    return local


def _variables(
    builder: ProgramBuilder, classes: WeightClasses, first: WeightClasses, second: WeightClasses, count: int
) -> Integers:
    """Return the variables of a local enumerator; an offset x and x ⊕ c share one.

    Adding c flips the weights on the first groups to r - a and w - j. The upper bound of a cell is the number of
    offsets c times the number of offsets of either type, in the finer or the coarser partition, whichever is smallest.
    """
    (r, _), (w, _) = first.groups, second.groups
    shifted_first = [first.index[first.canonical((r - a, i))] for a, i in first.types]
    shifted_second = [second.index[second.canonical((w - j, k))] for j, k in second.types]
    cells = np.full((len(first.types), len(second.types)), -1, dtype=np.int64)
    # Offset 0 and c itself occur once for each offset c that X_w sums over.
    cells[0, 0] = cells[shifted_first[0], shifted_second[0]] = count
    offsets = int(classes.sizes[r])
    for s in range(1, len(first.types)):
        for t in range(1, len(second.types)):
            # Only offset 0 has zero hops in a plane, and only c has zero hops after adding c.
            if cells[s, t] < 0 and (s != shifted_first[0] and t != shifted_second[0]):
                refined = min(int(first.sizes[s]), int(second.sizes[t]))
                coarse = min(int(classes.sizes[sum(first.types[s])]), int(classes.sizes[sum(second.types[t])]))
                cells[s, t] = cells[shifted_first[s], shifted_second[t]] = builder.add_variable(
                    offsets * min(refined, coarse)
                )
                if self_complementary(w, second):
                    swapped = second.index[second.canonical(second.types[t][::-1])]
                    cells[s, swapped] = cells[shifted_first[s], shifted_second[swapped]] = cells[s, t]
    return cells


def tie_to_enumerator(
    builder: ProgramBuilder, classes: WeightClasses, enumerator: Integers, local_enumerators: dict[int, LocalEnumerator]
) -> None:
    """Add Σ_w X_w = m · B for each type of plane 0 and distance in plane 1.

    Double counting of pairs (c, x): m is the number of offsets c of r hops whose route shares a links with that of a
    given offset x of h = a + i hops, C(h, a) · C(links - h, r - a).
    """
    first = local_enumerators[1].first
    r, others = first.groups
    multiplicity = np.zeros(len(first.types), dtype=np.int64)
    for hops in range(1, len(classes.types)):
        for a in range(min(r, hops) + 1):
            if hops - a <= others:
                choices = comb(hops, a) * comb(classes.links - hops, r - a)
                multiplicity[first.index[first.canonical((a, hops - a))]] += choices
    for s, (a, i) in enumerate(first.types[1:], start=1):
        for distance in range(1, len(classes.types)):
            parts = [
                (int(local.variables[s, t]), 1)
                for local in local_enumerators.values()
                for t in np.flatnonzero(local.second.distances == distance)
                if local.variables[s, t] >= 0
            ]
            builder.add_row([*parts, (int(enumerator[a + i, distance]), -int(multiplicity[s]))], 0)


def self_complementary(w: int, second: WeightClasses) -> bool:
    """Whether the w links and their complement are both routes to c; X_w is then the mean over both."""
    return second.folded and 2 * w == second.links


def _tie_pairs_of_links(builder: ProgramBuilder, local_enumerators: dict[int, LocalEnumerator]) -> None:
    """Equate the counts of pairs of links of plane 0 whose routes, of w and v hops, share t links: either may be c."""
    for w, local in local_enumerators.items():
        for v, other in local_enumerators.items():
            # For v = w the two sides are the same, and v > w repeats the equations of v < w.
            for t in range(v + 1 if v < w else 0):
                common = {t, v - t} if self_complementary(w, local.second) else {t}
                left = local.cells(((0, 1), (shared, v - shared)) for shared in common)
                right = other.cells(((0, 1), (shared, w - shared)) for shared in common)
                add_equality(builder, left, right)


def _tie_planes(builder: ProgramBuilder, local_enumerators: dict[int, LocalEnumerator]) -> None:
    """Equate the counts of pairs of a link c of plane 0 and a link d of plane 1 before and after exchanging the planes.

    The route of c in plane 1 has w hops, with or without d; the route of d in plane 0 has v hops, with or without c.
    """
    for w, local in local_enumerators.items():
        for v, other in local_enumerators.items():
            for c, d in ((0, 0), (0, 1), (1, 0), (1, 1)):
                uses = list(
                    product(
                        (0, 1) if self_complementary(v, local.second) else (c,),
                        (0, 1) if self_complementary(w, local.second) else (d,),
                    )
                )
                left = local.cells(((of_c, v - of_c), (of_d, 1 - of_d)) for of_c, of_d in uses)
                right = other.cells(((of_d, w - of_d), (of_c, 1 - of_c)) for of_c, of_d in uses)
                # (v, c) and (w, d) exchange roles with the planes, so half of the pairs give all equations.
                if (v, c) < (w, d):
                    add_equality(builder, left, right)


def add_equality(builder: ProgramBuilder, left: list[int], right: list[int]) -> None:
    """Add an equation between two sums of variables."""
    if left != right:
        builder.add_row([(v, 1) for v in left] + [(v, -1) for v in right], 0)
