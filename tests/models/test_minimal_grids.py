"""Shapes of grids that reach a number of nodes, against all shapes tried one by one."""

from itertools import permutations
from math import prod

from hypothesis import given
from hypothesis import strategies as st

from isoplane.models.family_kinds.minimal_sizes import minimal_grids, orders_of, ring_ports, sufficient_grids


def all_shapes(switches, largest=None):
    """All ways to write a number as a product of numbers from 2 to `largest`, in descending order."""
    if switches == 1:
        yield ()
    for side in range(2, min(switches, largest or switches) + 1):
        if switches % side == 0:
            yield from ((side, *rest) for rest in all_shapes(switches // side, side))


def is_minimal(shape, at_switch, nodes):
    """Whether the grid has too few nodes if its longest side is one switch shorter, or a pair of switches."""
    return shape == (2,) or prod((shape[0] - 1, *shape[1:])) * at_switch < nodes


@given(
    st.integers(1, 40),
    st.integers(2, 12),
    st.integers(1, 3),
    st.lists(st.integers(1, 13), min_size=80, max_size=80),
    st.integers(0, 2),
    st.booleans(),
)
def test_grids_are_all_shapes_or_all_minimal_ones_whose_sides_fit_together(
    places, ports, links, table, growth, minimal
):
    nodes = -(-places // links)
    expected = []
    for switches in range(2, max(2, 2 * nodes - 1) + 1):
        at_switch = max(1, -(-nodes // switches))
        found = []
        for shape in all_shapes(switches):
            needed = sum(table[side - 2] + growth * links * at_switch for side in shape)
            if needed + links * at_switch <= ports and (not minimal or is_minimal(shape, at_switch, nodes)):
                found.append((needed, shape))
        expected += [(shape, links * at_switch) for _, shape in sorted(found)]
    grids = sufficient_grids(
        places, ports, links, lambda at: lambda side: table[side - 2] + growth * at, minimal=minimal
    )
    assert list(grids) == expected


@given(st.lists(st.integers(2, 5), min_size=1, max_size=5))
def test_orders_are_all_different_ones_of_the_sides(shape):
    assert set(orders_of(tuple(shape))) == set(permutations(shape))
    assert next(orders_of(tuple(shape))) == tuple(shape)


@given(st.integers(1, 60), st.integers(2, 12))
def test_minimal_grids_are_those_with_one_link_per_node_and_the_same_ports_for_any_places(nodes, ports):
    expected = list(sufficient_grids(nodes, ports, 1, lambda places: ring_ports, minimal=True))
    assert list(minimal_grids(nodes, ports)) == expected
    for shape, at_switch in expected:
        assert prod(shape) * at_switch >= nodes
        assert sum(map(ring_ports, shape)) + at_switch <= ports
