"""Topologies, planes and their failures: what they refuse, and how nodes are attached."""

import pickle
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import (
    InputError,
    Network,
    Plane,
    PriceList,
    Site,
    Timing,
    Topology,
    cable_table,
    dual_cube,
    uniform_attachment,
)
from isoplane.models.failures.failure_model import FailureModel
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.planes import PlanesFamily
from isoplane.models.paths.path_shares import paths_between
from isoplane.models.routing import (
    forwarding_table,
    shared_tables,
    torus_order,
)
from isoplane.models.topologies import graph, graph_cables_mm, rdt, torus
from isoplane.models.topologies.rdt import ALPHA
from isoplane.objectives.general import general_exact, general_metrics
from tests.assembled import assembled
from tests.cases import for_each, require_refusal
from tests.models.trees import two_levels
from tests.strategies import bases_up_to


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


def test_in_a_tree_only_leaves_have_nodes():
    network = assembled("tree", (tree_plane(),))
    assert (network.nodes, network.plane_switches) == (16, (6,))
    with pytest.raises(InputError, match=re.escape("routes.column=0 of node 0: leads to switch 0; expected columns")):
        replace(tree_plane(), node_switch=np.flip(tree_plane().node_switch))


def test_a_node_may_have_several_links_or_none():
    plane = Plane(
        torus((4,)), RING.cable_mm, np.array([0, 0, 2, 3]), 0, np.array([0, 2, 2, 3, 4]), routes=torus_order((4,))
    )
    assert plane.nodes == 4
    assert plane.node.tolist() == [0, 0, 2, 3]  # node 1 has none
    assert plane.ports_used.tolist() == [4, 2, 3, 3]


def test_other_routes_leave_the_rates_of_a_plane_as_they_are():
    stated = replace(RING, timing=Timing(rate_mbps=np.full((4, 2), 1000)))
    other = stated.routed(forwarding_table(RING.topology))
    assert other.timing is stated.timing
    assert other.routes is not stated.routes


