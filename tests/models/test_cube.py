import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import ConnectionSet, Cube, InputError
from tests.strategies import bases_up_to


def test_a_folded_route_of_more_than_half_the_links_takes_the_folded_link_and_then_the_complement():
    assert Cube(ConnectionSet.unit(4), folded=True).route(0b1101) == (4, 1)  # weight 3 > 5 / 2


def test_a_folded_route_of_exactly_half_the_links_goes_directly():
    assert Cube(ConnectionSet.unit(3), folded=True).route(0b110) == (1, 2)  # weight 2 = 4 / 2


@given(bases_up_to(8), st.booleans())
def test_a_route_adds_up_to_its_offset_and_has_the_length_of_the_formula(connections, folded):
    cube = Cube(connections, folded)
    for offset, value in enumerate(connections.routing_values().tolist()):
        route = cube.route(value)
        reached = 0
        for link in route:
            reached ^= cube.links[link]
        weight = value.bit_count()
        assert reached == offset
        assert len(route) == (min(weight, cube.n + 1 - weight) if folded else weight)


def test_folded_is_true_or_false():
    with pytest.raises(InputError, match="folded='no': expected true or false"):
        Cube(ConnectionSet.unit(3), folded="no")
