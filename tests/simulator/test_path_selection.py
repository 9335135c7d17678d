"""Valiant and UGAL-L routing: paths, bounds on throughput, and throughput under adversarial traffic."""

from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Network
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.polar_fly import PolarFly
from isoplane.models.families.slim_fly import SlimFly
from isoplane.models.families.torus import Torus
from isoplane.simulator import Hardware, Scenario, Simulation, Traffic, throughput_bound
from isoplane.simulator.flits.plan import region_nodes
from tests.cases import for_each, require_refusal
from tests.models.detours import detours_between, minimal

from .networks import send_one_by_one

DRAGONFLY = Network(Dragonfly(switches_per_group=4, global_ports=2, groups=9, nodes_per_switch=2))  # 72 nodes
SELECTIONS = ("minimal", "valiant", "ugal")
OTHERS = [
    Network(HyperX(shape=(3, 3), nodes_per_switch=2, routing="shortest")),
    Network(PolarFly(q=2, nodes_per_switch=2)),
    Network(SlimFly(q=3, nodes_per_switch=2)),
    Network(Dragonfly(groups=4, arrangement="absolute")),  # two cables between groups
]
RING = Network(Torus(shape=(4, 4)))


def run(network, selection, traffic, until, seed=1, **settings):
    """Return a simulation after a number of ticks from empty queues; nothing is lost, and nothing deadlocks."""
    simulation = Simulation(network, Hardware(path_selection=selection, **settings), traffic, seed)
    simulation.run(until)
    assert simulation.audit() is None
    assert not simulation.deadlock
    return simulation


def accepted(simulation):
    """Return the mean accepted load since the beginning."""
    flit_times = simulation.now / simulation.hardware.speedup
    return simulation.totals()["flits_arrived"] / flit_times / simulation.network.nodes


