"""Cables that change when a network grows, against hand-made cases and a count over pairs of switches."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError, Network, dual_cube
from isoplane.models.families.graph import Graph
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.torus import Torus
from isoplane.objectives.scale.growth import CableChange, cables_moved, level_map
from tests.assembled import assembled
from tests.cases import for_each
from tests.models.graphs import graph_of
from tests.strategies import connected_edges


def network_of(edges):
    return Network(Graph(edges=tuple(edges)))


def common_cables(old, new, switch_map):
    """Return the cables that both planes have between the same switches, by the multiplicities of igraph."""
    before, after = (np.array(graph_of(plane.topology).get_adjacency().data) for plane in (old, new))
    kept = 0
    for a in range(len(before)):
        for b in range(a):
            if min(switch_map[a], switch_map[b]) >= 0:
                kept += min(before[a, b], after[switch_map[a], switch_map[b]])
    return kept


@given(connected_edges(8), connected_edges(8), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_kept_cables_are_those_between_the_same_switches(before, after, random):
    old, new = network_of(before), network_of(after)
    sizes = old.family.switches, new.family.switches
    switch_map = [*range(sizes[1]), *[-1] * sizes[0]]
    random.shuffle(switch_map)
    for given_map in (None, (switch_map[: sizes[0]],)):
        maps = [[i if i < sizes[1] else -1 for i in range(sizes[0])]] if given_map is None else given_map
        found = cables_moved(old, new, given_map)
        assert found.kept == max(common_cables(old.planes[0], new.planes[0], each) for each in maps)
        assert found.kept + found.moved + found.removed == len(before)
        assert found.kept + found.moved + found.added == len(after)
        assert min(found.added, found.removed) == 0


def test_new_leaves_of_a_tree_move_no_cable():
    # Spines keep their order although their numbers shift; each new leaf adds a cable to each of 3 spines.
    old, new = (Network(LeafSpine(leaf_switches=leaves, spine_switches=3)) for leaves in (4, 6))
    assert level_map(old.planes[0], new.planes[0]).tolist() == [0, 1, 2, 3, 6, 7, 8]
    assert cables_moved(old, new) == CableChange(kept=12, moved=0, added=6, removed=0)
    assert cables_moved(new, old) == CableChange(kept=12, moved=0, added=0, removed=6)


def test_planes_are_matched_by_their_index():
    old, new = dual_cube(3, (1, 2, 4)), dual_cube(3, (1, 2, 7))
    # Generator 4 of plane 1 becomes 7: its 4 cables move; those of 1 and 2 and all of plane 0 are kept.
    assert cables_moved(old, new) == CableChange(kept=20, moved=4, added=0, removed=0)
    one = assembled("one plane", old.planes[:1])
    assert cables_moved(one, old) == CableChange(kept=12, moved=0, added=12, removed=0)
    assert cables_moved(old, one) == CableChange(kept=12, moved=0, added=0, removed=12)


@for_each(
    ("switch_map", "message"),
    [
        ((), r"switch_map\[0\]: none; expected a map for each plane"),
        (([0, 1],), r"switch_map\[0\]: an array of shape \(2,\); expected 3 switches"),
        (([0, 1, 1],), r"switch_map\[0\]: expected different switches from 0 to 3, or -1"),
        (([0, 1, 4],), r"switch_map\[0\]: expected different switches from 0 to 3, or -1"),
        (([0, 1, -2],), r"switch_map\[0\]: expected different switches from 0 to 3, or -1"),
    ],
)
def test_an_invalid_map_is_rejected_in_one_line(switch_map, message):
    with pytest.raises(InputError, match=f"^{message}$"):
        cables_moved(Network(Torus(shape=(3,))), Network(Torus(shape=(4,))), switch_map)
