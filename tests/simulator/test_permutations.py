"""Permutation traffic: the characteristic properties of each permutation."""

import numpy as np
import pytest

from isoplane.models import InputError
from isoplane.simulator.permutations import PERMUTATIONS

BITWISE = ("complement", "reverse", "transpose", "shuffle")


@pytest.mark.parametrize("name", PERMUTATIONS)
@pytest.mark.parametrize("nodes", [4, 16, 64, 256])
def test_every_node_is_the_destination_of_exactly_one_node(name, nodes):
    assert sorted(PERMUTATIONS[name](nodes).tolist()) == list(range(nodes))


@pytest.mark.parametrize(
    ("name", "destinations"),
    [
        # i = 4·row + column, or in bits b3 b2 b1 b0
        ("complement", [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
        ("reverse", [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15]),
        ("transpose", [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]),
        ("shuffle", [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15]),
        ("tornado", [7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6]),
        ("neighbour", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0]),
    ],
)
def test_the_permutations_of_sixteen_nodes(name, destinations):
    assert PERMUTATIONS[name](16).tolist() == destinations


@pytest.mark.parametrize("name", ["complement", "reverse", "transpose"])
def test_some_permutations_are_their_own_inverse(name):
    permutation = PERMUTATIONS[name](64)
    assert permutation[permutation].tolist() == list(range(64))


def test_as_many_shuffles_as_there_are_bits_are_the_identity():
    shuffle, nodes = PERMUTATIONS["shuffle"](32), np.arange(32)
    for _ in range(5):
        nodes = shuffle[nodes]
    assert nodes.tolist() == list(range(32))


@pytest.mark.parametrize("nodes", [5, 6])
def test_a_tornado_goes_almost_half_way_around(nodes):
    assert PERMUTATIONS["tornado"](nodes)[0] == 2  # for 5 and for 6 nodes: half of them, rounded up, less one


@pytest.mark.parametrize("name", BITWISE)
def test_bit_permutations_need_a_power_of_two(name):
    with pytest.raises(InputError, match=rf"traffic\.pattern={name}: 12 nodes; expected a power of two"):
        PERMUTATIONS[name](12)


def test_a_transposition_needs_an_even_number_of_bits():
    with pytest.raises(InputError, match=r"transpose: 8 nodes; expected a power of four"):
        PERMUTATIONS["transpose"](8)
