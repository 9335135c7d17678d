"""Networks of leaves and spines: the counts of their paper, and common spines."""

from itertools import combinations

from hypothesis import given

from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.oft import OrthogonalFatTree
from isoplane.models.mathematics.finite_field import prime_power
from tests.cases import for_each
from tests.models.families.members import full_meshes, orthogonal_trees


@for_each("d", range(2, 37))
def test_servers_and_switches_are_those_of_the_paper(d):
    tree = LeafSpine(leaf_switches=2 * d, spine_switches=d, nodes_per_leaf=d)
    assert (tree.nodes, tree.switches, tree.ports) == (2 * d**2, 3 * d, 2 * d)
    mesh = FullMesh(layers=d, uplinks=d, nodes_per_leaf=d)
    assert (mesh.nodes, 2 * mesh.switches, mesh.ports) == (d**2 * (d + 1), 3 * d * (d + 1), 2 * d)
    if prime_power(d - 1):
        tree = OrthogonalFatTree(q=d - 1, sides=2, nodes_per_leaf=d)
        assert (tree.nodes, tree.switches) == (2 * d**3 - 2 * d**2 + 2 * d, 3 * d**2 - 3 * d + 3)
        assert tree.ports == 2 * d


@given(orthogonal_trees)
def test_two_points_share_one_spine_and_twins_share_all(family):
    spines = [set(row) for row in family.spines_of_leaves().tolist()]
    for one, other in combinations(range(family.leaves), 2):
        twins = (other - one) % family.spines == 0
        assert len(spines[one] & spines[other]) == (family.q + 1 if twins else 1)


@given(full_meshes)
def test_two_positions_share_one_spine_in_all_layers(family):
    spines = [set(row) for row in family.spines_of_leaves().tolist()]
    size = family.uplinks + 1
    for one, other in combinations(range(family.leaves), 2):
        assert len(spines[one] & spines[other]) == (family.uplinks if one % size == other % size else 1)
