"""Times of workloads on networks whose caches may miss: by hand, by the reference, and by the simulator of flits."""

import zlib
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import (
    Circuits,
    MessageList,
    Network,
    OpticalOverlay,
    RoutingCache,
    Site,
    SwitchModel,
    dual_cube,
)
from isoplane.models.families.torus import Torus
from isoplane.models.placement import by_switch
from isoplane.models.workloads import all_to_all, stencil
from isoplane.objectives.caches import input_ports
from isoplane.objectives.fluid import FluidModel, NetworkFluidModel, plane_look_ups, plane_score_ns, plane_times
from isoplane.objectives.general import general_exact
from tests.cases import for_each, require_refusal
from tests.simulator.networks import direct_torus
from tests.simulator.test_look_ups import GRID, HARDWARE, PACKET_BYTES, one_by_one

from .sample_networks import message_lists, random_network
from .test_plane_model import assert_same_times

# Case study 1 of Hirasawa et al. 2020. A message of 2,500 bytes takes 100 ns, so that nothing is rounded.
DELAY_NS, ROUTING_NS, HIT_NS, LINK_GBPS = 100, 25, 2, 200
LENGTH_BYTES, SENDING_NS = 2500, 100
SWITCH = SwitchModel(
    delay_ns=DELAY_NS, endpoint_delay_ns=None, link_gbps=LINK_GBPS, routing_ns=ROUTING_NS, packet_bytes=LENGTH_BYTES
)
SMALL = RoutingCache(entries=4, ways=2)


def with_cache(network, **values):
    return replace(network, site=Site(layout=None, switch=replace(SWITCH, cache=RoutingCache(**values))))


