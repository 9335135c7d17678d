"""Topologies, grids, components and finite fields, against definitions and igraph."""

from collections import Counter
from math import prod

import igraph
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError, Topology
from isoplane.models.mathematics.components import components
from isoplane.models.mathematics.difference_set import difference_set
from isoplane.models.mathematics.finite_field import finite_field, prime_power
from isoplane.models.mathematics.grid import coordinates, strides
from isoplane.models.topologies import graph, graph_cables_mm, mesh, rdt, torus
from isoplane.models.topologies.rdt import ALPHA, rank_vectors, ranks_of_tile
from tests.cases import for_each
from tests.models.graphs import graph_of


@st.composite
def cabled(draw):
    """Cables between random ports, and up to two values that are replaced by any others."""
    switches, ports = draw(st.integers(1, 5)), draw(st.integers(0, 4))
    order = draw(st.permutations(range(switches * ports)))
    peer, peer_port = np.full((2, switches, ports), -1)
    for a, b in zip(order[: draw(st.integers(0, len(order)))][::2], order[1::2], strict=False):
        for here, there in ((a, b), (b, a)):
            peer.flat[here], peer_port.flat[here] = divmod(there, ports)
    for _ in range(draw(st.integers(0, 2)) if ports else 0):
        values = draw(st.sampled_from([peer, peer_port]))
        values.flat[draw(st.integers(0, values.size - 1))] = draw(st.integers(-3, 6) | st.just((1 << 31) - 1))
    return peer, peer_port


def is_consistent(peer, peer_port):
    for (switch, port), other in np.ndenumerate(peer):
        far = int(peer_port[switch, port])
        if other == -1:
            continue
        if not (0 <= other < len(peer) and 0 <= far < peer.shape[1]):
            return False
        if (peer[other, far], peer_port[other, far]) != (switch, port):
            return False
    return True


@given(cabled())
@settings(deadline=None, max_examples=300)
def test_topologies_are_accepted_exactly_if_both_ends_of_every_cable_refer_to_each_other(arrays):
    peer, peer_port = arrays
    if not is_consistent(peer, peer_port):
        with pytest.raises(InputError, match=r"^topology: switch \d+ port \d+ (has no valid|does not match its) other"):
            Topology(peer, peer_port)
        return
    level = {0: 0}
    for here in (order := [0]):
        for there in peer[here].tolist():
            if there >= 0 and there not in level:
                level[there] = level[here] + 1
                order.append(there)
    assert Topology(peer, peer_port).levels(0).tolist() == [level.get(switch, -1) for switch in range(len(peer))]


EDGES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda edge: edge[0] != edge[1]), min_size=1)


@given(EDGES, st.booleans())
def test_the_k_th_edge_of_a_switch_is_at_port_k(edges, as_array):
    topology = graph(np.array(edges) if as_array else edges, 10)
    assert graph(edges).switches == 1 + max(map(max, edges))
    used = [0] * 10
    for ends in edges:
        here, there = ((switch, used[switch]) for switch in ends)
        for switch in ends:
            used[switch] += 1
        for one, other in ((here, there), (there, here)):
            assert (topology.peer[one], topology.peer_port[one]) == other
    assert [int((row >= 0).sum()) for row in topology.peer] == used
    assert topology.parallel_pairs == sum(count > 1 for count in Counter(map(frozenset, edges)).values())


def test_cables_have_the_lengths_of_the_edges_at_both_ends():
    edges = [(0, 1, 2.5), (1, 2), (1, 0, "0.001")]
    assert graph(edges).peer.tolist() == [[1, 1, -1], [0, 2, 0], [1, -1, -1]]
    assert graph_cables_mm(edges).tolist() == [[2500, 1, 0], [2500, 0, 1], [0, 0, 0]]


@for_each(("build", "wraps"), [(torus, True), (mesh, False)])
@for_each("shape", [(2,), (5,), (4, 3), (2, 3, 4)])
def test_even_ports_lead_forwards_odd_ones_backwards_and_only_in_a_torus_around(build, wraps, shape):
    """In a dimension of size two of a torus, one cable connects the even ports."""
    topology = build(shape)
    for switch in range(prod(shape)):
        place = np.unravel_index(switch, shape, order="F")
        for i, size in enumerate(shape):
            single = wraps and size == 2
            for step, port in ((1, 2 * i), (-1, 2 * i + 1)):
                if (single and step < 0) or not (wraps or 0 <= place[i] + step < size):
                    assert topology.peer[switch, port] == -1
                    continue
                there = [(at + step * (j == i)) % shape[j] for j, at in enumerate(place)]
                assert topology.peer[switch, port] == np.ravel_multi_index(there, shape, order="F")
                assert topology.peer_port[switch, port] == (port if single else port ^ 1)


