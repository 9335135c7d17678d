"""Designs that are one network: those between whose planes an isomorphism keeps cables and nodes."""

import random
from dataclasses import replace
from pathlib import Path

import igraph
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Network, cube_planes
from isoplane.models.arrays import rows_of
from isoplane.models.cabling.cable_list import cable_list
from isoplane.models.cubes.connection_set import ConnectionSet
from isoplane.models.cubes.cube import Cube
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.torus import Torus
from isoplane.models.families.xgft import ExtendedFatTree
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.models.mathematics.automorphisms import canonical_graph
from isoplane.models.network import NO_SITE
from isoplane.models.planes.spread_places import spread_places
from isoplane.runs.comparison.known_sizes import known_size_lines
from isoplane.runs.comparison.same_networks import network_classes
from isoplane.runs.imports.import_fabric import imported, imported_family
from isoplane.runs.imports.importer import Source
from tests.cases import for_each

TORUS = Torus(shape=(4, 4), nodes_per_switch=2, node_cable_m=2)
CUBE = Cube(ConnectionSet.unit(4), False)
TREE, TALL = (
    LeafSpine(leaf_switches=4, spine_switches=2, nodes_per_leaf=3),
    ExtendedFatTree(children=(3, 4), parents=(1, 2)),
)


@st.composite
def coloured_graphs(draw):
    """Two graphs of as many vertices and edges, often isomorphic, with the colours of their vertices."""
    count = draw(st.integers(2, 7))
    pairs = [(a, b) for b in range(count) for a in range(b)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True))
    colours = draw(st.lists(st.integers(0, 1), min_size=count, max_size=count))
    place = draw(st.permutations(range(count)))
    other = [(place[a], place[b]) for a, b in edges]
    if edges and draw(st.booleans()):
        other = draw(st.lists(st.sampled_from(pairs), unique=True, min_size=len(edges), max_size=len(edges)))
    moved = [colours[place.index(vertex)] for vertex in range(count)]
    return (edges, colours), (other, moved)


@given(coloured_graphs())
def test_canonical_graphs_are_equal_if_and_only_if_another_algorithm_finds_an_isomorphism(graphs):
    forms = [canonical_graph(np.array(edges, dtype=np.int64).reshape(-1, 2), colours) for edges, colours in graphs]
    (first, colours), (second, others) = ((igraph.Graph(len(each), edges), each) for edges, each in graphs)
    assert (forms[0] == forms[1]) == second.isomorphic_vf2(first, color1=others, color2=colours)


@for_each(
    ("design", "other", "same"),
    [
        (TORUS, cube_planes((CUBE,), nodes_per_switch=2), True),  # a ring of four switches is a square
        (TORUS, RandomRegular(switches=16, degree=4, nodes_per_switch=2), False),  # with as many cables
        (MultiPlane(plane=TORUS), cube_planes((CUBE, CUBE), nodes_per_switch=2), True),
        (MultiPlane(plane=TORUS), cube_planes((CUBE, Cube(ConnectionSet(4, (3, 5, 7, 9)), False)), 2), False),
        (TREE, TALL, True),
        (TREE, LeafSpine(leaf_switches=4, spine_switches=2, nodes_per_leaf=2), False),
        (HyperX(shape=(2, 3), cables_per_pair=(2, 1)), HyperX(shape=(3, 2), cables_per_pair=(1, 2)), True),
    ],
)
def test_designs_are_one_network_whatever_their_families_are_called(design, other, same):
    found = network_classes([design, other])
    assert (found[design] is not None and found[design] == found[other]) == same


def edges_of(family, *, swap=False):
    """Lines of an edge list in any order, with names in any order; two cables exchange an end if asked to."""
    (plane,), shuffle = Network(family, NO_SITE).cabling, random.Random(1).shuffle
    lower, port = plane.topology.cable_ends()
    ends = list(zip(lower.tolist(), plane.topology.peer[lower, port].tolist(), strict=True))
    if swap:
        (a, b), (c, d) = ends[0], next(each for each in ends if not {*each} & {*ends[0]})
        ends = [each for each in ends if each not in ((a, b), (c, d))] + [(a, d), (c, b)]
    switches, nodes = (list(range(count)) for count in (family.switches, family.nodes))
    shuffle(switches)
    shuffle(nodes)
    lines = [f"s{switches[a]} s{switches[b]}" for a, b in ends]
    lines += [f"s{switches[at]} N{node}" for node, at in zip(nodes, plane.node_switch.tolist(), strict=True)]
    shuffle(lines)
    return "\n".join(lines)


