"""Graphs, shortest paths, loads, cables and metrics of the reference against values derived by hand and laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import (
    ConnectionSet,
    Cube,
    Layout,
    PriceList,
    SwitchModel,
    cable_table,
    cube_planes,
    dual_cube,
    port_aggregate,
)
from isoplane.objectives.reference import (
    cube_metrics,
    distances,
    measure_cubes,
    plane_cables,
    plane_graph,
    routed_loads,
    routes,
)
from tests.cases import for_each
from tests.strategies import bases_up_to


def unit(n):
    return tuple(1 << i for i in range(n))


def identical(n, folded=False, **site):
    return dual_cube(n, unit(n), folded, **site)


# Cables


@given(bases_up_to(8), st.booleans())
def test_cables_counted_one_by_one_match_the_table(connections, folded):
    cube = Cube(connections, folded)
    counted = plane_cables(plane_graph(cube), Layout(), PriceList())
    table = cable_table(cube.n, Layout(), PriceList())
    assert counted[0] == tuple(int(table.length_mm[link]) for link in cube.links)
    assert counted[1] == sum(int(table.price_cents[link]) for link in cube.links)


# Metrics


@for_each(
    ("n", "folded", "sum_of_distances", "max_load"),
    [
        (8, False, 1024, 128),  # n/2 x 2^n; a generator is on half of the 256 routes of its plane
        (8, True, 837, 93),
        (9, True, 1930, 200),  # ties of n = 9 go directly; an even split would give 193
        (12, False, 24576, 2048),
    ],
)
def test_identical_planes_have_their_known_sums_and_loads(n, folded, sum_of_distances, max_load):
    metrics = cube_metrics(identical(n, folded, layout=None))
    assert (metrics["sum_of_distances"], metrics["max_load"]) == (sum_of_distances, max_load)
    assert metrics["aspl"] == sum_of_distances / 2**n
    assert metrics["max_traffic"] == 2 * 2**n / max_load


@for_each(
    ("n", "folded", "cable_length_m", "delay_paper_ns", "cost_kusd"),
    [
        (8, False, 5.50, 601, None),  # (5.5 x 5 + 90) x 4 + 131 = 601
        (8, True, 6.73, 535, None),
        (12, False, 11.17, 1006, 4.50),  # (11.1667 x 5 + 90) x 6 + 131 = 1006
        (12, True, 15.52, 975, 4.96),
    ],
)
def test_identical_planes_have_the_published_lengths_delays_and_costs(
    n, folded, cable_length_m, delay_paper_ns, cost_kusd
):
    metrics = cube_metrics(identical(n, folded))
    assert round(metrics["cable_length_m"], 2) == cable_length_m
    assert round(metrics["delay_paper_ns"]) == delay_paper_ns
    assert cost_kusd is None or round(metrics["cost_usd_per_node"] / 1000, 2) == cost_kusd


@for_each(("n", "folded"), [(3, False), (8, True)])
def test_the_published_delay_is_exact_if_all_links_carry_the_same_load(n, folded):
    metrics, loads = cube_metrics(identical(n, folded)), measure_cubes(identical(n, folded)).loads
    equal = len({load for plane in loads for load in plane}) == 1
    assert equal
    assert metrics["delay_ns"] == metrics["delay_paper_ns"]


def route_ns(network, cube, source, destination):
    """Return the hops of a route and its delay in ns, summed hop by hop."""
    switch, hops, delay_ns = source, 0, 131.0
    for index in cube.route(int(cube.connections.routing_values()[source ^ destination])):
        peer = switch ^ cube.links[index]
        length_mm, _ = network.site.prices.cable_for_mm(
            network.site.layout.cable_mm(switch, peer, network.family.plane_switches)
        )
        switch, hops, delay_ns = peer, hops + 1, delay_ns + 90 + 5 * length_mm / 1000
    return hops, delay_ns


def test_the_exact_delay_is_the_mean_over_the_real_routes_of_all_pairs():
    network = dual_cube(4, (3, 6, 11, 12), folded=True)
    total_ns = 0.0
    for source in range(16):
        for destination in range(16):
            found = [route_ns(network, cube, source, destination) for cube in network.family.planes]
            nearest = [delay_ns for hops, delay_ns in found if hops == min(found)[0]]
            total_ns += sum(nearest) / len(nearest)
    assert cube_metrics(network)["delay_ns"] == pytest.approx(total_ns / 256, rel=1e-12)


@given(bases_up_to(6), st.booleans())
def test_without_cable_delay_a_packet_takes_90_ns_per_hop(connections, folded):
    switch = SwitchModel(cable_delay_ns_per_m=0)
    metrics = cube_metrics(dual_cube(connections.n, connections.generators, folded, switch=switch))
    expected_ns = 90 * metrics["sum_of_distances"] / 2**connections.n + 131
    assert metrics["delay_ns"] == metrics["delay_paper_ns"] == pytest.approx(expected_ns, rel=1e-12)


def test_a_switch_model_finer_than_a_picosecond_is_not_rounded():
    metrics = cube_metrics(identical(8, switch=SwitchModel(delay_ns=90, cable_delay_ns_per_m=4.7501)))
    assert metrics["delay_ns"] == pytest.approx((5.5 * 4.7501 + 90) * 4 + 131, rel=1e-15)


def test_port_aggregate_has_the_distances_of_one_larger_cube():
    single = port_aggregate(identical(8))
    metrics = cube_metrics(single)
    assert metrics["aspl"] == 4.5  # (n + 1) / 2
    assert metrics["max_load"] == 2 * 256  # both packets of half of the 512 offsets
    # 512 switches with 9 + 4 ports for 1024 nodes; 485 for the NIC, 2 node cables
    cents = plane_cables(plane_graph(single.family.planes[0]), single.site.layout, single.site.prices)[1]
    expected_usd = 485 + 268 + 310.28 * 13 / 2 + cents / 100 / 1024
    assert metrics["cost_usd_per_node"] == pytest.approx(expected_usd, rel=1e-12)


def test_metrics_follow_from_the_exact_integers():
    network = dual_cube(4, (3, 5, 9, 14), folded=True)
    exact, metrics = measure_cubes(network), cube_metrics(network)
    assert exact.max_load == max(map(max, exact.loads)) == metrics["max_load"]
    assert metrics["cable_length_m"] == exact.cable_length_mm / (1000 * 10 * 16)  # 10 links at each of 16 switches
    assert metrics["delay_ns"] == exact.delay / (2 * 256 * 1000)  # 2·4^n, picoseconds
    assert metrics["delay_paper_ns"] == exact.delay_paper / (10 * 256 * 1000)
    assert metrics["cost_usd_per_node"] == exact.cost_cents / (100 * 64)


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
    with pytest.raises(RuntimeError, match="not connected"):
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
    routed = routed_loads(identical(3, folded=True, layout=None).family)
    assert routed[0] == 10
    assert routed[1] == ((3, 3, 3, 1),) * 2


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
    with pytest.raises(RuntimeError, match=message):
        routed_loads(cube_planes((wrong(ConnectionSet.unit(3)),)))


@pytest.mark.parametrize(
    ("n", "message"), [(4, "carry different loads"), (6, "are not those from switch 0 translated")]
)
def test_loads_that_depend_on_the_source_are_a_mismatch(n, message, monkeypatch):
    walk = routes._Plane.walk

    def packets_only_from_0(plane, source, destination, hops, packets, counts):
        walk(plane, source, destination, hops, packets if source == 0 else 0, counts)

    monkeypatch.setattr(routes._Plane, "walk", packets_only_from_0)
    with pytest.raises(RuntimeError, match=message):
        routed_loads(identical(n, layout=None).family)
