import re
from functools import reduce
from operator import xor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import ConnectionSet, InputError
from isoplane.models.mathematics.gf2 import coordinates_of_units, dependency, rank
from tests.cases import for_each
from tests.strategies import bases_up_to


def test_routing_values_are_those_of_the_papers_table_1():
    connections = ConnectionSet.basis(3, (3, 5, 7))
    values = connections.routing_values()
    assert values.tolist() == [0, 7, 6, 1, 5, 2, 3, 4]
    assert [value.bit_count() for value in values.tolist()] == [0, 3, 2, 1, 2, 1, 2, 1]  # its distances at plane 1


@given(bases_up_to(9))
def test_the_generators_selected_by_a_routing_value_add_up_to_the_offset(connections):
    for offset, value in enumerate(connections.routing_values().tolist()):
        total = 0
        for k, generator in enumerate(connections.generators):
            total ^= generator * (value >> k & 1)
        assert total == offset


@given(bases_up_to(17))
def test_inversion_of_a_basis_is_an_involution(connections):
    inverse = coordinates_of_units(connections.generators)
    assert coordinates_of_units(inverse) == connections.generators
    assert connections.rank == connections.n


@given(st.lists(st.integers(0, 255), min_size=9, max_size=9))
def test_the_first_dependent_vector_is_the_sum_of_the_reported_earlier_ones(vectors):
    index, others = dependency(vectors)  # nine vectors of an 8-dimensional space are always dependent
    assert rank(vectors[:index]) == rank(vectors[: index + 1]) == index
    assert all(k < index for k in others)
    assert reduce(xor, (vectors[k] for k in others), 0) == vectors[index]


def test_generators_are_kept_ascending():
    assert ConnectionSet(3, (7, 3, 5)) == ConnectionSet(3, (3, 5, 7))


def test_a_set_with_fewer_generators_than_dimensions_has_lower_rank_and_is_not_a_basis():
    connections = ConnectionSet(4, (3, 5, 6))  # 6 = 3 ^ 5
    assert (connections.rank, connections.is_basis) == (2, False)


@for_each(
    ("n", "generators", "message"),
    [
        (3, (1, 2, 3), "generators=[1, 2, 3]: not a basis, since 3 = 1 ^ 2; expected 3 independent generators"),
        # 1 ^ 2 = 3, 3 ^ 4 = 7: 7 is the sum of all three, 8 is not involved
        (4, (8, 7, 4, 2, 1), "generators=[1, 2, 4, 7, 8]: not a basis, since 7 = 1 ^ 2 ^ 4; expected 4 independent"),
        (
            4,
            (9, 5, 12, 2),
            "generators=[2, 5, 9, 12]: not a basis, since 12 = 5 ^ 9; expected 4 independent generators",
        ),
        (3, (1, 2), "generators=[1, 2]: 2 generators; expected 3 independent generators"),
        (3, (), "generators=[]: 0 generators; expected 3 independent generators"),
        (3, (0, 1, 2), "generator=0: expected an integer from 1 to 7"),
        (3, (1, 2, 8), "generator=8: expected an integer from 1 to 7"),
        (3, (1, 2, -4), "generator=-4: expected an integer from 1 to 7"),
        (3, (1, 2, 4.0), "generator=4.0: expected an integer from 1 to 7"),
        (3, (True, 2, 4), "generator=True: expected an integer from 1 to 7"),
        (3, (1, 2, 2), "generators=[1, 2, 2]: 2 occurs twice; expected distinct generators"),
        (0, (), "n=0: expected an integer from 1 to 17"),
        (18, (), "n=18: expected an integer from 1 to 17"),
        ("3", (1, 2, 4), "n='3': expected an integer from 1 to 17"),
    ],
)
def test_a_set_that_is_not_a_basis_is_reported_with_the_reason(n, generators, message):
    with pytest.raises(InputError, match=re.escape(message)):
        ConnectionSet.basis(n, generators)


def test_generators_that_are_not_a_list_are_rejected():
    with pytest.raises(InputError, match="generators=5: expected a list of integers"):
        ConnectionSet(3, 5)


def test_vectors_that_are_not_a_basis_have_no_inverse():
    with pytest.raises(ValueError, match=r"\[3, 5, 6\] is not a basis of GF\(2\)\^3"):
        coordinates_of_units((3, 5, 6))


def test_a_vector_outside_the_space_has_no_coordinates():
    with pytest.raises(ValueError, match=r"not a basis of GF\(2\)\^2"):
        coordinates_of_units((1, 6))
