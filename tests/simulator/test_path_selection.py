"""Valiant and UGAL-L routing: paths, and throughput under adversarial traffic."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError, Network
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.torus import Torus
from isoplane.simulator import Hardware, Simulation, Traffic
from isoplane.simulator.flits.regions import region_nodes
from tests.cases import for_each
from tests.models.detours import detours_between

from .detours import DRAGONFLY, OTHERS, SELECTIONS, group_shift
from .networks import send_one_by_one


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
        (
            Network(Torus(shape=(4, 4))),
            {"path_selection": "valiant"},
            {},
            "hardware.path_selection=valiant: network=torus has no detours; allowed with network=dragonfly, hyperx, "
            "polar_fly, slim_fly",
        ),
        (
            DRAGONFLY,
            {"path_selection": "ugal", "virtual_channels": 2},
            {},
            "hardware.virtual_channels=2: too few for the channel classes of the routing; expected at least 3",
        ),
        (
            DRAGONFLY,
            {"path_selection": "adaptive"},
            {},
            "hardware.path_selection=adaptive: expected minimal, valiant, ugal",
        ),
        (
            DRAGONFLY,
            {"path_selection": "valiant", "ugal_bias": 8},
            {},
            "hardware.ugal_bias=8: has no effect with path_selection=valiant; allowed with "
            "hardware.path_selection=ugal",
        ),
        (
            DRAGONFLY,
            {"ugal_bias": -1},
            {},
            "hardware.ugal_bias=-1: expected an integer from 0 to 1099511627776",
        ),
        (
            DRAGONFLY,
            {},
            {"offset": 2},
            "traffic.offset=2: has no effect with pattern=uniform; allowed with traffic=group_shift",
        ),
        (
            DRAGONFLY,
            {},
            {"pattern": "group_shift"},
            "traffic.group_nodes=null: expected the nodes of a group, with pattern group_shift",
        ),
        (
            DRAGONFLY,
            {},
            {"pattern": "group_shift", "group_nodes": 7},
            "traffic.group_nodes=7: expected a divisor of 72, the number of nodes",
        ),
        (
            DRAGONFLY,
            {},
            {"pattern": "group_shift", "group_nodes": 8, "offset": 9},
            "traffic.offset=9: expected an integer from 1 to 8",
        ),
    ],
)
def test_wrong_options_are_rejected_in_one_line(network, hardware, traffic, message):
    with pytest.raises(InputError) as caught:
        Simulation(network, Hardware(**hardware), Traffic(load=1, **traffic), 1)
    assert str(caught.value) == message


def test_groups_of_traffic_are_regions_of_equally_many_nodes():
    assert region_nodes(DRAGONFLY) == 8
    assert region_nodes(OTHERS[0]) == 2  # by switch
    with pytest.raises(InputError, match=r"^traffic.group_nodes=null: network=torus has no regions; expected"):
        region_nodes(Network(Torus(shape=(4, 4))))