def torus_route(shape, source, destination):
    """The switches on the way, dimension by dimension, the shorter way round: sides are odd."""
    at, to, route = (
        list(np.unravel_index(source, shape[::-1]))[::-1],
        list(np.unravel_index(destination, shape[::-1]))[::-1],
        [source],
    )
    for dimension, side in enumerate(shape):
        while at[dimension] != to[dimension]:
            ahead = (to[dimension] - at[dimension]) % side
            at[dimension] = (at[dimension] + (1 if ahead <= side // 2 else -1)) % side
            route.append(int(np.ravel_multi_index(at[::-1], shape[::-1])))
    return route


class Lru:
    """A cache of some ways for each set, as a dictionary of lists."""

    def __init__(self):
        self.sets = {}

    def misses(self, destination):
        held = self.sets.setdefault(zlib.crc32(int(destination).to_bytes(4, "little")) % 2, [])
        is_held = destination in held
        if is_held:
            held.remove(destination)
        held.append(destination)
        del held[:-2]
        return not is_held


def walked(shape, is_direct, pairs, start):
    """The misses of messages that are sent one after the other, and the number of switches that delay each."""
    caches, nodes = {}, int(np.prod(shape))

    def ports_of(source, destination):
        route = torus_route(shape, source, destination)
        ports = [("node", source), *pairwise(route)]
        # The last switch of a direct network is that of the destination, which forwards nothing.
        return ports[:-1] if is_direct else ports

    def look_up(ports, destination):
        return sum(caches.setdefault(port, Lru()).misses(destination) for port in ports)

    if start == "exchange":
        for shift, source in product(range(1, nodes), range(nodes)):
            look_up(ports_of(source, (source + shift) % nodes), (source + shift) % nodes)
    if start == "warm":
        for destination in range(nodes):
            sources = [source for source in range(nodes) if source != destination]
            look_up({port for source in sources for port in ports_of(source, destination)}, destination)
    ports = [ports_of(*pair) for pair in pairs]
    return [(look_up(passed, pair[1]), len(passed)) for passed, pair in zip(ports, pairs, strict=True)]


def chain(nodes, pairs, length_bytes=LENGTH_BYTES):
    """Messages of which each begins when the one before has arrived, in a list of another order."""
    count = len(pairs)
    place = np.random.default_rng(count).permutation(count)
    source, destination, before = (np.zeros(count, dtype=np.int64) for _ in range(3))
    source[place], destination[place] = np.array(pairs).T
    before[place] = [-1, *place[:-1]]
    waits = before >= 0
    start = np.concatenate([[0], np.cumsum(waits)])
    lengths = np.full(count, length_bytes)
    return MessageList(nodes, source, destination, lengths, np.zeros(count), start, before[waits]), place


@for_each(("shape", "is_direct", "start"), product([(5,), (3, 3), (5, 3)], (True, False), ("cold", "warm", "exchange")))
def test_messages_one_after_the_other_miss_as_in_caches_that_are_looked_up_by_hand(shape, is_direct, start):
    network = Network(Torus(shape=shape, assumed_cable_m=1.0, node_cable_m=None if is_direct else 2.0))
    network = with_cache(network, entries=4, ways=2, start=start)
    pairs = np.random.default_rng(1).integers(network.nodes, size=(60, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]].tolist()
    messages, place = chain(network.nodes, pairs)
    model = NetworkFluidModel(network, messages)
    expected = walked(shape, is_direct, pairs, start)
    misses, look_ups, hits = model.look_ups
    assert misses[place].tolist() == [missed for missed, _ in expected]
    assert int(look_ups.sum()) == sum(switches for _, switches in expected)
    assert int(hits.sum()) == int(look_ups.sum()) - int(misses.sum())
    # A link of 5 ns between switches, 20 for both links of nodes, and each switch as it hits or misses.
    arrival, arrivals = 0, []
    for missed, switches in expected:
        cables = 5 * switches if is_direct else 5 * (switches - 1) + 20
        arrival += SENDING_NS + cables + switches * (DELAY_NS - ROUTING_NS + HIT_NS) + missed * ROUTING_NS
        arrivals.append(arrival)
    assert 0 < sum(missed for missed, _ in expected) < int(look_ups.sum())
    assert model.arrivals_ns()[place].tolist() == arrivals


@settings(deadline=None, max_examples=60)
@given(
    st.data(),
    st.integers(0, 2**32 - 1),
    st.sampled_from(("cold", "warm", "exchange")),
    st.sampled_from(("lru", "fifo", "random")),
)
def test_every_run_of_any_network_with_misses_matches_the_reference(data, seed, start, replacement):
    network = random_network(seed)
    planes = tuple(replace(plane, timing=replace(plane.timing, switch_delay_ps=None)) for plane in network.planes)
    switch = replace(
        network.site.switch,
        delay_ns="33.3333",
        endpoint_delay_ns=None,
        routing_ns="7.77",
        cache=replace(SMALL, entries=2, ways=1, start=start, replacement=replacement, seed=3),
    )
    network = Network(replace(network.family, planes=planes), Site(layout=None, switch=switch))
    assert_same_times(network, data.draw(message_lists(network.nodes)), by_switch(network.nodes))


def test_the_look_ups_of_a_network_of_several_planes_and_of_a_direct_one_match_the_reference():
    for network in (dual_cube(3, (3, 5, 7), nodes_per_switch=2, layout=None), Network(Torus(shape=(4, 4)))):
        network = with_cache(network, entries=4, ways=2, start="cold")
        assert_same_times(network, all_to_all(16, 100_001).message_list(), by_switch(16))


def test_a_message_looks_up_once_for_each_path_that_carries_a_byte_of_it():
    # From switch 0 to switch 1 both planes are as near, and the first of them takes the half that is rounded down.
    network = with_cache(dual_cube(2, (1, 3), layout=None), start="cold")
    plane, _, _ = input_ports(network)
    for length, planes in ((1, [1]), (2, [0, 1])):
        misses, look_ups, hits = NetworkFluidModel(network, chain(16, [(0, 4), (0, 4)], length)[0]).look_ups
        assert misses.sum() == hits.sum() == 2 * len(planes)
        assert np.unique(plane[look_ups > 0]).tolist() == planes
        assert look_ups.max() == 2


def test_messages_look_up_in_the_order_in_which_they_begin_if_all_hit():
    # A cache of one entry: a node sends to 1, 2 and 1 again; delays decide on the order, and ties on the list.
    network = with_cache(Network(Torus(shape=(3,), node_cable_m=2.0)), entries=1, ways=1, start="cold")
    for delays_ps, misses in (((0, 2, 1), 2), ((0, 1, 2), 3), ((5, 5, 5), 3), ((1, 0, 1), 2)):
        messages = MessageList(3, *map(np.array, ([0] * 3, [1, 2, 1], [8] * 3, delays_ps, [0] * 4, [])))
        messages = replace(messages, delay_ps=1000 * messages.delay_ps)
        _, look_ups, hits = NetworkFluidModel(network, messages).look_ups
        at_node = 6  # ports of six cables come before those of nodes
        assert (int(look_ups[at_node]), int(look_ups[at_node] - hits[at_node])) == (3, misses)
    # Many that begin together miss where the list goes on to the other destination.
    destination, late = np.random.default_rng(1).integers((1, 0), (3, 2), size=(400, 2)).T
    messages = MessageList(3, np.zeros(400), destination, np.full(400, 8), 1000 * late, np.zeros(401), np.zeros(0))
    _, look_ups, hits = NetworkFluidModel(network, messages).look_ups
    in_order = [*destination[late == 0], *destination[late == 1]]
    assert look_ups[at_node] - hits[at_node] == 1 + np.count_nonzero(np.diff(in_order))


def test_what_no_run_is_needed_for_does_not_depend_on_misses():
    network = with_cache(Network(Torus(shape=(4, 4), node_cable_m=2.0)), start="cold")
    work = stencil((4, 4), 10_000, iterations=2)
    warm = replace(network, site=Site(layout=None, switch=replace(SWITCH, cache=RoutingCache())))
    names = ("synchronised", "bottleneck", "total")
    assert plane_score_ns(network, work, names) == plane_score_ns(warm, work, names)
    cold, hits = plane_times(network, work), plane_times(warm, work)
    assert cold.completion_ns > hits.completion_ns
    assert cold == replace(hits, **{name: getattr(cold, name) for name in vars(cold) if "completion" in name})
    assert [len(counts) for counts in plane_look_ups(warm, work)] == [0, 0]


def test_networks_with_circuits_refuse_caches_that_may_miss():
    overlay = OpticalOverlay(packet=Torus(shape=(4,), node_cable_m=2.0), group_size=2)
    sent = all_to_all(4, 1000).message_list()
    assert FluidModel(overlay, sent, site=with_cache(Network(overlay)).site).times(Circuits(), by_switch(4))
    cold = with_cache(Network(overlay), start="cold").site
    require_refusal(
        lambda: FluidModel(overlay, sent, site=cold),
        "^switch.cache.start=cold: times with circuits take the delay of a switch as one number; expected warm$",
    )


@for_each(("network", "start"), product((GRID, direct_torus((3, 3), cable_mm=1000)), ("cold", "warm", "exchange")))
def test_the_simulator_of_flits_has_the_same_look_ups_and_delays(network, start):
    network = with_cache(network, entries=6, ways=2, start=start)
    pairs = np.random.default_rng(2).integers(network.nodes, size=(150, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]].tolist()
    run = one_by_one(network, replace(HARDWARE, switch=network.site.switch), pairs)
    spaced = MessageList(
        network.nodes, *np.array(pairs).T, np.full(len(pairs), PACKET_BYTES), 10**8 * np.arange(len(pairs)),
        np.zeros(len(pairs) + 1), np.zeros(0),
    )  # fmt: skip
    model = NetworkFluidModel(network, spaced)
    _, look_ups, hits = model.look_ups
    assert run.look_ups()[:, :5].sum(axis=1).tolist() == look_ups.tolist()
    assert run.look_ups()[:, :2].sum(axis=1).tolist() == hits.tolist()
    flits_ns = (run.listed_arrived() - run.listed_created()) * float(run.hardware.tick_ns)
    # In a direct network, the switch of the source has all flits at once: the first one saves the time of a flit.
    saved_ns = float(run.hardware.flit_ns) if network.node_cable_mm is None else 0
    assert flits_ns.tolist() == (model.arrivals_ns() - spaced.delay_ps / 1000 - saved_ns).tolist()
    assert 0 < hits.sum() < look_ups.sum()


def test_equation_4_has_a_switch_more_than_a_direct_network_whose_destination_is_in_the_last_one():
    for assumed_cable_m, more in ((2.0, 0), (None, 1)):
        switch = replace(SWITCH, cache=RoutingCache())
        network = Network(Torus(shape=(5, 3), node_cable_m=assumed_cable_m), Site(switch=switch))
        farthest = int(np.argmax([len(torus_route((5, 3), 0, node)) for node in range(15)]))
        messages, _ = chain(15, [(0, farthest)])
        exact = general_exact(network)
        largest_ns = Fraction(exact.max_delay, exact.max_delay_parts * network.delay_units.per_ns)
        alone_ns = int(NetworkFluidModel(network, messages).arrivals_ns()[0])
        assert largest_ns == alone_ns + more * (DELAY_NS - ROUTING_NS + HIT_NS)
