"""Networks of leaves and spines: the counts of their paper, common spines, routes and balance."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Design, InputError, Network, Site
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.oft import OrthogonalFatTree
from isoplane.models.mathematics.finite_field import prime_power
from isoplane.models.routing import channel_cycle, hops
from isoplane.objectives import metrics_of
from isoplane.objectives.general import all_to_all_loads
from isoplane.objectives.reference import reference_metrics

trees = st.builds(
    LeafSpine,
    leaf_switches=st.integers(2, 6),
    spine_switches=st.integers(1, 5),
    nodes_per_leaf=st.integers(1, 6),
    cables_per_pair=st.integers(1, 3),
)
meshes = st.builds(FullMesh, layers=st.integers(1, 4), uplinks=st.integers(1, 5), nodes_per_leaf=st.integers(1, 4))
orthogonal = st.builds(
    OrthogonalFatTree, q=st.sampled_from([2, 3, 4]), sides=st.integers(1, 2), nodes_per_leaf=st.integers(1, 5)
)


@given(trees | meshes | orthogonal)
def test_formulas_match_the_plane(family):
    (plane,) = Network(family).planes
    assert (len(plane.node_switch), plane.topology.switches) == (family.nodes, family.switches)
    assert np.count_nonzero(plane.topology.peer >= 0) == 2 * family.cables
    used = plane.ports_used
    assert set(used[: family.leaves].tolist()) == {family.nodes_per_leaf + family.uplinks}
    assert len(set(used[family.leaves :].tolist())) == 1
    assert used.max() == family.ports


@given(trees | meshes | orthogonal)
def test_routes_are_shortest_and_free_of_deadlock(family):
    (plane,) = Network(family).planes
    count = hops(plane.topology, plane.routes)[: family.leaves]
    other_leaf = np.arange(family.leaves)[:, None] != plane.routes.target_switch
    assert set(count[other_leaf].tolist()) <= {2}
    assert channel_cycle(plane.topology, plane.routes, 1) is None


@pytest.mark.parametrize("d", range(2, 37))
def test_servers_and_switches_are_those_of_the_paper(d):
    tree = LeafSpine(leaf_switches=2 * d, spine_switches=d, nodes_per_leaf=d)
    assert (tree.nodes, tree.switches, tree.ports) == (2 * d**2, 3 * d, 2 * d)
    mesh = FullMesh(layers=d, uplinks=d, nodes_per_leaf=d)
    assert (mesh.nodes, 2 * mesh.switches, mesh.ports) == (d**2 * (d + 1), 3 * d * (d + 1), 2 * d)
    if prime_power(d - 1):
        tree = OrthogonalFatTree(q=d - 1, sides=2, nodes_per_leaf=d)
        assert (tree.nodes, tree.switches) == (2 * d**3 - 2 * d**2 + 2 * d, 3 * d**2 - 3 * d + 3)
        assert tree.ports == 2 * d


def test_the_latin_square_fat_tree_exists_for_eighteen_of_the_degrees():
    assert sum(prime_power(d - 1) is not None for d in range(3, 37)) == 18


@given(orthogonal)
def test_two_points_share_one_spine_and_twins_share_all(family):
    spines = [set(row) for row in family.spines_of_leaves().tolist()]
    for one, other in combinations(range(family.leaves), 2):
        twins = (other - one) % family.spines == 0
        assert len(spines[one] & spines[other]) == (family.q + 1 if twins else 1)


@given(meshes)
def test_two_positions_share_one_spine_in_all_layers(family):
    spines = [set(row) for row in family.spines_of_leaves().tolist()]
    size = family.uplinks + 1
    for one, other in combinations(range(family.leaves), 2):
        assert len(spines[one] & spines[other]) == (family.uplinks if one % size == other % size else 1)


@pytest.mark.parametrize(
    "family",
    [
        LeafSpine(leaf_switches=6, spine_switches=3, nodes_per_leaf=3),
        LeafSpine(leaf_switches=6, spine_switches=2, nodes_per_leaf=6, cables_per_pair=3),
        FullMesh(layers=3, uplinks=3, nodes_per_leaf=3),
        OrthogonalFatTree(q=3, sides=1, nodes_per_leaf=4),
        OrthogonalFatTree(q=3, sides=2, nodes_per_leaf=4),
    ],
    ids=lambda family: family.title,
)
def test_all_uplinks_and_downlinks_share_the_traffic_equally(family):
    # Each of the nodes_per_leaf nodes of a leaf sends to all nodes of the other leaves, over `uplinks` uplinks.
    network = Network(family, Site(layout=None))
    assert metrics_of(Design(network)) == reference_metrics(network)
    crossing = family.nodes_per_leaf * (family.nodes - family.nodes_per_leaf)
    loads, (plane,) = all_to_all_loads(network), network.planes
    carried = loads.load[0][loads.label[0]][plane.topology.peer >= 0] / loads.parts
    assert set(carried.tolist()) == {crossing / family.uplinks}


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: OrthogonalFatTree(q=6), "network.q=6: expected a prime power, such as 5 or 7"),
        (lambda: OrthogonalFatTree(sides=3), "network.sides=3: expected an integer from 1 to 2"),
        (lambda: LeafSpine(leaf_switches=1), "network.leaf_switches=1: expected an integer from 2"),
        (lambda: LeafSpine(spine_switches=0), "network.spine_switches=0: expected an integer from 1"),
        (lambda: LeafSpine(cables_per_pair=0), "network.cables_per_pair=0: expected an integer from 1"),
        (lambda: LeafSpine(cables_per_pair=129), "network.cables_per_pair=129: expected an integer from 1 to 128"),
        (lambda: FullMesh(layers=0), "network.layers=0: expected an integer from 1"),
        (lambda: FullMesh(nodes_per_leaf=0), "network.nodes_per_leaf=0: expected an integer from 1"),
    ],
)
def test_a_wrong_parameter_is_named(make, says):
    with pytest.raises(InputError, match=says):
        make()