TOPOLOGIES = [
    (lambda: graph([]), "^edges=[]: expected a list with at least one edge$"),
    (lambda: graph([(0, 1), (2, 2)]), "^edges=(2, 2): expected edges between two switches$"),
    (lambda: graph([(0, 1, 2, 3)]), "^edges=(0, 1, 2, 3): expected (switch, switch) or (switch, switch, metres)$"),
    (lambda: graph([(0, "1")]), "^edges='1': expected an integer from 0 to 1048575$"),
    (lambda: graph([(0, 3)], 3), "^edges=3: expected an integer from 0 to 2$"),
    (lambda: graph([(0, 1)], 1), "^switches=1: expected an integer from 2 to 1048576$"),
    (lambda: graph([(0, 1)] * 65535), "^edges: a switch with 65535 ports; expected at most 65534$"),
    (lambda: graph(np.array([(0, 1), (2, 2)]), 5), "^edges=(2, 2): expected edges between two switches$"),
    (lambda: graph(np.array([(0, 5)]), 5), "^edges=5: expected an integer from 0 to 4$"),
    (lambda: graph(np.ones((2, 3), dtype=np.int64)), "edges: int64 of shape (2, 3); expected pairs of switches"),
    (lambda: graph(HUB), "edges: 1048576 switches, of which one has 5001 ports; expected a product of at"),
    (lambda: graph_cables_mm([(0, 1, 0.0001)]), "edges.length=0.0001: expected a length in metres with at most three"),
    (lambda: rdt(62), "side=62: expected a multiple of 4 up to 1024"),
    (lambda: rdt(2), "side=2: expected an integer from 4 to 1024"),
    (lambda: rdt(64, "1443 2312"), f"tile='1443 2312': expected four rows of four ranks, as in '{ALPHA}'"),
    (lambda: rdt(64, 1443), f"tile=1443: expected four rows of four ranks, as in '{ALPHA}'"),
    (lambda: rdt(64, "1443 2312 4314 122a"), "expected four rows of four ranks"),
    (lambda: rdt(64, "1414 4141 1414 4141"), "tile='1414 4141 1414 4141': expected all ranks from 1 to the highest"),
    (lambda: rdt(64, "1443 2312 4314 1232"), "expected equal ranks at (x, y) and (x + 2, y + 2)"),
    (lambda: Topology(np.array([[1, -1], [0, -2]]), np.array([[0, -1], [0, -1]])), "switch 1 port 1 has no valid"),
]
RING = Plane(torus((4,)), np.zeros((4, 2), dtype=np.int64), np.arange(4), routes=torus_order((4,)))
PLANES = [
    (lambda: replace(RING, routes=torus_order((5,))), "routes: 5 switches; expected 4, as in the topology"),
    (lambda: replace(RING, cable_mm=np.zeros((4, 3))), "cable_mm: an array of shape (4, 3); expected (4, 2)"),
    (lambda: replace(RING, cable_mm=np.full((4, 2), -1)), "cable_mm=-1 at switch 0 port 0: expected a length of at"),
    (lambda: replace(RING, cable_mm=np.arange(8).reshape(4, 2)), "cable_mm=0 at switch 0 port 0: expected a length"),
    (lambda: replace(RING, node_switch=[0, 4]), "plane.node_switch[1]=4: expected an integer from 0 to 3"),
    (lambda: replace(RING, node_switch=[[0, 1]]), "node_switch: an array of shape (1, 2); expected one switch per"),
    (lambda: replace(RING, node_switch=[2] * 1025, node_cable_mm=0), "switch 2 has 1025 nodes; expected at most 1024"),
    (
        lambda: replace(RING, timing=Timing(rate_mbps=np.zeros((4, 2)))),
        "rate_mbps=0: expected an integer of at least 1",
    ),
    (lambda: replace(RING, timing=Timing(rate_mbps=RATES)), "rate_mbps=1000 at switch 1 port 0: expected the same"),
    (lambda: replace(RING, timing=Timing(delay_ps=np.zeros((2, 4)))), "of shape (2, 4); expected (4, 2)"),
    (
        lambda: replace(RING, timing=Timing(switch_delay_ps=np.array([0, 1, -1, 0]))),
        "=-1: expected an integer of at least 0",
    ),
    (lambda: replace(RING, timing=Timing(node_rate_mbps=np.ones(3))), "of shape (3,); expected (4,)"),
    (lambda: uniform_attachment(0, 1), "expected an integer"),
    (lambda: uniform_attachment(1, 0), "expected an integer"),
    (lambda: uniform_attachment(4, 1025), "expected an integer"),
    (
        lambda: Plane(torus((2, 2)), MISPLACED, np.arange(4), routes=torus_order((2, 2))),
        "cable_mm=5 at switch 2 port 3",
    ),
    (lambda: Plane(PAIRS, np.zeros((4, 1)), np.arange(4), routes=torus_order((4,))), "topology: 2 components, of"),
    (lambda: with_starts([0, 1, 2, 3]), "plane.node_start: expected ascending integers from 0 to 4"),
    (lambda: with_starts([1, 2, 3, 4, 4]), "plane.node_start: expected ascending integers from 0 to 4"),
    (lambda: with_starts([0, 2, 1, 3, 4]), "plane.node_start: expected ascending integers from 0 to 4"),
    (lambda: with_starts([0, 2, 2, 3, 4], None), "plane.node_start: expected one link per node in a direct network"),
    (lambda: assembled("ring", ()), "network.planes: none; expected at least one"),
    (
        lambda: assembled("ring", (RING, Plane(torus((5,)), np.zeros((5, 2)), np.arange(5), routes=torus_order((5,))))),
        "network.planes: planes of [4, 5] nodes; expected planes over the same nodes",
    ),
    (
        lambda: assembled("ring", (replace(RING, node_switch=uniform_attachment(4, 2)),)),
        "8 nodes at 4 switches; expected",
    ),
    (lambda: assembled("ring", (RING, replace(RING, node_cable_mm=0))), "network.planes: node cables of several"),
    (lambda: assembled("ring", (replace(RING, node_cable_mm=-1),)), "=-1: expected an integer of at least 0"),
    (lambda: PlanesFamily("a", (RING,)).write(), "^network=a: planes given as objects; a record expects a"),
    (lambda: PlanesFamily.read({}), "^network.family=given_planes: planes given as objects; expected a family"),
    (lambda: PlanesFamily("a", (RING,), "best"), "^network.policy='best': expected nearest"),
    (lambda: PlanesFamily("a", (RING,), (1, 1)), "^network.policy=(1, 1): expected nearest"),
    (lambda: FailureModel(GRID).after(cables=[24]), "^cables=24: expected an integer from 0 to 23"),
    (lambda: FailureModel(GRID).after(switches=[-1, 3]), "^switches=-1: expected an integer from 0 to 11"),
    (lambda: FailureModel(Network(Hybrid())), "^network.family=hybrid: circuits between nodes; expected"),
    (
        lambda: FailureModel(GRID).after(switches=range(12)).connected_network,
        "^network.nodes: none can communicate; expected",
    ),
    (lambda: TREE.route_links(np.array([-1]), np.array([0]), 0), "node link -1"),
    (lambda: TREE.route_links(np.array([16]), np.array([0]), 0), "node link 16: expected "),
    (lambda: TREE.route_links(np.array([[0]]), np.array([0]), 0), "shape (1, 1)"),
    (lambda: paths_between(dual_cube(2, (1, 3)), np.array([0]), np.array([1]), "adaptive"), "network.policy=adaptive:"),
]
HUB = np.array([*((0, other) for other in range(1, 5001)), (0, (1 << 20) - 1)])
MISPLACED = np.where(np.arange(16).reshape(4, 4) == 11, 5, 0)  # a length at port 3 of switch 2, which has no cable
PAIRS = Topology(np.array([[1], [0], [3], [2]]), np.zeros((4, 1)))
GRID, TREE = Network(Torus(shape=(4, 3))), Network(FatTree(switch_ports=4))
RATES = np.where(np.arange(8).reshape(4, 2) == 5, 500, 1000)  # another rate at the other end of a cable


