from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Layout, PriceList, Topology, cable_lengths_mm
from isoplane.models.cabling import racks
from isoplane.models.cabling.rack_partition import bisected, partition
from isoplane.models.cabling.racks import RackAssignment, assign_racks, total_cable_mm
from isoplane.models.families.torus import Torus
from isoplane.models.topologies import graph
from tests.cases import for_each

ANY_GRID = Layout(aspects=())
RULES = ("in_order", "metis", "search")
LONG = PriceList(cables_usd={1: 1, 3: 2, 5: 3, 400: 4})


@st.composite
def racked(draw):
    """A connected graph, nodes at its switches and a layout that can hold them."""
    switches = draw(st.integers(2, 24))
    ends = st.integers(0, switches - 1)
    chords = draw(st.lists(st.tuples(ends, ends).filter(lambda pair: pair[0] != pair[1]), max_size=40))
    tree = [(draw(st.integers(0, switch - 1)), switch) for switch in range(1, switches)]
    edges = sorted({(min(edge), max(edge)) for edge in tree + chords})
    nodes = draw(st.lists(st.integers(0, 4), min_size=switches, max_size=switches))
    layout = replace(
        ANY_GRID,
        switches_per_rack=draw(st.integers(1, 6)),
        nodes_per_rack=draw(st.none() | st.integers(max(4, max(nodes)), 12)),
        pitch_across_m=draw(st.sampled_from([0.6, 0.8, 3.0])),
        seed=draw(st.integers(0, 3)),
    )
    return graph(edges, switches), np.array(nodes), layout


