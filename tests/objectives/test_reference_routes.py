"""Graphs, shortest paths and loads of the reference against counts by hand and independent invariants."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import ConnectionSet, Cube, cube_planes, dual_cube
from isoplane.models.mathematics.gf2 import coordinates_of_units
from isoplane.objectives.reference import ReferenceMismatch, distances, measure_exact, plane_graph, routed_loads, routes
from tests.cases import for_each
from tests.strategies import bases, bases_up_to


def identical(n, folded=False):
    return dual_cube(n, tuple(1 << i for i in range(n)), folded, layout=None)


def dual(connections, folded=False):
    return dual_cube(connections.n, connections.generators, folded, layout=None)


# Graphs and distances


def test_a_plane_of_dimension_3_has_a_vertex_per_switch_and_an_edge_per_cable():
    graph = plane_graph(Cube(ConnectionSet(3, (1, 2, 6)), folded=True))
    assert (graph.vcount(), graph.ecount()) == (8, 16)  # 8 switches with 4 links, each cable at two of them
    assert sorted(graph.neighbors(1)) == [0, 3, 4, 7]  # the paper's Fig. 2 (d)


@given(bases_up_to(7), st.booleans())
def test_igraph_distances_match_the_formula_from_every_switch(connections, folded):
    n, values = connections.n, connections.routing_values().tolist()
    weights = [min(v.bit_count(), n + 1 - v.bit_count()) if folded else v.bit_count() for v in values]
    found = distances(plane_graph(Cube(connections, folded))).tolist()
    assert found == [[weights[x ^ y] for y in range(1 << n)] for x in range(1 << n)]


def test_a_graph_that_is_not_connected_is_a_mismatch():
    graph = plane_graph(Cube(ConnectionSet.unit(2)))
    graph.delete_edges([0, 1, 2])
    with pytest.raises(ReferenceMismatch, match="not connected"):
        distances(graph, [0])


# Routed loads


def test_the_loads_of_the_papers_3_cube_match_a_count_by_hand():
    # Distances (Table 1 of the paper) in plane 0: 0 1 1 2 1 2 2 3, in plane 1: 0 3 2 1 2 1 2 1; sum of minima 8.
    # Offsets 1, 2, 4 put 2 packets on their generators of plane 0; 3, 5, 7 on theirs of plane 1. 6 is a tie: 1 packet
    # over 2 and 4 in plane 0, 1 over 3 and 5 in plane 1.
    routed = routed_loads(dual_cube(3, (3, 5, 7), layout=None).family)
    assert routed[0] == 8
    assert routed[1] == ((2, 2 + 1, 2 + 1), (2 + 1, 2 + 1, 2))


def test_the_loads_of_a_folded_3_cube_match_a_count_by_hand():
    # Two identical planes tie everywhere, so each carries one packet per offset. 1, 2, 4: direct. 3, 5, 6 have
    # weight 2 = (n+1)/2: direct. 7: the folded link. Each generator: 1 + 2 packets; sum 3 + 6 + 1.
    routed = routed_loads(identical(3, folded=True).family)
    assert routed[0] == 10
    assert routed[1] == ((3, 3, 3, 1),) * 2


@given(bases_up_to(8), st.booleans())
def test_swapped_planes_swap_their_loads(connections, folded):
    swapped = ConnectionSet(connections.n, coordinates_of_units(connections.generators))
    before, after = (measure_exact(dual(s, folded)) for s in (connections, swapped))
    assert before.sum_of_distances == after.sum_of_distances
    assert [sorted(plane) for plane in before.loads] == [sorted(plane) for plane in reversed(after.loads)]


@given(st.sampled_from([2, 4, 6, 8]).flatmap(bases), st.integers(0, 7))
def test_for_even_n_a_folded_link_among_the_generators_changes_nothing(connections, index):
    others = list(connections.generators)
    others[index % connections.n] = Cube(connections, folded=True).folded_link
    before, after = (measure_exact(dual(s, True)) for s in (connections, ConnectionSet(connections.n, tuple(others))))
    assert (before.sum_of_distances, before.max_load) == (after.sum_of_distances, after.max_load)


class Detour(Cube):
    def route(self, routing_value):
        return (0, *super().route(routing_value), 0)


class Stray(Cube):
    def route(self, routing_value):
        return tuple((link + 1) % self.n for link in super().route(routing_value))


@for_each(
    ("wrong", "message"),
    [(Detour, "from switch 0 to 0 ends at 0 after 2 hops; the shortest path has 0"), (Stray, "to 1 ends at 2 after 1")],
)
def test_a_route_that_is_not_a_shortest_path_to_its_destination_is_a_mismatch(wrong, message):
    with pytest.raises(ReferenceMismatch, match=message):
        routed_loads(cube_planes((wrong(ConnectionSet.unit(3)),)))


@pytest.mark.parametrize(
    ("n", "message"), [(4, "carry different loads"), (6, "are not those from switch 0 translated")]
)
def test_loads_that_depend_on_the_source_are_a_mismatch(n, message, monkeypatch):
    walk = routes._Plane.walk

    def packets_only_from_0(plane, source, destination, hops, packets, counts):
        walk(plane, source, destination, hops, packets if source == 0 else 0, counts)

    monkeypatch.setattr(routes._Plane, "walk", packets_only_from_0)
    with pytest.raises(ReferenceMismatch, match=message):
        routed_loads(identical(n).family)