def with_starts(starts, node_cable_mm=0):
    """A ring whose nodes have other links."""
    return Plane(torus((4,)), RING.cable_mm, np.arange(4), node_cable_mm, np.array(starts), routes=torus_order((4,)))


@for_each(("make", "says"), TOPOLOGIES + PLANES)
def test_what_does_not_fit_together_is_named(make, says):
    require_refusal(make, says)


GIVEN = [
    Network(Torus(shape=(4, 3), nodes_per_switch=2, node_cable_m=1.0)),
    Network(Torus(shape=(5,)), Site(layout=None)),
    Network(FatTree(switch_ports=4)),
    dual_cube(3, (3, 5, 7)),
]


@for_each("network", GIVEN)
def test_given_planes_have_the_formulas_and_metrics_of_their_family(network):
    given = Network(PlanesFamily(network.title, network.planes, network.policy), network.site)
    assert given.site == network.site
    for name in ("nodes", "switches", "ports", "cables"):
        assert getattr(given.family, name) == getattr(network.family, name)
    assert general_metrics(given, general_exact(given)) == general_metrics(network, general_exact(network))


def test_the_site_does_not_change_the_planes():
    plane = GIVEN[0].planes[0]
    for site in (Site(), Site(layout=None), Site(prices=PriceList(switch_port_usd=1.0))):
        assert Network(PlanesFamily("one", (plane,)), site).planes == (plane,)


def test_networks_are_equal_only_if_their_planes_are_the_same_objects():
    (plane,) = GIVEN[0].planes
    one, same, other = (Network(PlanesFamily("a", (each,))) for each in (plane, plane, replace(plane)))
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert pickle.loads(pickle.dumps(one)).nodes == one.nodes