def needed_by_hand(assignment, layout, switch, other):
    rack, other_rack = int(assignment.rack[switch]), int(assignment.rack[other])
    if rack == other_rack:
        return round(1000 * layout.rack_cable_m)
    across, _ = layout.grid_of(len(assignment.positions_mm))
    apart_m = abs(rack % across - other_rack % across) * layout.pitch_across_m
    apart_m += abs(rack // across - other_rack // across) * layout.pitch_deep_m
    return round(1000 * (apart_m + layout.slack_m))


def cables(topology):
    """Both ends of every cable, once each."""
    for (switch, port), other in np.ndenumerate(topology.peer):
        if other >= 0 and (switch, port) < (other, topology.peer_port[switch, port]):
            yield switch, int(other)


@given(racked(), st.sampled_from(RULES))
@settings(max_examples=80, deadline=None)
def test_no_rack_exceeds_a_capacity_and_every_rack_has_a_place(case, rule):
    topology, nodes, layout = case
    found = assign_racks(topology, nodes, replace(layout, assignment=rule))
    count = len(found.positions_mm)
    switches = np.bincount(found.rack, minlength=count)
    assert switches.sum() == topology.switches
    assert len(switches) == count
    assert switches.max() <= layout.switches_per_rack
    assert np.bincount(found.rack, nodes).max() <= (layout.nodes_per_rack or nodes.sum())
    assert len({tuple(position) for position in found.positions_mm.tolist()}) == count


@given(racked(), st.sampled_from(RULES))
@settings(max_examples=40, deadline=None)
def test_lengths_are_those_of_every_single_cable(case, rule):
    topology, nodes, layout = case
    layout = replace(layout, assignment=rule)
    found = assign_racks(topology, nodes, layout)
    needed = {(a, b): needed_by_hand(found, layout, a, b) for a, b in cables(topology)}
    assert total_cable_mm(topology, found) == sum(needed.values())
    lengths = cable_lengths_mm(topology, found, LONG)
    for (switch, port), other in np.ndenumerate(topology.peer):
        required = needed[min(switch, other), max(switch, other)] if other >= 0 else 0
        assert lengths[switch, port] == min(mm for mm in (0, 1000, 3000, 5000, 400000) if mm >= required)


@given(racked())
@settings(max_examples=40, deadline=None)
def test_the_search_is_never_worse_than_either_start(case):
    topology, nodes, layout = case
    length = {}
    for rule in RULES:
        length[rule] = total_cable_mm(topology, assign_racks(topology, nodes, replace(layout, assignment=rule)))
    assert length["search"] <= min(length["in_order"], length["metis"])


@given(racked())
@settings(max_examples=60, deadline=None)
def test_in_order_racks_hold_consecutive_switches_and_a_new_one_begins_only_when_a_capacity_is_reached(case):
    topology, nodes, layout = case
    rack = assign_racks(topology, nodes, layout).rack.tolist()
    assert rack[0] == 0
    for switch in range(1, topology.switches):
        own = [other for other in range(switch) if rack[other] == rack[switch - 1]]
        full = len(own) == layout.switches_per_rack
        crowded = layout.nodes_per_rack is not None and nodes[[*own, switch]].sum() > layout.nodes_per_rack
        assert rack[switch] == rack[switch - 1] + (full or crowded)


def shortest_of_all(topology, layout):
    """The least total length over all assignments of at most `switches_per_rack` switches to as many racks."""
    racks = len(layout.positions_mm(topology.switches))
    least = 1 << 60
    for number in range(racks**topology.switches):
        rack = np.array([number // racks**i % racks for i in range(topology.switches)], dtype=np.int32)
        if np.bincount(rack).max() <= layout.switches_per_rack:
            found = replace(assign_racks(topology, None, replace(layout, assignment="in_order")), rack=rack)
            least = min(least, total_cable_mm(topology, found))
    return least


@for_each("seed", range(3))
def test_the_search_finds_the_shortest_assignment_of_six_switches(seed):
    chords = np.random.default_rng(seed).permutation(6)
    edges = [(i, (i + 1) % 6) for i in range(6)] + [tuple(sorted(chords[:2].tolist())), (0, 3)]
    topology = graph(sorted({(min(a, b), max(a, b)) for a, b in edges}), 6)
    layout = Layout(switches_per_rack=2, racks_across=3, racks_deep=1, assignment="search", pitch_across_m=4.0)
    assert total_cable_mm(topology, assign_racks(topology, None, layout)) == shortest_of_all(topology, layout)


def test_a_seed_decides_the_assignment():
    topology = Torus(shape=(5, 5, 4)).topology()
    by_seed = [
        assign_racks(topology, None, replace(ANY_GRID, assignment="search", seed=seed)).rack.tolist()
        for seed in (1, 1, 2)
    ]
    assert by_seed[0] == by_seed[1]
    assert by_seed[0] != by_seed[2]


def test_the_search_shortens_the_cables_of_a_torus_with_shuffled_ids_by_half():
    torus = Torus(shape=(6, 6, 6)).topology()
    new = np.random.default_rng(5).permutation(216)
    old = np.argsort(new)
    shuffled = Topology(new[torus.peer[old]], torus.peer_port[old])
    length = {
        rule: total_cable_mm(shuffled, assign_racks(shuffled, None, replace(ANY_GRID, assignment=rule)))
        for rule in RULES
    }
    assert length["search"] < length["metis"] < 0.6 * length["in_order"]
    assert length["search"] < 0.5 * length["in_order"]


def test_lengths_that_no_table_holds_lead_to_the_same_racks():
    # A distance of 40 pitches across, above 2^31 mm, is computed at each use; all decisions only compare lengths.
    topology = Torus(shape=(5, 4, 4)).topology()
    near = Layout(
        switches_per_rack=2, racks_across=40, racks_deep=1, assignment="search", pitch_across_m=1.0, slack_m=0
    )
    far = replace(near, pitch_across_m=1e6, rack_cable_m=near.rack_cable_m * 1e6)
    assert np.array_equal(*(assign_racks(topology, None, layout).rack for layout in (near, far)))


@given(st.integers(1, 60), st.integers(1, 12))
def test_a_bisection_of_the_floor_has_every_place_once_and_compact_halves(racks, across):
    positions = np.stack([np.arange(racks) % across * 800, np.arange(racks) // across * 2500], axis=1)
    order = bisected(positions)
    assert sorted(order) == list(range(racks))
    first, second = positions[order[: racks // 2]], positions[order[racks // 2 :]]
    if racks > 1:  # the halves are on either side of a line across the longer side
        side = int(np.argmax(np.ptp(positions, axis=0)))
        assert first[:, side].max() <= second[:, side].min()


@given(racked())
@settings(max_examples=60, deadline=None)
def test_a_partition_reports_whether_capacities_hold(case):
    topology, nodes, layout = case
    count = len(assign_racks(topology, nodes, layout).positions_mm)
    rack, fits = partition(topology, nodes, count, layout)
    held = np.bincount(rack, nodes).max() <= (layout.nodes_per_rack or nodes.sum())
    assert fits == (held and np.bincount(rack).max() <= layout.switches_per_rack)


def test_racks_are_filled_in_the_order_of_the_parts_if_these_do_not_fit(monkeypatch):
    topology = graph([(i, i + 1) for i in range(5)], 6)
    layout = replace(ANY_GRID, switches_per_rack=2, assignment="metis")
    parts = np.array([1, 0, 1, 0, 0, 0], dtype=np.int32)
    monkeypatch.setattr(racks, "partition", lambda *_: (parts, False))
    # in the order of the parts: 1, 3 | 4, 5 | 0, 2
    assert assign_racks(topology, None, layout).rack.tolist() == [2, 0, 2, 0, 1, 1]


def test_multiple_cables_count_separately():
    double = Topology(np.array([[1, 1], [0, 0]]), np.array([[0, 1], [0, 1]]))
    apart = assign_racks(double, None, replace(ANY_GRID, switches_per_rack=1))
    assert isinstance(apart, RackAssignment)
    assert total_cable_mm(double, apart) == 2 * 2_800  # 0.8 m apart + 2 m slack
