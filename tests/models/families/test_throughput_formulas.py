"""Formulas that bound the all-to-all throughput of a family from above, against its routes."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from isoplane.models import Network, Site, dual_cube, family_named
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.megafly import Megafly
from isoplane.models.families.multi_plane import MultiPlane, throughput_bound
from isoplane.models.families.oft import OrthogonalFatTree
from isoplane.models.families.xgft import ExtendedFatTree
from isoplane.objectives.general import GeneralExact


def routed(family):
    """The routed throughput per node, in link capacities; infinite if no link carries load."""
    exact = GeneralExact(Network(family, Site(layout=None)))
    return Fraction(exact.parts * family.nodes, exact.peak_load) if exact.peak_load else float("inf")


@given(st.lists(st.integers(2, 6), min_size=1, max_size=3).map(tuple), st.integers(1, 3))
def test_the_throughput_of_grids_is_their_formula(shape, per_switch):
    for name, ties in (("torus", {}), ("torus", {"ties": "parity"}), ("mesh", {}), ("hyperx", {})):
        family = family_named(name)(shape=shape, nodes_per_switch=per_switch, node_cable_m=2.0, **ties)
        assert family.reaches_bound
        assert routed(family) == family.throughput_bound


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("leaf_spine", {"leaf_switches": 5, "spine_switches": 2}),
        ("full_mesh", {"layers": 3, "uplinks": 2}),
        ("oft", {"q": 3}),
        ("megafly", {"leaves_per_group": 3, "spines_per_group": 2, "global_ports": 2, "groups": 4}),
        ("slim_fly", {"q": 4}),
        ("random_regular", {"switches": 20, "degree": 4}),
    ],
)
@pytest.mark.parametrize("per_switch", [1, 2, 3])
def test_no_network_is_faster_than_its_formula(name, sizes, per_switch):
    kind = family_named(name)
    nodes = {"nodes_per_leaf" if "nodes_per_leaf" in kind.__dataclass_fields__ else "nodes_per_switch": per_switch}
    family = kind(**sizes, **nodes)
    assert routed(family) <= family.throughput_bound


@pytest.mark.parametrize("routing", ["d_mod_k", "random"])
@given(st.integers(2, 6), st.integers(1, 6), st.integers(1, 6), st.integers(1, 3))
def test_no_two_level_tree_is_faster_than_its_formula(routing, leaves, spines, per_leaf, cables):
    tree = LeafSpine(
        leaf_switches=leaves,
        spine_switches=spines,
        nodes_per_leaf=per_leaf,
        routing=routing,
        cables_per_pair=cables,
    )
    assert routed(tree) <= tree.throughput_bound
    assert tree.reaches_bound == (routing == "d_mod_k")
    assert not tree.reaches_bound or routed(tree) == tree.throughput_bound


@given(st.integers(1, 5), st.integers(1, 5), st.integers(1, 7))
def test_no_full_mesh_is_faster_than_its_formula(layers, uplinks, per_leaf):
    mesh = FullMesh(layers=layers, uplinks=uplinks, nodes_per_leaf=per_leaf)
    assert routed(mesh) <= mesh.throughput_bound
    assert not mesh.reaches_bound or routed(mesh) == mesh.throughput_bound


@pytest.mark.parametrize("routing", ["d_mod_k", "random"])
@given(st.lists(st.tuples(*[st.integers(1, 4)] * 3), min_size=1, max_size=2), st.integers(2, 4))
def test_no_extended_fat_tree_is_faster_than_its_formula(routing, levels, top):
    children, parents, cables = zip(*levels, strict=True)
    tree = ExtendedFatTree((*children, top), (1, *parents), routing, cables_per_pair=cables)
    assert routed(tree) <= tree.throughput_bound
    assert tree.reaches_bound == (routing == "d_mod_k")
    assert not tree.reaches_bound or routed(tree) == tree.throughput_bound


@pytest.mark.parametrize("links", [1, 2])
def test_trees_and_meshes_that_reach_their_formula_do_so_with_several_links_of_a_node(links):
    trees = [
        ExtendedFatTree(children=(at_leaf, below, 3), parents=(1, first, second), cables_per_pair=cables)
        for at_leaf, below, first, second, cables in product((2, 4), (2, 3), (1, 3, 4), (2, 3), (1, (2, 3)))
    ]
    meshes = [
        FullMesh(layers=layers, uplinks=uplinks, nodes_per_leaf=per_leaf)
        for layers, uplinks, per_leaf in product((2, 3, 5), (2, 3, 4), (2, 4, 6))
    ]
    for planes in (trees, meshes):
        exact = [MultiPlane(plane=plane, planes=1, links_per_node=links) for plane in planes if plane.reaches_bound]
        assert len(exact) > len(planes) // 2
        assert all(throughput_bound(family) == (routed(family), True) for family in exact)


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4), st.integers(2, 6), st.integers(1, 4))
def test_megaflies_have_the_throughput_of_their_formula(leaves, spines, ports, groups, per_leaf):
    assume(spines * ports >= groups - 1)
    sizes = {"leaves_per_group": leaves, "spines_per_group": spines, "global_ports": ports, "groups": groups}
    for arrangement in ("relative", "absolute", "circulant"):
        fly = Megafly(**sizes, nodes_per_leaf=per_leaf, arrangement=arrangement)
        assert fly.reaches_bound
        assert routed(fly) == fly.throughput_bound


def dragonflies_of(switches, ports, groups, **values):
    """Dragonflies of all arrangements."""
    for arrangement in ("relative", "absolute", "circulant"):
        sizes = {"switches_per_group": switches, "global_ports": ports, "groups": groups}
        yield Dragonfly(**sizes, **values, arrangement=arrangement)


@given(st.integers(1, 8), st.integers(1, 6), st.integers(1, 3), st.data())
def test_dragonflies_have_the_throughput_of_their_formula(switches, ports, per_switch, data):
    groups = data.draw(st.integers(2, min(switches * ports + 1, 14)))
    for fly in dragonflies_of(switches, ports, groups, nodes_per_switch=per_switch):
        assert fly.reaches_bound
        assert routed(fly) == fly.throughput_bound


@pytest.mark.parametrize(("switches", "ports"), [(4, 2), (6, 3), (5, 2), (3, 4)])
def test_dragonflies_of_every_number_of_groups_have_the_throughput_of_their_formula(switches, ports):
    for groups in range(2, switches * ports + 2):
        for fly in dragonflies_of(switches, ports, groups):
            assert routed(fly) == fly.throughput_bound


@settings(max_examples=25)
@given(st.integers(1, 5), st.integers(1, 4), st.integers(2, 8), st.integers(1, 3))
def test_no_dragonfly_of_other_routes_is_faster_than_its_bound(switches, ports, groups, per_switch):
    assume(switches * ports >= groups - 1)
    sizes = {"switches_per_group": switches, "global_ports": ports, "groups": groups}
    fly = Dragonfly(**sizes, nodes_per_switch=per_switch, routing="balanced")
    assert not fly.reaches_bound
    assert routed(fly) <= fly.throughput_bound


@given(
    st.lists(st.tuples(st.integers(2, 4), st.integers(1, 5)), min_size=1, max_size=3),
    st.integers(1, 4),
    st.sampled_from([1, 2]),
)
def test_grids_of_parallel_cables_have_the_throughput_of_their_formula(dimensions, at_switch, links):
    shape, cables = zip(*dimensions, strict=True)
    plane = HyperX(shape=shape, cables_per_pair=cables, nodes_per_switch=at_switch * links)
    assert plane.reaches_bound
    for family in (plane, MultiPlane(plane=plane, links_per_node=links)):
        assert throughput_bound(family) == (routed(family), True)


def test_some_formulas_are_reached():
    tree = LeafSpine(leaf_switches=5, spine_switches=3, nodes_per_leaf=3)  # 3 links up for 12 nodes: 3 · 4 of 15
    assert routed(tree) == tree.throughput_bound == Fraction(15, 12)
    fly = Dragonfly(switches_per_group=4, global_ports=1, groups=3, nodes_per_switch=2)  # a global cable for 2 switches
    assert routed(fly) == fly.throughput_bound == Fraction(24, 8 * 4)
    mesh = FullMesh(layers=4, uplinks=3, nodes_per_leaf=2)  # 4 · 2² to a position, and 6 nodes to each of 2 at the own
    assert routed(mesh) == mesh.throughput_bound == Fraction(32, 16 + 6)
    tapered = ExtendedFatTree(children=(4, 4, 2), parents=(1, 2, 4))  # one of 2 links down leads to 2 of 4 nodes
    assert routed(tapered) == tapered.throughput_bound == Fraction(32, 28 * 2)


@pytest.mark.parametrize(("ports", "cables"), [*((ports, 1) for ports in range(2, 13, 2)), (12, (3, 2)), (8, (1, 4))])
def test_fat_trees_reach_their_formula_by_d_mod_k_and_never_exceed_it(ports, cables):
    tree = FatTree(switch_ports=ports, cables_per_pair=cables)
    hashed = replace(tree, routing="random")
    assert tree.reaches_bound
    assert routed(tree) == tree.throughput_bound
    assert not hashed.reaches_bound
    assert routed(hashed) <= hashed.throughput_bound


@pytest.mark.parametrize("q", [2, 3, 4, 5])
@pytest.mark.parametrize("sides", [1, 2])
def test_orthogonal_fat_trees_reach_their_formula_if_the_mirror_leaf_has_a_node_for_each_spine(q, sides):
    for per_leaf in range(1, 2 * q + 4):
        tree = OrthogonalFatTree(q=q, sides=sides, nodes_per_leaf=per_leaf)
        assert tree.reaches_bound == (sides == 1 or per_leaf % (q + 1) == 0)
        assert (routed(tree) == tree.throughput_bound) == tree.reaches_bound


def test_throughput_has_no_formula_by_default():
    assert dual_cube(3, (3, 5, 7)).family.throughput_bound is None


@given(
    st.sampled_from(["mesh", "hyperx", "torus"]),
    st.lists(st.integers(2, 5), min_size=1, max_size=3).map(tuple),
    st.sampled_from([1, 2]),
    st.sampled_from([1, 2, 3]),
)
def test_planes_of_a_family_that_reaches_its_formula_do_so_if_nodes_have_their_links_at_one_switch(
    name, shape, planes, links
):
    plane = family_named(name)(shape=shape, nodes_per_switch=2, node_cable_m=2.0)
    assume(plane.nodes % links == 0)
    family = MultiPlane(plane=plane, planes=planes, links_per_node=links)
    assert throughput_bound(family) == ((routed(family), True) if links < 3 else (None, False))
    assert name == "torus" or not replace(plane, routing="shortest").reaches_bound
