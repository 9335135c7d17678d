"""Split weight enumerator of a dual-plane cube, as variables and rows of a linear program."""

from itertools import combinations_with_replacement, permutations
from math import comb, factorial, prod
from typing import NamedTuple

import numpy as np

from ..linear_program import Integers, LinearProgram, ProgramBuilder
from .weight_classes import WeightClasses


def cube_classes(n: int, folded: bool) -> WeightClasses:
    """Return the weight classes of a plane whose links form a single group."""
    return WeightClasses((n + folded,), folded)


def distance_costs(first: WeightClasses, second: WeightClasses) -> Integers:
    """Return the distance in the nearer plane of an offset of each pair of types."""
    return np.minimum.outer(first.distances, second.distances)


def add_enumerator(
    builder: ProgramBuilder, first: WeightClasses, second: WeightClasses, cost: Integers, symmetric: bool = False
) -> Integers:
    """Add B[s, t], the number of offsets of type s in plane 0 and type t in plane 1, and its linear constraints.

    The pairs (r_0(x), r_1(x)) are the words of a linear code. The number of offsets of each type in a single plane is
    known, which fixes the sums of rows and columns; offset 0 is the only one with zero hops in a plane; and the
    MacWilliams transform Σ B[s, t] K_k(s) K_l(t) is 2^n times the number of words of types k, l of the dual code, hence
    non-negative (Delsarte's inequalities).

    Parameters
    ----------
    builder
        Receives the variables and rows.
    first, second
        Plane 0 and plane 1.
    cost
        Cost of B[s, t]; symmetric if `symmetric`.
    symmetric
        Whether B[s, t] = B[t, s]: B is then the mean over a network and the same network with its planes exchanged.

    Returns
    -------
    int64[types, types]
        The variable of each B[s, t], -1 where either type is that of offset 0.

    References
    ----------
    MacWilliams and Sloane, The Theory of Error-Correcting Codes, chapter 5, section 6 (split weight enumerators).
    Delsarte, An algebraic approach to the association schemes of coding theory, 1973.
    """
    upper = np.minimum.outer(first.sizes, second.sizes)
    variables = np.full(upper.shape, -1, dtype=np.int64)
    for s in range(1, len(first.types)):
        for t in range(s if symmetric else 1, len(second.types)):
            # One variable stands for both B[s, t] and B[t, s], so its cost has to count twice.
            multiplicity = 2 if symmetric and s != t else 1
            variables[s, t] = builder.add_variable(int(upper[s, t]), int(cost[s, t]) * multiplicity)
            if symmetric:
                variables[t, s] = variables[s, t]
    inner = variables[1:, 1:]
    for s, size in enumerate(first.sizes[1:]):
        builder.add_row([(v, 1) for v in inner[s]], int(size))
    # The columns of a symmetric B are its rows again.
    for t, size in enumerate(second.sizes[1:] if not symmetric else []):
        builder.add_row([(v, 1) for v in inner[:, t]], int(size))
    transform = np.kron(first.characters, second.characters)
    pairs = np.add.outer(np.arange(1, len(first.types)) * len(second.types), np.arange(1, len(second.types)))
    # Dual words of weight zero in either plane give the sums of rows and columns again.
    dual = [(u, v) for u in range(len(first.dual_types)) for v in range(len(second.dual_types))]
    rows = np.array([r for r, (u, v) in enumerate(dual) if u and v and not (symmetric and u > v)])
    # B[0, 0] = 1 is no variable, so its part of the transform moves to the right-hand side.
    rhs = [-int(value) for value in transform[rows, 0]]
    builder.add_block(transform[np.ix_(rows, pairs.ravel())], inner.ravel(), rhs, equation=False)
    return variables


def sum_program(n: int, folded: bool) -> LinearProgram:
    """Return a linear program whose minimum is a lower bound on the sum of distances.

    Examples
    --------
    >>> len(sum_program(3, False).cost)  # B[i, j] = B[j, i] for i, j = 1..3
    6
    """
    builder, classes = ProgramBuilder(), cube_classes(n, folded)
    add_enumerator(builder, classes, classes, distance_costs(classes, classes), symmetric=True)
    return builder.build()


def pair_program(n: int, folded: tuple[bool, bool], weights: tuple[int, int] | None = None) -> LinearProgram:
    """Return the linear program of `sum_program` for two planes, each folded or not, or one of their loads.

    Its minimum is a lower bound on the sum of distances or, with weights, on w_0 H_0 + w_1 H_1, where H_p are twice the
    hops in plane p of packets to all offsets, of which the nearer plane takes all, and equally near ones half.

    Examples
    --------
    >>> len(pair_program(3, (False, True)).cost)  # B[i, j] for i = 1..3, j = 1..2
    6
    """
    builder, (first, second) = ProgramBuilder(), (cube_classes(n, is_folded) for is_folded in folded)
    cost = distance_costs(first, second)
    if weights is not None:
        hops, others = np.meshgrid(first.distances, second.distances, indexing="ij")
        cost = weights[0] * hops * (1 + np.sign(others - hops)) + weights[1] * others * (1 + np.sign(hops - others))
    add_enumerator(builder, first, second, cost)
    return builder.build()


