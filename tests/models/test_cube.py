import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import ConnectionSet, Cube, InputError
from tests.strategies import bases_up_to


def test_the_folded_link_is_the_sum_of_all_generators_as_in_the_papers_figure_2():
    assert Cube(ConnectionSet.unit(3), folded=True).links == (1, 2, 4, 7)
    assert Cube(ConnectionSet(3, (1, 2, 6)), folded=True).links == (1, 2, 6, 5)  # 1 ^ 2 ^ 6 = 5


def test_a_plain_cube_has_no_folded_link_among_its_links():
    assert Cube(ConnectionSet(3, (3, 5, 7))).links == (3, 5, 7)


def test_a_route_takes_the_set_bits_in_ascending_order():
    assert Cube(ConnectionSet.unit(4)).route(0b1101) == (0, 2, 3)


def test_a_folded_route_of_more_than_half_the_links_takes_the_folded_link_and_then_the_complement():
    assert Cube(ConnectionSet.unit(4), folded=True).route(0b1101) == (4, 1)  # weight 3 > 5 / 2


def test_a_folded_route_of_exactly_half_the_links_goes_directly():
    assert Cube(ConnectionSet.unit(3), folded=True).route(0b110) == (1, 2)  # weight 2 = 4 / 2


def test_the_route_from_a_switch_to_itself_is_empty():
    assert Cube(ConnectionSet.unit(3), folded=True).route(0) == ()


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


def test_a_cube_needs_a_basis():
    with pytest.raises(InputError, match="not a basis, since 6 = 3 "):
        Cube(ConnectionSet(3, (3, 5, 6)))


def test_folded_is_true_or_false():
    with pytest.raises(InputError, match="folded='no': expected true or false"):
        Cube(ConnectionSet.unit(3), folded="no")