def lines_of(edges):
    family = imported_family(imported([Source(Path("site.edges"), edges.encode())], None, None))
    return known_size_lines(family, unnumbered=[0])


@for_each(
    ("family", "swap", "says"),
    [
        (FatTree(switch_ports=4), False, "this is fat_tree of 4-port switches (network=fat_tree "),
        (TORUS, False, "this is hypercube n=4 ("),
        (Dragonfly(global_ports=1, groups=5), False, "this is dragonfly 5x4 ("),  # not a minimal size
        (HyperX(shape=(3, 4), cables_per_pair=2), False, "this is hyperx 3x4, 2x2 cables per pair ("),
        (FatTree(switch_ports=4), True, "as many switches, cables and nodes as fat_tree of 4-port switches ("),
    ],
)
def test_an_imported_plane_is_named_after_the_family_of_which_it_is_a_size(family, swap, says):
    (line,) = lines_of(edges_of(family, swap=swap))
    assert line.startswith(f"plane 0: {says}")


SQUARES = [TORUS, cube_planes((CUBE,), nodes_per_switch=2)]  # the same graph


def plane_of(family, place):
    """A plane of the family with its numbers of ports; switch 0 is the switch with the number of the first place."""
    cables = cable_list(Network(family, NO_SITE).cabling)
    rows = rows_of(cables.to_node, cables.switch, cables.switch_port, cables.other, cables.other_port)
    placed = [(to_node, place[a], p, b if to_node else place[b], q) for to_node, a, p, b, q in rows]
    return FabricPlane(
        switches=family.switches,
        cables=tuple(tuple(ends) for to_node, *ends in placed if not to_node),
        nodes=tuple((node, switch, port) for to_node, switch, port, node, _ in placed if to_node),
    )


@for_each("family", [*(HyperX(shape=shape, nodes_per_switch=2) for shape in ((2, 3), (3, 2))), *SQUARES])
def test_of_several_sizes_that_a_plane_is_that_with_its_ports_is_named(family):
    plane = plane_of(family, range(family.switches)[::-1])
    (line,) = known_size_lines(Fabric(planes=(plane,)))
    assert line.startswith(f"plane 0: this is {family.title} (")


@for_each("family", SQUARES)
def test_a_miswired_plane_is_named_after_the_size_with_most_of_its_ports(family):
    plane = plane_of(family, range(16))
    (a, p, b, q), *others, (c, r, d, s) = plane.cables
    (line,) = known_size_lines(Fabric(planes=(replace(plane, cables=((a, p, d, s), (c, r, b, q), *others)),)))
    assert line.startswith(f"plane 0: as many switches, cables and nodes as {family.title} (")


def test_a_plane_without_a_cable_is_beside_the_size_that_has_it():
    edges = edges_of(TORUS).split("\n")
    removed = next(edge for edge in edges if "N" not in edge)
    edges.remove(removed)
    (line,) = lines_of("\n".join(edges))
    assert line.startswith("plane 0: as many switches and nodes as hypercube n=4 (")
    says, ends = line.rsplit(" between ", 1)
    assert says.endswith("), which has 32 cables: this plane lacks one")
    assert sorted(ends.split(" and ")) == sorted(removed.split())


@for_each(
    ("family", "absent", "says"),
    [
        (HyperX(shape=(6,), nodes_per_switch=4), 2, "this is hyperx 6 ("),
        (HyperX(shape=(6,), nodes_per_switch=1), 1, "this is hyperx 6 ("),  # one switch has no node
        (FatTree(switch_ports=4), 1, "this is fat_tree of 4-port switches ("),
    ],
)
def test_a_plane_with_free_places_is_named_after_the_family_that_has_them(family, absent, says):
    nodes = {f"N{node}" for node in range(family.nodes - absent)}
    edges = [edge for edge in edges_of(family).split("\n") if "N" not in edge or edge.split()[1] in nodes]
    (line,) = lines_of("\n".join(edges))
    assert line.startswith(f"plane 0: {says}")
    assert f") with {absent} of {family.nodes} places free" in line