class _Kind(NamedTuple):
    """Some planes of a kind: the multisets of types that an offset can have in them, and those of dual words."""

    hops: Integers  # of each multiset in the nearest plane; more than any if there is no plane
    upper: Integers  # of the offsets of each multiset
    counts: list[Integers]  # of each type in the multisets
    offsets: list[int]  # of each type, added up over the planes
    words: Integers  # of each multiset of dual words, those that are not zero
    transform: Integers  # of these by the multisets of offsets, added up over the orders of the planes
    of_zero: Integers  # that of offset 0


def _kind(classes: WeightClasses, planes: int) -> _Kind:
    several = [
        list(combinations_with_replacement(types, planes))
        for types in (range(1, len(classes.types)), range(len(classes.dual_types)))
    ]
    sets, dual = (np.array(each, dtype=np.int64).reshape(len(each), planes) for each in several)
    matrix = np.zeros((len(dual), len(sets)), dtype=np.int64)
    for order in permutations(range(planes)):
        term = np.ones_like(matrix)
        for word, place in zip(dual.T, order, strict=True):
            term *= classes.characters[np.ix_(word, sets[:, place])]
        matrix += term
    counts = [(sets == t).sum(axis=1) for t in range(1, len(classes.types))] if planes else []
    offsets = [planes * int(size) for size in classes.sizes[1:]] if planes else []
    none = int(classes.sizes.sum())  # above any number of hops or offsets
    most = [
        min((-(-planes * int(classes.sizes[t]) // each.count(t)) for t in each), default=none) for each in several[0]
    ]
    return _Kind(
        classes.distances[sets].min(axis=1, initial=none), np.array(most), counts, offsets,
        (dual > 0).sum(axis=1), matrix, factorial(planes) * classes.characters[dual, 0].prod(axis=1),
    )  # fmt: skip


def planes_program(n: int, planes: tuple[int, int]) -> LinearProgram:
    """Return a linear program whose minimum is a lower bound on the sum of distances over several planes.

    B[s] is the number of offsets whose types in the planes that are not folded, and in those that are, are two
    multisets s, in any order: the mean over a network and those with planes of a kind exchanged. The number of offsets
    of each type in a plane is known, and the MacWilliams transform, a sum over the orders of s, is not negative, as in
    `add_enumerator`.

    Parameters
    ----------
    n
        Dimension.
    planes
        Numbers of planes that are not folded, and that are.

    Examples
    --------
    >>> len(planes_program(3, (3, 0)).cost), len(planes_program(3, (2, 1)).cost)  # of 1..3 hops, of 1..2 in folded ones
    (10, 12)
    """
    builder = ProgramBuilder()
    first, second = (_kind(cube_classes(n, bool(folded)), count) for folded, count in enumerate(planes))
    upper, hops = np.minimum.outer(first.upper, second.upper), np.minimum.outer(first.hops, second.hops)
    for most, cost in zip(upper.ravel().tolist(), hops.ravel().tolist(), strict=True):
        builder.add_variable(most, cost)
    held = (
        *(np.repeat(counts, len(second.hops)) for counts in first.counts),
        *(np.tile(counts, len(first.hops)) for counts in second.counts),
    )
    for counts, offsets in zip(held, (*first.offsets, *second.offsets), strict=True):
        holds = np.flatnonzero(counts)
        builder.add_row(list(zip(holds.tolist(), counts[holds].tolist(), strict=True)), offsets)
    # Dual words that are not zero in one plane alone give the numbers of offsets of each type again.
    rows = np.flatnonzero(np.add.outer(first.words, second.words).ravel() > 1)
    matrix = np.kron(first.transform, second.transform)[rows]
    rhs = [-int(value) for value in np.kron(first.of_zero, second.of_zero)[rows]]
    builder.add_block(matrix, np.arange(upper.size), rhs, equation=False)
    return builder.build()


def multisets(n: int, planes: tuple[int, int]) -> int:
    """Return the number of variables of `planes_program`.

    Examples
    --------
    >>> multisets(3, (3, 0)), multisets(3, (2, 1))
    (10, 12)
    """
    kinds = enumerate(planes)
    return prod(comb(len(cube_classes(n, bool(folded)).types) + count - 2, count) for folded, count in kinds)
