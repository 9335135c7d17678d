import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import (
    InputError,
    Plane,
    Timing,
    Topology,
    cable_table,
    dual_cube,
    uniform_attachment,
)
from isoplane.models.routing import forwarding_table, shared_tables, torus_order
from isoplane.models.topologies import torus
from tests.assembled import assembled
from tests.cases import for_each
from tests.models.trees import two_levels
from tests.strategies import bases_up_to

RING = Plane(torus((4,)), np.zeros((4, 2), dtype=np.int64), np.arange(4), routes=torus_order((4,)))


def tree_plane():
    """Return a plane of four leaves with four nodes each, below two spines."""
    topology, table, target_switch = two_levels()
    return Plane(topology, np.zeros(topology.peer.shape), target_switch, 0, routes=shared_tables(table, target_switch))


@given(bases_up_to(6), st.booleans())
def test_the_cables_of_every_generator_add_up_to_the_cable_table(connections, folded):
    network = dual_cube(connections.n, connections.generators, folded)
    table = cable_table(network.family.n, network.site.layout, network.site.prices)
    for plane, cube in zip(network.planes, network.family.planes, strict=True):
        assert plane.cable_mm.sum(axis=0).tolist() == [int(table.length_mm[link]) for link in cube.links]


@for_each(
    ("fields", "message"),
    [
        ({"routes": torus_order((5,))}, "routes: 5 switches; expected 4, as in the topology"),
        ({"cable_mm": np.zeros((4, 3))}, "plane.cable_mm: an array of shape (4, 3); expected (4, 2)"),
        ({"cable_mm": np.full((4, 2), -1)}, "plane.cable_mm=-1 at switch 0 port 0: expected a length of at least 0"),
        ({"node_switch": [0, 4]}, "plane.node_switch[1]=4: expected an integer from 0 to 3"),
        ({"node_switch": [[0, 1]]}, "plane.node_switch: an array of shape (1, 2); expected one switch per node"),
        (
            {"node_switch": [2] * 1025, "node_cable_mm": 0},
            "plane.node_switch: switch 2 has 1025 nodes; expected at most 1024",
        ),
        ({"cable_mm": np.arange(8).reshape(4, 2)}, "plane.cable_mm=0 at switch 0 port 0: expected a length of at"),
    ],
)
def test_a_plane_of_inconsistent_parts_is_rejected(fields, message):
    with pytest.raises(InputError, match=re.escape(message)):
        replace(RING, **fields)


def test_in_a_tree_only_leaves_have_nodes():
    network = assembled("tree", (tree_plane(),))
    assert (network.nodes, network.plane_switches) == (16, (6,))
    with pytest.raises(InputError, match=re.escape("routes.column=0 of node 0: leads to switch 0; expected columns")):
        replace(tree_plane(), node_switch=np.flip(tree_plane().node_switch))


@for_each(("switches", "nodes_per_switch"), [(0, 1), (1, 0), (4, 1025), (2, 1.5)])
def test_uniform_attachment_requires_valid_numbers_of_switches_and_nodes(switches, nodes_per_switch):
    with pytest.raises(InputError, match="expected an integer"):
        uniform_attachment(switches, nodes_per_switch)


def test_a_length_without_a_cable_is_rejected():
    cable_mm = np.zeros((4, 4))
    cable_mm[2, 3] = 5
    with pytest.raises(InputError, match=re.escape("plane.cable_mm=5 at switch 2 port 3: expected")):
        Plane(torus((2, 2)), cable_mm, np.arange(4), routes=torus_order((2, 2)))


def test_a_disconnected_plane_is_rejected():
    pairs = Topology(np.array([[1], [0], [3], [2]]), np.zeros((4, 1)))
    message = "topology: no cables lead from switch 0 to switch 2; expected connected switches"
    with pytest.raises(InputError, match=re.escape(message)):
        Plane(pairs, np.zeros((4, 1)), np.arange(4), routes=torus_order((4,)))


@for_each(
    ("planes", "message"),
    [
        (lambda: (), "network.planes: none; expected at least one"),
        (
            lambda: (RING, Plane(torus((5,)), np.zeros((5, 2)), np.arange(5), routes=torus_order((5,)))),
            "network.planes: planes of [4, 5] nodes; expected planes over the same nodes",
        ),
        (
            lambda: (replace(RING, node_switch=uniform_attachment(4, 2)),),
            "plane.node_switch: 8 nodes at 4 switches; expected node i at switch i in a direct network",
        ),
        (lambda: (RING, replace(RING, node_cable_mm=0)), "network.planes: node cables of several lengths"),
        (lambda: (replace(RING, node_cable_mm=-1),), "plane.node_cable_mm=-1: expected an integer of at least 0"),
    ],
)
def test_inconsistent_planes_are_rejected(planes, message):
    with pytest.raises(InputError, match=re.escape(message)):
        assembled("ring", planes())


def test_a_node_may_have_several_links_or_none():
    plane = Plane(
        torus((4,)), RING.cable_mm, np.array([0, 0, 2, 3]), 0, np.array([0, 2, 2, 3, 4]), routes=torus_order((4,))
    )
    assert plane.nodes == 4
    assert plane.node.tolist() == [0, 0, 2, 3]  # node 1 has none
    assert plane.ports_used.tolist() == [4, 2, 3, 3]


@for_each("starts", [[0, 1, 2, 3], [1, 2, 3, 4, 4], [0, 2, 1, 3, 4], [4]])
def test_node_starts_that_do_not_cover_the_node_links_are_rejected(starts):
    with pytest.raises(InputError, match=r"plane.node_start: expected ascending integers from 0 to 4"):
        Plane(torus((4,)), RING.cable_mm, np.arange(4), 0, np.array(starts), routes=torus_order((4,)))


def test_a_node_of_a_direct_network_has_one_link():
    with pytest.raises(InputError, match=r"plane.node_start: expected one link per node in a direct network"):
        Plane(torus((4,)), RING.cable_mm, np.arange(4), None, np.array([0, 2, 2, 3, 4]), routes=torus_order((4,)))


def test_a_link_has_the_same_rate_at_both_ends():
    rates = np.full((4, 2), 1000)
    assert replace(RING, timing=Timing(rate_mbps=rates)).timing.rate_mbps is not None
    rates[2, 1] = 500
    with pytest.raises(
        InputError, match=r"plane.rate_mbps=1000 at switch 1 port 0: expected the same value at both ends"
    ):
        replace(RING, timing=Timing(rate_mbps=rates))


@for_each(
    ("timing", "message"),
    [
        (Timing(rate_mbps=np.zeros((4, 2))), "plane.rate_mbps=0: expected an integer of at least 1"),
        (Timing(delay_ps=np.zeros((2, 4))), r"plane.delay_ps: an array of shape \(2, 4\); expected \(4, 2\)"),
        (
            Timing(switch_delay_ps=np.array([0, 1, -1, 0])),
            "plane.switch_delay_ps=-1: expected an integer of at least 0",
        ),
        (Timing(node_rate_mbps=np.ones(3)), r"plane.node_rate_mbps: an array of shape \(3,\); expected \(4,\)"),
    ],
)
def test_timing_that_does_not_match_the_plane_is_rejected(timing, message):
    with pytest.raises(InputError, match=message):
        replace(RING, timing=timing)


def test_other_routes_leave_the_rates_of_a_plane_as_they_are():
    stated = replace(RING, timing=Timing(rate_mbps=np.full((4, 2), 1000)))
    other = stated.routed(forwarding_table(RING.topology))
    assert other.timing is stated.timing
    assert other.routes is not stated.routes