@for_each(
    ("family", "absent"),
    [
        (HyperX(shape=(6,), nodes_per_switch=4), 5),  # three or four of the four nodes at each switch
        (FatTree(switch_ports=8), 40),  # two or three of the four nodes at each leaf
        (Dragonfly(global_ports=1, groups=5), 15),  # none or one at each switch
    ],
)
def test_a_plane_whose_free_places_are_spread_is_named_after_the_family_that_has_them(family, absent):
    (plane,) = Network(family, NO_SITE).cabling
    kept = spread_places([plane], family.nodes - absent).tolist()
    lower, port = plane.topology.cable_ends()
    ends = zip(lower.tolist(), plane.topology.peer[lower, port].tolist(), strict=True)
    edges = [*(f"s{a} s{b}" for a, b in ends), *(f"s{plane.node_switch[place]} N{place}" for place in kept)]
    (line,) = lines_of("\n".join(edges))
    assert line.startswith(f"plane 0: this is {family.title} (")
    assert f") with {absent} of {family.nodes} places free" in line


@st.composite
def partly_filled_trees(draw):
    """A tree and the nodes that it has: all at a full leaf, others of any number elsewhere."""
    tree = draw(
        st.builds(
            LeafSpine,
            leaf_switches=st.integers(2, 8),
            spine_switches=st.integers(2, 5),
            nodes_per_leaf=st.integers(1, 6),
            cables_per_pair=st.integers(1, 3),
        )
        | st.builds(
            ExtendedFatTree,
            children=st.tuples(st.integers(1, 5), st.integers(2, 4), st.integers(2, 4)),
            parents=st.tuples(st.just(1), st.integers(2, 3), st.integers(2, 3)),
            cables_per_pair=st.tuples(st.integers(1, 2), st.integers(1, 2)),
        )
    )
    # Two leaves with nodes, in two subtrees of a root: with one alone, any of its switches may be a leaf.
    others = range(tree.nodes_at_switch, tree.nodes - 1)
    kept = draw(st.sets(st.sampled_from(others))) if others else set()
    return tree, [*range(tree.nodes_at_switch), *sorted(kept), tree.nodes - 1]


@given(partly_filled_trees())
def test_trees_of_any_taper_are_named_as_themselves_however_their_leaves_are_filled(case):
    family, kept = case
    present = {f"N{node}" for node in kept}
    (plane,) = Network(family, NO_SITE).cabling
    lower, port = plane.topology.cable_ends()
    ends = zip(lower.tolist(), plane.topology.peer[lower, port].tolist(), strict=True)
    edges = [*(f"s{a} s{b}" for a, b in ends), *(f"s{at} N{i}" for i, at in enumerate(plane.node_switch))]
    edges = [edge for edge in edges if "N" not in edge or edge.split()[1] in present]
    random.Random(1).shuffle(edges)
    (line,) = lines_of("\n".join(edges))
    free = family.nodes - len(kept)
    if not line.startswith("plane 0: this is fat_tree "):  # which has places of its own
        assert line.startswith(f"plane 0: this is {family.title} (")
        assert line.endswith(f") with {free} of {family.nodes} places free" if free else ")")


@for_each(
    ("added", "says"),
    [
        (["s8 N99"], "1 node above the leaves, such as at s8"),
        ([f"s{leaf} s{8 + spine}" for leaf in range(8) for spine in (0, 1)], "10 switches have other numbers of"),
        (["s0 s1"], "2 switches have other numbers of cables, such as s0 (5, not 4); 1 cable within a level or"),
    ],
)
def test_a_plane_that_no_tree_is_exactly_resembles_one_and_differs_in_named_parts(added, says):
    family = LeafSpine(leaf_switches=8, spine_switches=4, nodes_per_leaf=6)
    (plane,) = Network(family, NO_SITE).cabling
    lower, port = plane.topology.cable_ends()
    ends = zip(lower.tolist(), plane.topology.peer[lower, port].tolist(), strict=True)
    edges = [*(f"s{a} s{b}" for a, b in ends), *(f"s{at} N{i}" for i, at in enumerate(plane.node_switch)), *added]
    (line,) = lines_of("\n".join(edges))
    assert line.startswith("plane 0: most like leaf_spine 8+4")
    assert says in line


def test_a_plane_with_all_nodes_at_one_switch_has_no_name():
    assert lines_of("s0 N0\ns0 N1") == lines_of("s0 s1\ns0 N0\ns0 N1") == []
