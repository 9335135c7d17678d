"""Destinations of input ports and zero-load latencies: equations (1) to (4) of Hirasawa et al. 2020, and every pair."""

from dataclasses import replace
from fractions import Fraction
from math import prod

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Design, Layout, Network, RoutingCache, Site, SwitchModel, dual_cube
from isoplane.models.families.torus import Torus
from isoplane.models.paths.path_shares import paths_between
from isoplane.models.planes.route_walk import links_of_route
from isoplane.objectives import evaluate_batch, metrics_of
from isoplane.objectives.general import general_exact, general_metrics
from isoplane.objectives.general.port_destinations import port_destinations
from isoplane.objectives.general.zero_load import mean_misses
from isoplane.objectives.reference import general_metrics as reference_metrics
from isoplane.objectives.reference import reference_metrics as reference_of
from tests.assembled import assembled
from tests.cases import for_each, require_refusal
from tests.models.families.members import MEMBERS

from .networks import random_network, random_rails

ODD_TORI = [(k, n) for n in (1, 2, 3, 4) for k in range(3, 32, 2) if k**n < 30_000]


def cached(entries, **more):
    """A switch of case study 1 without the time of the packet; `entries` of 0 for one without a cache."""
    cache = RoutingCache(entries=entries, ways=1) if entries else None
    return SwitchModel(delay_ns=100, endpoint_delay_ns=None, packet_bytes=0, routing_ns=25, cache=cache, **more)


def torus(k, n, entries, cable_m=4.0):
    family = Torus(shape=(k,) * n, assumed_cable_m=cable_m, node_cable_m=cable_m)
    return Network(family, Site(switch=cached(entries)))


