"""The nearest sizes of families that do not reach a request, against a search of all sizes."""

from dataclasses import replace
from fractions import Fraction

from isoplane.runs.comparison.rows import sized_and_measured
from isoplane.runs.comparison.sizes.nearest_sizes import fewest_ports, has_members, largest_nodes, nearest_sizes
from isoplane.runs.comparison.sizes.plane_counts import Arrangement
from tests.cases import for_each

from .test_sizing import REQUEST

FAMILIES = ("fat_tree", "leaf_spine", "xgft", "oft", "full_mesh", "dragonfly", "megafly", "slim_fly", "hypercube")


@for_each("ports", [5, 6])
@for_each("planes", [1, 2])
@for_each("family", FAMILIES)
def test_the_nearest_sizes_are_the_nearest_of_all(family, planes, ports):
    arrangement, least, request = Arrangement(family, planes), Fraction(1, 2), replace(REQUEST, nodes=300, ports=ports)
    assert not has_members(arrangement, request, least)
    smaller = [nodes for nodes in range(1, 300) if has_members(arrangement, replace(request, nodes=nodes), least)]
    wider = (wide for wide in range(ports + 1, 65) if has_members(arrangement, replace(request, ports=wide), least))
    assert largest_nodes(arrangement, request, least) == max(smaller, default=0)
    assert fewest_ports(arrangement, request, least) == next(wider)


def test_the_nearest_fat_trees_follow_from_their_formula():
    # k-port switches: k^3 / 4 nodes. 8^3 / 4 = 128, 14^3 / 4 = 686, 16^3 / 4 = 1024.
    request, arrangement = replace(REQUEST, nodes=1000, ports=9, node_ports=1, planes=(1,)), Arrangement("fat_tree", 1)
    (found,), _ = sized_and_measured((arrangement, request))
    assert found == (
        "no size reaches 1000 nodes with 9-port switches; the largest has 128, and 16-port switches reach 1000"
    )


def test_no_number_of_ports_is_enough_for_more_nodes_than_tables_hold():
    request = replace(REQUEST, nodes=100_000, ports=36)
    text = nearest_sizes(Arrangement("fat_tree", 2), request, Fraction(1, 2))
    assert text == f"the largest has {36**3 // 4}, and 1024-port switches do not reach 100000 either"


def test_a_reason_other_than_the_size_has_no_nearest_sizes():
    request = replace(REQUEST, budget_cents=100)
    for found in sized_and_measured((Arrangement("fat_tree", 2), request))[0]:
        assert found.startswith("costs ")
        assert "reach" not in found
