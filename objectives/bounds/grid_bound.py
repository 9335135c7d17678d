"""Lower bound on the sum of distances over two relabelled planes of a torus, or of another grid that wraps around."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil

import numpy as np

from isoplane.models.arrays import Floats, Ints

from .linear_program import LinearProgram, ProgramBuilder
from .solver import multipliers

MAX_CLASSES = 45  # as of a torus of 16x16: the program has some 1,000 rows, and takes seconds
SCALE = 1 << 20  # coefficients are sums of cosines, rounded to its inverse


@lru_cache(maxsize=8)
def relabelled_grid_bound(shape: tuple[int, ...], hops: tuple[int, ...]) -> Fraction:
    """Return a lower bound on the sum of distances if any permutation of the switches makes plane 1 of plane 0.

    Distances between switches depend on the difference of their coordinates only, modulo the shape. Differences that a
    reflection of coordinates, or an exchange of coordinates of one size, maps to each other are a class; the classes
    are an association scheme. As for cubes (`relabelled_sum_bound`), the pairs (x, p(x)) are a code in its product with
    itself, whose distance distribution B fulfils

        Σ_i,j B[i, j] Q_k(i) Q_l(j) ≥ 0,

    where Q_k(i) is the sum over a class k of the characters cos 2π Σ_c k_c x_c / shape_c of a difference x of class i.

    Parameters
    ----------
    shape
        Sizes of the coordinates, the first one fastest in the numbers of switches.
    hops
        Distances from switch 0 to all switches.

    Returns
    -------
    Fraction
        0 if there are over 45 classes, or differences of one class have several distances.

    References
    ----------
    Delsarte, An algebraic approach to the association schemes of coding theory, 1973.

    Examples
    --------
    >>> hops = tuple(min(x, 4 - x) + min(y, 4 - y) for y in range(4) for x in range(4))
    >>> float(relabelled_grid_bound((4, 4), hops)), sum(hops)  # a torus of 4x4 is a hypercube of 16
    (22.0, 32)
    """
    program = _program(shape, np.array(hops))
    return Fraction(0) if program is None else max(Fraction(0), Fraction(*program.bound(multipliers(program))))


def _program(shape: tuple[int, ...], hops: Ints) -> LinearProgram | None:
    point = np.stack(np.unravel_index(np.arange(len(hops)), shape, order="F"), axis=1)
    label = _classes(point, shape)
    sizes, first = np.bincount(label), np.unique(label, return_index=True)[1]
    count = len(sizes)
    if count > MAX_CLASSES or (hops[first][label] != hops).any():
        return None
    builder, variable = ProgramBuilder(), np.zeros((count, count), dtype=np.int64)
    # With the planes exchanged, p becomes its inverse and B its transpose: their mean is symmetric.
    for i in range(1, count):
        for j in range(i, count):
            cost = min(int(hops[first[i]]), int(hops[first[j]])) * (1 if i == j else 2)
            variable[i, j] = variable[j, i] = builder.add_variable(int(min(sizes[i], sizes[j])), cost)
    for i in range(1, count):
        builder.add_row([(int(each), 1) for each in variable[i, 1:]], int(sizes[i]))
    characters = _characters(point, point[first], label, shape)
    for k in range(1, count):
        terms = np.stack([np.outer(characters[k, 1:], characters[other, 1:]).ravel() for other in range(k, count)])
        # Each coefficient is off by a half at most, and the error of cosines; the sum of B is less than all switches.
        slack = len(hops) / 2 + 1
        rhs = [-ceil(SCALE * characters[k, 0] * characters[other, 0] + slack) for other in range(k, count)]
        builder.add_block(np.rint(SCALE * terms).astype(np.int64), variable[1:, 1:].ravel(), rhs, equation=False)
    return builder.build()


def _classes(point: Ints, shape: Sequence[int]) -> Ints:
    """Return the class of each difference, that of 0 first."""
    form = np.minimum(point, np.array(shape) - point)
    for size in set(shape):
        equal = [axis for axis, each in enumerate(shape) if each == size]
        form[:, equal] = np.sort(form[:, equal], axis=1)
    label: Ints = np.unique(form, axis=0, return_inverse=True)[1].ravel()
    return label


def _characters(point: Ints, members: Ints, label: Ints, shape: Sequence[int]) -> Floats:
    """Return Q_k(i) of all classes k, and one member of each class i."""
    values = np.cos(2 * np.pi * (point / np.array(shape)) @ members.T)
    sums = np.zeros((len(members), len(members)))
    np.add.at(sums, label, values)
    return sums