def global_flits(simulation):
    """Return the flit times of the global cables of a dragonfly, as (from group, to group, flit times)."""
    a, family = simulation.network.family.switches_per_group, simulation.network.family
    busy = simulation.link_busy().astype(int) / simulation.hardware.speedup
    return [
        (start // a, end // a, flits)
        for (start, end, _), flits in zip(simulation.links().astype(int).tolist(), busy.tolist(), strict=True)
        if max(start, end) < family.switches and start // a != end // a
    ]


def test_minimal_paths_saturate_one_cable_which_valiant_and_ugal_relieve():
    # Of 8 nodes per group, all to the next one, from empty queues: every packet crosses the cable to it, or two of the
    # 7 other cables of each group, so that at most 1 + 7 / 2 packets of 8 arrive in a packet time.
    found = {}
    for selection in SELECTIONS:
        simulation = run(DRAGONFLY, selection, group_shift(DRAGONFLY), 12_000)
        found[selection] = accepted(simulation)
        cables = global_flits(simulation)
        direct = sum(flits for one, other, flits in cables if other == (one + 1) % 9)
        other = sum(flits for _, _, flits in cables) - direct
        assert (other == 0, direct == 0) == (selection == "minimal", selection == "valiant")
    assert 0.97 / 8 < found["minimal"] <= 1 / 8
    assert 2.5 / 8 < found["valiant"] <= 3.5 / 8
    assert 2.5 / 8 < found["ugal"] <= 4.5 / 8


@settings(max_examples=8)
@given(st.sampled_from(SELECTIONS), st.integers(1, 8), st.integers(0, 1 << 32))
def test_packets_between_groups_cross_one_global_cable_or_two_over_another_group(selection, offset, seed):
    traffic = group_shift(DRAGONFLY, offset, load=0.5, max_created=1000)
    simulation = run(DRAGONFLY, selection, traffic, 1 << 20, seed)
    assert simulation.ended
    assert simulation.totals()["messages_arrived"] == 1000
    direct = crossed = 0
    for one, other, flits in global_flits(simulation):
        crossed += flits
        direct += flits if (one + offset) % 9 == other else 0
    assert 2 * 8000 - direct == crossed  # 8 flits per packet; detours never cross a cable of a direct path
    assert {"minimal": direct == 8000, "valiant": direct == 0, "ugal": 0 < direct < 8000}[selection]
    hops = simulation.by_distance()[:, 0]
    assert hops.sum() == 1000
    assert (
        set(np.flatnonzero(hops)) <= {"minimal": {1, 2, 3}, "valiant": {2, 3, 4, 5}, "ugal": {1, 2, 3, 4, 5}}[selection]
    )


@for_each("network", [DRAGONFLY, *OTHERS])
def test_single_packets_take_minimal_paths_with_ugal_and_all_detours_evenly_with_valiant(network):
    plane, detours = network.planes[0], network.detours[0]
    source, destination, count = 0, network.nodes - 1, 400
    ends = int(plane.node_switch[source]), int(plane.node_switch[destination])
    pairs, spacing = [(source, destination)] * count, 2000
    shortest = send_one_by_one(network, Hardware(), pairs, spacing)
    ugal = send_one_by_one(network, Hardware(path_selection="ugal"), pairs, spacing)
    assert ugal.totals() == shortest.totals()
    assert ugal.link_busy().tolist() == shortest.link_busy().tolist()
    valiant = send_one_by_one(network, Hardware(path_selection="valiant"), pairs, spacing)
    lengths = Counter(len(path) for path in detours_between(plane, detours, *ends))
    regions = sum(lengths.values())
    assert regions == detours.regions - 2
    arrived = valiant.by_distance()[:, 0]
    for hops in range(len(arrived)):
        chance = lengths[hops] / regions
        deviation = (count * chance * (1 - chance)) ** 0.5
        assert abs(int(arrived[hops]) - count * chance) <= 5 * deviation


@for_each("selection", SELECTIONS)
def test_packets_within_a_group_take_the_direct_link(selection):
    pairs = [(source, destination) for source in range(8) for destination in range(8) if source != destination]
    engine = send_one_by_one(DRAGONFLY, Hardware(path_selection=selection), pairs, 2000)
    assert engine.by_distance()[:, 0].tolist() == [8, 48]  # two nodes at each of four switches


def test_a_large_bias_keeps_all_packets_on_minimal_paths():
    traffic = group_shift(DRAGONFLY)
    minimal_run, biased = (
        run(DRAGONFLY, selection, traffic, 4000, ugal_bias=bias, virtual_channels=3)
        for selection, bias in (("minimal", 0), ("ugal", 1 << 40))
    )
    assert sum(flits for i, j, flits in global_flits(biased) if (i + 1) % 9 != j) == 0
    assert 0.9 * accepted(minimal_run) < accepted(biased) <= 1 / 8


@for_each("selection", SELECTIONS)
def test_a_seed_determines_the_run_and_pauses_do_not_change_it(selection):
    def states(seed, step):
        simulation = Simulation(DRAGONFLY, Hardware(path_selection=selection), group_shift(DRAGONFLY, load=0.4), seed)
        for until in range(step, 3001, step):
            simulation.run(until)
        return simulation.totals(), simulation.link_busy().tolist(), simulation.histogram().tolist()

    assert states(7, 3000) == states(7, 3000) == states(7, 100)
    assert states(7, 3000) != states(8, 3000)


@settings(max_examples=12)
@given(
    st.sampled_from([DRAGONFLY, *OTHERS, Network(HyperX(shape=(4,), nodes_per_switch=1, node_cable_m=None))]),
    st.sampled_from(("valiant", "ugal")),
    st.sampled_from(("virtual_cut_through", "wormhole", "store_and_forward")),
    st.integers(1, 3),
)
def test_full_buffers_do_not_deadlock(network, selection, flow_control, offset):
    # Buffers of one packet, and nodes that offer far more than the network can carry.
    channels = network.detours[0].channels.classes
    simulation = run(
        network,
        selection,
        group_shift(network, min(offset, network.nodes // region_nodes(network) - 1), load=1.5, max_created=600),
        1 << 20,
        flow_control=flow_control,
        virtual_channels=channels,
        buffer_flits=8 if flow_control != "wormhole" else 2,
        output_flits=2,
        deadlock_check_flits=32,
    )
    assert simulation.ended
    assert simulation.totals()["packets_arrived"] == 600


def test_group_shift_sends_to_all_nodes_of_the_other_group_evenly():
    traffic = group_shift(DRAGONFLY, 3, load=0.1, max_created=7200)
    pairs = [(0, destination) for destination in range(1, 72)]
    simulation = Simulation(DRAGONFLY, Hardware(), traffic, 1, pairs)
    simulation.run(1 << 20)
    sent, received = simulation.by_pair()[:, 0], simulation.received().astype(int)
    assert np.flatnonzero(sent).tolist() == list(range(23, 31))  # nodes 24 to 31 of group 3
    assert received.sum() == 7200
    assert abs(received - 100).max() < 5 * 10  # standard deviation 10 or less


@for_each(
    ("network", "hardware", "traffic", "message"),
    [
        (RING, {"path_selection": "valiant"}, {}, "hardware.path_selection=valiant:"),
        (DRAGONFLY, {"path_selection": "ugal", "virtual_channels": 2}, {}, "hardware.virtual_channels=2: too few for"),
        (DRAGONFLY, {"path_selection": "adaptive"}, {}, "hardware.path_selection=adaptive: expected minimal, valiant,"),
        (DRAGONFLY, {"path_selection": "valiant", "ugal_bias": 8}, {}, "hardware.ugal_bias=8: has no effect with"),
        (DRAGONFLY, {"ugal_bias": -1}, {}, "hardware.ugal_bias=-1: expected an integer from 0 to 1099511627776"),
        (DRAGONFLY, {}, {"offset": 2}, "traffic.offset=2: has no effect with pattern=uniform; allowed with"),
        (DRAGONFLY, {}, {"pattern": "group_shift"}, "traffic.group_nodes=null: expected the nodes of a group, with"),
        (DRAGONFLY, {}, {"pattern": "group_shift", "group_nodes": 7}, "traffic.group_nodes=7: expected a divisor of"),
        (DRAGONFLY, {}, {"pattern": "group_shift", "group_nodes": 8, "offset": 9}, "traffic.offset=9: expected an"),
    ],
)
def test_wrong_options_are_rejected_in_one_line(network, hardware, traffic, message):
    require_refusal(lambda: Simulation(network, Hardware(**hardware), Traffic(load=1, **traffic), 1), f"^{message}")


def test_groups_of_traffic_are_regions_of_equally_many_nodes():
    assert region_nodes(DRAGONFLY) == 8
    assert region_nodes(OTHERS[0]) == 2  # by switch
    require_refusal(lambda: region_nodes(RING), "^traffic.group_nodes=null: network=torus has no regions; expected")


def loads(network, pairs, selection):
    """Return the load of each link, packet by packet, if every packet takes each of its paths with equal probability.

    `pairs` are (source node, destination node, packets); links are (switch, port), ("out", node) and ("in", node).
    """
    plane, detours = network.planes[0], network.detours[0]
    found = Counter()
    for source, destination, packets in pairs:
        found["out", source] += packets
        found["in", destination] += packets
        ends = int(plane.node_switch[source]), int(plane.node_switch[destination])
        paths = [minimal(plane, *ends)] if selection == "minimal" else detours_between(plane, detours, *ends)
        for path in paths:
            for link in path:
                found[link] += Fraction(packets, len(paths))
    return found


def shifted(network, offset):
    """Return the pairs of nodes of group-shift traffic, with one packet in total of each source."""
    size, nodes = region_nodes(network), range(network.nodes)
    groups = len(nodes) // size
    return [(s, d, Fraction(1, size)) for s in nodes for d in nodes if (s // size + offset) % groups == d // size]


@for_each("selection", ["minimal", "valiant"])
@for_each("network", OTHERS)
def test_the_bound_is_the_inverse_load_of_the_busiest_link_over_all_paths(network, selection):
    hardware, nodes = Hardware(path_selection=selection), range(network.nodes)
    uniform = [(s, d, Fraction(1, network.nodes - 1)) for s in nodes for d in nodes if s != d]
    assert throughput_bound(network, "uniform", hardware) == 1 / max(loads(network, uniform, selection).values())
    ahead = loads(network, shifted(network, 2), selection)
    assert throughput_bound(network, group_shift(network, 2), hardware) == 1 / max(ahead.values())
    destinations = (5 * np.arange(network.nodes) + 1) % network.nodes
    table = [(source, int(destinations[source]), Fraction(1)) for source in nodes]
    bound = throughput_bound(network, destinations, hardware)
    assert bound == 1 / max(loads(network, table, selection).values())
    assert bound == throughput_bound(network, Traffic("table", load=1, table=tuple(destinations.tolist())), hardware)


@for_each("h", [2, 3, 4])
def test_adversarial_traffic_over_balanced_dragonflies_has_the_bounds_of_the_formulas(h):
    # a = 2h switches per group and p = h nodes per switch. Minimal: a p nodes share a cable. Valiant, next group: the
    # a h - 1 other cables of a group carry the first and the second half of a p packets. Valiant, h groups ahead: all h
    # cables into a switch of an intermediate group lead on to h cables of the next switch, over one local link, which
    # also carries the first hop of p nodes to h groups, and the last hop of h cables to one of a switches.
    a, p = 2 * h, h
    network = Network(Dragonfly(switches_per_group=a, global_ports=h, groups=a * h + 1, nodes_per_switch=p))
    valiant = Hardware(path_selection="valiant")
    assert throughput_bound(network, group_shift(network)) == Fraction(1, a * p)
    assert throughput_bound(network, group_shift(network), valiant) == Fraction(a * h - 1, 2 * a * p)
    local = throughput_bound(network, group_shift(network, h), valiant)
    assert local == Fraction(a * h - 1, h * a * p + p * h + h * p) < Fraction(1, h)


def test_the_guess_of_the_saturation_is_the_bound_and_with_ugal_the_better_one_of_both():
    def guess(selection):
        return Scenario(DRAGONFLY, Hardware(path_selection=selection), group_shift(DRAGONFLY)).saturation_guess()

    assert [guess(selection) for selection in SELECTIONS] == [Fraction(1, 8), Fraction(7, 16), Fraction(7, 16)]


def test_ugal_has_no_bound():
    ugal = Hardware(path_selection="ugal")
    require_refusal(lambda: throughput_bound(DRAGONFLY, "uniform", ugal), "^hardware.path_selection=ugal: no bound")


def group_shift(network, offset=1, load=1.0, **settings):
    return Traffic("group_shift", load=load, group_nodes=region_nodes(network), offset=offset, **settings)
