"""Designs of a comparison that are one network: those between whose planes an isomorphism keeps cables and nodes."""

import igraph
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import cube_planes
from isoplane.models.cubes.connection_set import ConnectionSet
from isoplane.models.cubes.cube import Cube
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.torus import Torus
from isoplane.models.families.xgft import ExtendedFatTree
from isoplane.models.mathematics.automorphisms import canonical_graph
from isoplane.runs.comparison.same_networks import network_classes
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
