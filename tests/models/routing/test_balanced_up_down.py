import numpy as np

from isoplane.models.routing import balanced_up_down, channel_cycle, hops
from isoplane.models.routing.up_down import depths
from isoplane.models.topologies import graph, torus
from tests.cases import for_each
from tests.models.shortest_path_program import random_regular

# Two pods of two leaf switches (0 to 3) and two middle ones (4 to 7), below two others (8 and 9).
PODS = [(leaf, middle) for leaf in range(4) for middle in (4 + leaf // 2 * 2, 5 + leaf // 2 * 2)]
TREE = graph([*PODS, (4, 8), (5, 9), (6, 8), (7, 9)])


@for_each("seed", range(4))
def test_routes_are_free_from_deadlock_on_one_virtual_channel_and_arrive(seed):
    topology = random_regular(24, 4, seed)
    node_switch = np.sort(np.random.default_rng(seed).integers(0, 24, 30))
    routes = balanced_up_down(topology, node_switch)
    assert channel_cycle(topology, routes, virtual_channels=1) is None  # which raises if one does not arrive
    assert (hops(topology, routes)[routes.sources] >= 0).all()


def switches_of(topology, routes, source, link):
    """The switches of the route from a switch to a node link."""
    visited = [source]
    while visited[-1] != routes.target_switch[routes.column[link]]:
        port = routes.next_port[routes.row[visited[-1]], routes.column[link]]
        visited.append(int(topology.peer[visited[-1], port]))
    return visited


def test_the_roots_of_a_tree_are_all_switches_at_its_top():
    routes = balanced_up_down(TREE, np.repeat(np.arange(4), 2))
    height, tops = -TREE.levels(np.array([8, 9])), set()
    for source in range(4):
        for visited in (switches_of(TREE, routes, source, link) for link in range(8)):
            heights = height[visited].tolist()
            peak = heights.index(max(heights))
            assert heights == sorted(heights[:peak]) + sorted(heights[peak:], reverse=True)
            tops.add(visited[peak])
    assert {8, 9} <= tops


def test_a_switch_that_the_top_does_not_reach_leaves_a_single_root():
    # Switch 4, at the top with 3, reaches switch 2 only over switches below it.
    topology = graph([(0, 3), (1, 3), (2, 3), (0, 4), (1, 4)])
    routes = balanced_up_down(topology, np.array([0, 0, 1, 2]))
    assert channel_cycle(topology, routes, virtual_channels=1) is None


def test_depths_rank_switches_by_the_distance_from_the_nearest_root():
    assert depths(torus((6,)), np.array([2, 5])).tolist() == [2, 3, 0, 4, 5, 1]
