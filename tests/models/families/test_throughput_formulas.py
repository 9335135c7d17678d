"""Formulas that bound the all-to-all throughput of a family from above, against its routes."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from isoplane.models import Network, Site
from isoplane.models.families.multi_plane import MultiPlane, throughput_bound
from isoplane.models.families.oft import OrthogonalFatTree
from isoplane.objectives.general import GeneralExact
from tests.cases import for_each
from tests.models.families.members import MEMBERS

BOUNDED = sorted(
    MEMBERS.keys() - {"fabric", "folded_hypercube", "hybrid", "hypercube", "multi_plane", "optical_overlay"}
)
ALWAYS_EXACT = {"dragonfly", "fat_tree", "hyperx", "leaf_spine", "megafly", "mesh", "torus", "xgft"}


def routed(family):
    """The routed throughput per node, in link capacities; infinite if no link carries load."""
    exact = GeneralExact(Network(family, Site(layout=None)))
    return Fraction(exact.parts * family.nodes, exact.peak_load) if exact.peak_load else float("inf")


@for_each("name", BOUNDED)
@given(st.data())
@settings(max_examples=15)
def test_no_network_is_faster_than_its_formula_and_some_reach_it(name, data):
    family = data.draw(MEMBERS[name])
    throughput = routed(family)
    assert throughput <= family.throughput_bound
    assert throughput == family.throughput_bound or not family.reaches_bound
    if name in ALWAYS_EXACT:
        assert family.reaches_bound == (getattr(family, "routing", "") != "random")
    if name in ("dragonfly", "mesh", "hyperx"):
        other = replace(family, routing="balanced")
        assert not other.reaches_bound
        assert routed(other) <= other.throughput_bound


@for_each("name", [name for name in BOUNDED if name not in ("direct_hypercube", "graph", "rdt")])
@given(st.data(), st.integers(1, 2), st.integers(1, 3))
@settings(max_examples=10)
def test_planes_of_a_family_that_reaches_its_formula_do_so_if_nodes_have_their_links_at_one_switch(
    name, data, planes, links
):
    plane = data.draw(MEMBERS[name])
    assume(plane.nodes % links == 0 and getattr(plane, "node_cable_m", 0) is not None)
    bound, is_exact = throughput_bound(MultiPlane(plane=plane, planes=planes, links_per_node=links))
    throughput = routed(MultiPlane(plane=plane, planes=planes, links_per_node=links))
    assert bound is None or throughput <= bound
    assert not is_exact or throughput == bound
    assert is_exact == (plane.reaches_bound and plane.nodes_at_switch % links == 0)


@for_each("q", [2, 3, 4])
@for_each("sides", [1, 2])
def test_orthogonal_fat_trees_reach_their_formula_if_the_mirror_leaf_has_a_node_for_each_spine(q, sides):
    for per_leaf in range(1, 2 * q + 4):
        tree = OrthogonalFatTree(q=q, sides=sides, nodes_per_leaf=per_leaf)
        assert tree.reaches_bound == (sides == 1 or per_leaf % (q + 1) == 0)
        assert (routed(tree) == tree.throughput_bound) == tree.reaches_bound