SHORTER = "1423 4132 2314 3241"


def corners(side):
    """Return one node per position of the tile; every node is equivalent to one of them."""
    return [x + side * y for x in range(4) for y in range(4)]


@for_each(
    ("side", "tile", "diameter"),
    [(64, ALPHA, 8), (128, ALPHA, 10), (256, ALPHA, 12), (64, SHORTER, 8), (128, SHORTER, 9), (256, SHORTER, 11)],
)
def test_rdt_has_the_published_diameters(side, tile, diameter):
    assert max(graph_of(rdt(side, tile)).eccentricity(corners(side))) == diameter


@for_each(("side", "degree_of_rank_4"), [(64, 4), (128, 6), (256, 8)])
def test_links_of_rank_4_vanish_or_coincide_on_small_tori(side, degree_of_rank_4):
    ranks, degrees = ranks_of_tile(ALPHA), np.array(graph_of(rdt(side)).degree())
    for node in corners(side):
        rank = ranks[node % side, node // side]
        assert degrees[node] == (degree_of_rank_4 if rank == 4 else 8)


@for_each("side", [4, 8, 12, 16, 20, 32, 64])
def test_no_two_cables_join_the_same_switches(side):
    graph = graph_of(rdt(side))
    assert graph.is_simple()
    assert graph.is_connected()


def test_the_base_torus_is_at_ports_0_to_3():
    assert np.array_equal(rdt(16).peer[:, :4], torus((16, 16)).peer)


def test_upper_links_follow_the_vectors_of_the_rank_of_their_node():
    topology, ranks = rdt(256), ranks_of_tile(ALPHA)
    for node in corners(256):
        (a, b), (c, d) = rank_vectors(int(ranks[node % 256, node // 256]))
        for port, (x, y) in enumerate(((a, b), (-a, -b), (c, d), (-c, -d)), start=4):
            assert topology.peer[node, port] == (node % 256 + x) % 256 + 256 * ((node // 256 + y) % 256)


ORDERS = [q for q in range(2, 128) if prime_power(q)]


def test_prime_powers_are_the_powers_of_numbers_without_divisors():
    primes = [p for p in range(2, 300) if all(p % d for d in range(2, p))]
    assert {q for q in range(300) if prime_power(q)} == {p**k for p in primes for k in range(1, 9) if p**k < 300}
    assert all(p**k == q for q in range(300) if (found := prime_power(q)) for p, k in [found])


@for_each("q", [q for q in ORDERS if q <= 49])
def test_the_axioms_of_fields_hold(q):
    add, multiply, powers = finite_field(q)
    a, b, c = (each.ravel() for each in np.meshgrid(*[np.arange(q)] * 3, indexing="ij"))
    for table in (add, multiply):
        assert np.array_equal(table, table.T)
        assert np.array_equal(table[table[a, b], c], table[a, table[b, c]])
    assert np.array_equal(multiply[a, add[b, c]], add[multiply[a, b], multiply[a, c]])
    assert np.array_equal(add[0], np.arange(q))
    assert np.array_equal(multiply[1], np.arange(q))
    assert (np.sort(add, axis=1) == np.arange(q)).all()
    assert (np.sort(multiply[1:], axis=1) == np.arange(q)).all()
    assert (add[np.arange(q), np.argmin(add, axis=1)] == 0).all()
    assert sorted(powers) == list(range(1, q))


@for_each("q", ORDERS)
def test_every_difference_occurs_once(q):
    found, size = np.array(difference_set(q)), q * q + q + 1
    differences = (found[:, None] - found)[~np.eye(q + 1, dtype=bool)] % size
    assert np.array_equal(np.sort(differences), np.arange(1, size))


@given(st.integers(1, 30).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n - 1)] * 2)))))
def test_the_components_of_any_graph_are_those_of_igraph(graph):
    vertices, edges = graph
    found = components(vertices, *np.array(edges, dtype=np.int64).reshape(-1, 2).T).tolist()
    expected = [None] * vertices
    for part in igraph.Graph(vertices, edges).connected_components():
        for vertex in part:
            expected[vertex] = min(part)
    assert found == expected


@for_each("seed", range(3))
def test_a_long_path_in_any_order_is_one_component(seed):
    path = np.random.default_rng(seed).permutation(100_000)
    assert not components(len(path), path[:-1], path[1:]).any()


def test_the_first_coordinate_is_the_fastest():
    ids = np.arange(4 * 3 * 2)
    assert np.array_equal(coordinates(ids, (4, 3, 2)) @ strides((4, 3, 2)), ids)
    assert coordinates(np.array([1, 4, 12]), (4, 3, 2)).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
