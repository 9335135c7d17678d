"""Planes that are linear over Z4: what docs/planes.md says of their matrices, from all of them."""

from itertools import combinations, product

import numpy as np
import pytest

from isoplane.search import Anneal

from .test_planes import cube, found

GRAY, LEE = np.array([[0, 1, 3, 2], [0, 1, 2, 1]], dtype=np.uint8)  # coordinates of a digit, and hops from digit 0


def images_of_matrices(m):
    """The vertices in digits, and their images under every invertible matrix: [matrix, vertex, digit]."""
    vertices = GRAY[np.arange(4**m)[:, None] >> 2 * np.arange(m) & 3]
    matrices = np.array(list(product(vertices, repeat=m)))
    odd = np.round(np.linalg.det(matrices)).astype(int) % 2 == 1
    return vertices, np.matmul(vertices, matrices[odd]) % 4, matrices[odd]


@pytest.mark.parametrize(("m", "invertible", "linear"), [(1, 2, 2), (2, 96, 32), (3, 86_016, 3_072)])
def test_a_matrix_over_z4_is_linear_over_gf2_if_no_digits_carry(m, invertible, linear):
    _, images, matrices = images_of_matrices(m)
    places = (GRAY[images] << 2 * np.arange(m, dtype=np.uint8)).sum(axis=-1, dtype=np.uint8)
    assert len(places) == invertible
    assert (np.sort(places) == np.arange(4**m)).all()
    flipped = np.arange(4**m) ^ 1 << np.arange(2 * m)[:, None]
    are_linear = (places[:, flipped] == places[:, None] ^ places[:, 1 << np.arange(2 * m), None]).all(axis=(1, 2))
    assert are_linear.sum() == linear
    assert (are_linear == ((matrices % 2).sum(axis=1) == 1).all(axis=1)).all()


@pytest.mark.parametrize(("m", "hops"), [(2, 22), (3, 144)])
def test_structured_walks_find_the_least_of_all_matrices_over_z4(m, hops):
    vertices, images, _ = images_of_matrices(m)
    least = np.minimum(LEE[vertices].sum(axis=-1), LEE[images].sum(axis=-1)).sum(axis=-1).min()
    last = found(cube(2 * m), 2, 500_000, Anneal(chains=1, structured=True))
    assert last.evaluation.score == (least << 2 * m,) == (hops << 2 * m,)


def test_the_octacode_is_a_better_code_than_plane():
    vertices = GRAY[np.arange(256)[:, None] >> 2 * np.arange(4) & 3]
    parity = np.array([[3, 1, 2, 1], [1, 2, 3, 1], [3, 3, 3, 2], [2, 3, 1, 1]])
    words = np.hstack([vertices, vertices @ parity % 4])
    assert sorted(LEE[words].sum(axis=1))[:2] == [0, 6]
    sums = []
    for digits in combinations(range(8), 4):
        halves = [words[:, list(digits)], np.delete(words, digits, axis=1)]
        if all(len(np.unique(half, axis=0)) == 256 for half in halves):
            sums.append(np.minimum(*(LEE[half].sum(axis=1) for half in halves)).sum())
    assert sums == [848] * 56