def destinations(k, n):
    """Equation (2): destinations at the port of a node, and at the input ports of dimensions 1 to n."""
    return [k**n - 1, *(k ** (n - i) * (k // 2) for i in range(1, n + 1))]


@for_each(("k", "n"), ODD_TORI)
def test_ports_of_an_odd_torus_have_the_destinations_of_equation_2(k, n):
    links, node_links, _ = port_destinations(torus(k, n, 0))
    at_node, *by_dimension = destinations(k, n)
    assert (links[0] == np.repeat(by_dimension, 2)).all()
    assert (node_links[0] == at_node).all()


@for_each(
    ("k", "n", "entries", "reduction"),
    [
        (5, 2, 8, None),
        (7, 3, 20, None),
        (5, 3, 2048, 18.7),
        (13, 3, 2048, 18.9),
        (21, 3, 2048, 15.0),
        (31, 3, 2048, 12.9),
        (21, 3, 128, 9.3),
        (21, 3, 9261, 19.1),
    ],
)
def test_latencies_of_an_odd_torus_are_those_of_equation_4_and_of_figures_11_and_12(k, n, entries, reduction):
    metrics = general_metrics(network := torus(k, n, entries), exact := general_exact(network))
    # Hits take 77 ns, misses 25 ns more, each link 20 ns; a packet passes the port of its node and k // 2 of each
    # dimension, and one link more than switches.
    misses = [1 - min(Fraction(1), Fraction(entries, count)) for count in destinations(k, n)]
    hops = [1, *[k // 2] * n]
    latency = sum(hop * (77 + 25 * miss + 20) for hop, miss in zip(hops, misses, strict=True)) + 20
    per_ns = network.delay_units.per_ns
    assert Fraction(exact.max_delay, exact.max_delay_parts * per_ns) == latency
    # Of the k positions along a dimension, all hops together are (k^2 - 1) / 4; a packet to the node itself counts.
    mean_hops = [1, *[Fraction(k * k - 1, 4 * k)] * n]
    mean = sum(hop * (77 + 25 * miss + 20) for hop, miss in zip(mean_hops, misses, strict=True)) + 20
    assert Fraction(exact.delay, exact.delay_parts * per_ns * network.nodes**2) == mean
    assert metrics["max_delay_ns"] == float(latency)
    without = 120 * sum(hops) + 20  # 100 ns a switch
    assert reduction is None or round(float(100 * (1 - latency / without)), 1) == reduction


@given(
    shape=st.lists(st.integers(2, 4), min_size=1, max_size=3).filter(lambda shape: prod(shape) <= 30),
    entries=st.integers(1, 30),
)
def test_the_mean_miss_rate_is_that_of_all_look_ups_of_all_pairs(shape, entries):
    family = Torus(shape=tuple(shape), node_cable_m=2.0)
    network = Network(family, Site(switch=cached(entries)))
    passing, packets = brute_force(network), {}
    (plane,) = network.planes
    for source in range(network.nodes):
        packets[(0, "node", source)] = network.nodes  # one per node, itself included
        for end in range(network.nodes):
            for switch, port, _ in links_of_route(plane.topology, plane.routes, source, end):
                packets[(0, switch, port)] = packets.get((0, switch, port), 0) + 1
    missed = sum(
        count * max(Fraction(0), 1 - Fraction(entries, len(passing[port])))
        for port, count in packets.items()
        if port in passing
    )
    assert mean_misses(network) == (missed / network.nodes**2, missed / sum(packets.values()))
    assert mean_misses(replace(network, site=Site())) == (0, 0)


def brute_force(network):
    """The destinations of each link between switches, by its plane, switch and port, and of each link of a node."""
    passing = {}
    policy = "spray" if network.policy in ("adaptive", "spill") else network.policy
    source, destination = np.nonzero(~np.eye(network.nodes, dtype=bool))
    paths = paths_between(network, source, destination, policy) if len(source) else None
    for path in range(0 if paths is None else len(paths.pair)):
        number, begin = int(paths.plane[path]), int(paths.source_link[path])
        plane, end = network.planes[number], int(destination[paths.pair[path]])
        target = int(plane.routes.targets(plane.node_switch)[paths.destination_link[path]])
        passing.setdefault((number, "node", begin), set()).add(end)
        for switch, port, _ in links_of_route(plane.topology, plane.routes, int(plane.node_switch[begin]), target):
            passing.setdefault((number, switch, port), set()).add(end)
    return passing


def require_brute_force(network):
    links, node_links, _ = port_destinations(network)
    passing = brute_force(network)
    assert sum(map(len, passing.values())) == sum(int(part.sum()) for part in (*links, *node_links))
    for (number, *port), ends in passing.items():
        counts = node_links[number][port[1]] if port[0] == "node" else links[number][tuple(port)]
        assert counts == len(ends)


@for_each("name", sorted(set(MEMBERS) - {"hybrid", "optical_overlay"}))
@settings(max_examples=3)
@given(data=st.data())
def test_every_family_has_the_destinations_of_all_its_pairs(name, data):
    members = MEMBERS[name].filter(lambda family: family.nodes <= 40)
    require_brute_force(Network(data.draw(members), Site(layout=None)))


@for_each("seed", range(10))
def test_any_planes_links_and_policies_have_the_destinations_of_all_their_pairs(seed):
    require_brute_force(random_rails(seed))
    require_brute_force(random_network(seed))


def without_switch_delays(network):
    planes = (replace(plane, timing=replace(plane.timing, switch_delay_ps=None)) for plane in network.planes)
    return assembled("no switch delays", tuple(planes), network.policy)


@given(seed=st.integers(0, 99), entries=st.integers(1, 12), rails=st.booleans())
def test_delays_with_misses_are_those_of_the_reference(seed, entries, rails):
    network = without_switch_delays((random_rails if rails else random_network)(seed))
    prices = replace(network.site.prices, nics_usd={ports: 100.0 * ports for ports in range(1, 10)})
    network = replace(network, site=Site(prices=prices, switch=cached(entries)))
    assert general_metrics(network, general_exact(network)) == reference_metrics(network)


@for_each(("n", "entries"), [(3, 31), (3, 30), (3, 4), (4, 63)])
def test_cubes_have_the_delays_of_any_network_whether_or_not_kernels_apply(n, entries):
    cubes = dual_cube(n, tuple(range(1, 1 << n, 2))[:1] + tuple(1 << i for i in range(1, n)))
    network = replace(cubes, site=Site(switch=cached(entries)))
    metrics = metrics_of(Design(network))
    assert ("max_delay_ns" in metrics) == (entries < network.nodes - 1)
    assert metrics["delay_ns"] == general_metrics(network, general_exact(network))["delay_ns"]
    assert metrics == reference_of(network)


def test_the_largest_delay_is_over_all_switches_where_racks_make_some_cables_longer():
    network = replace(dual_cube(4, (3, 7, 12, 13)), site=Site(switch=cached(16)))
    assert metrics_of(Design(network)) == reference_of(network)


def test_kernels_of_cubes_refuse_caches_that_miss():
    switch = replace(cached(30), packet_bytes=256)
    message = "the delay of a switch as one number; expected at least 31"
    generators = np.array([[3, 5, 7]], dtype=np.uint32)
    require_refusal(lambda: evaluate_batch(generators, layout=Layout(), switch=switch), message)
    assert evaluate_batch(generators, layout=Layout(), switch=replace(switch, cache=RoutingCache(31, 1))).delay_ns


@given(
    shape=st.lists(st.integers(2, 5), min_size=1, max_size=3).filter(lambda shape: prod(shape) <= 40),
    nodes=st.integers(1, 3),
    entries=st.integers(1, 50),
)
def test_a_cache_never_slows_packets_more_than_a_hit(shape, nodes, entries):
    family = Torus(shape=tuple(shape), nodes_per_switch=nodes, node_cable_m=2.0)
    delays = [general_exact(Network(family, Site(switch=cached(size)))) for size in (entries, 0)]
    with_cache, without = (Fraction(each.max_delay, each.max_delay_parts) for each in delays)
    assert with_cache <= without + 2000 * (1 + sum(size // 2 for size in shape))  # 2 ns a switch, in ps
