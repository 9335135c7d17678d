"""Sizes of trees with parallel cables, against an enumeration of all trees of two and three levels."""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product
from math import ceil, prod

from hypothesis import given
from hypothesis import strategies as st

from isoplane.models.family_kinds.tree_sizes import (
    cheapest_by_leaf,
    cheapest_trees,
    three_level_sizes,
    trunks,
    two_level_sizes,
    uplinks_for_taper,
    uplinks_for_throughput,
)
from isoplane.models.site.part_costs import PartCosts
from tests.cases import for_each

COSTS = [PartCosts(), PartCosts(switch=1), PartCosts(switch=20, cable=3), PartCosts(switch=1000)]
THROUGHPUTS = [Fraction(1), Fraction(9, 10), Fraction(1, 2), Fraction(1, 4)]


@lru_cache
def most_nodes_of_a_link(inside, links):
    """The most nodes of a subtree to which packets come down the same link, by node modulo links."""
    return max(Counter(node % links for node in range(inside)).values())


def throughput_of(children, parents, cables):
    """The all-to-all throughput, from the packets on the busiest link down to a subtree of each level."""
    nodes, loads = prod(children), []
    for level in range(1, len(children)):
        inside = prod(children[:level])
        loads.append((nodes - inside) * most_nodes_of_a_link(inside, prod(parents[: level + 1]) * cables[level]))
    return Fraction(nodes, max(loads))


def parts_of(children, parents, cables):
    """The numbers of switches and of cables, level by level."""
    switches = [prod(parents[: level + 1]) * prod(children[level + 1 :]) for level in range(len(children))]
    above = [parent * parallel for parent, parallel in zip(parents[1:], cables[1:], strict=True)]
    return sum(switches), sum(size * links for size, links in zip(switches, above, strict=False))


def fits(children, parents, cables, ports):
    """Whether no switch has too many ports."""
    down = [child * parallel for child, parallel in zip(children, cables, strict=True)]
    up = [parent * parallel for parent, parallel in zip(parents[1:], cables[1:], strict=True)]
    return max(below + above for below, above in zip(down, [*up, 0], strict=True)) <= ports


@lru_cache
def all_trees(nodes, ports, levels):
    """All trees of so many levels that fit."""
    found, some = [], range(1, ports + 1)
    for children in product(some, repeat=levels):
        if children[-1] < 2 or prod(children) < nodes:
            continue
        most = [ports - below for below in children[:-1]]
        for parents in product(*(range(1, each + 1) for each in most)):
            limits = [
                min(each // up, ports // below) for each, up, below in zip(most, parents, children[1:], strict=True)
            ]
            for cables in product(*(range(1, each + 1) for each in limits)):
                shape = (children, (1, *parents), (1, *cables))
                if fits(*shape, ports):
                    found.append((throughput_of(*shape), parts_of(*shape), shape))
    return found


@for_each("links", [1, 2])
@for_each("throughput", THROUGHPUTS)
@for_each(("nodes", "ports"), [(14, 6), (20, 8)])
def test_no_tree_costs_less_than_the_first_one(nodes, ports, throughput, links):
    able = [
        (parts, shape)
        for levels in (2, 3)
        for reached, parts, shape in all_trees(nodes, ports, levels)
        if reached >= throughput and shape[0][0] % links == 0
    ]
    for costs in COSTS:
        found = list(cheapest_trees(nodes, ports, links, uplinks_for_throughput(throughput), costs))
        assert len(set(found)) == len(found)
        assert {shape for _, shape in able} >= set(found)
        least = [costs.of(*parts_of(*shape)) for shape in found]
        assert least == sorted(least)
        assert least[:1] == sorted(costs.of(*parts) for parts, _ in able)[:1]


@for_each("taper", [Fraction(1), Fraction(1, 2), Fraction(1, 3)])
def test_tapered_trees_have_the_fewest_switches_and_the_fewest_cables_for_each_leaf(taper):
    nodes, ports = 20, 8
    shapes = list(cheapest_by_leaf(nodes, ports, uplinks_for_taper(taper)))
    able = {}
    for _, parts, (children, parents, cables) in all_trees(nodes, ports, 3):
        of_leaf, of_pod = ceil(taper * children[0]), parents[1] * parents[2] * cables[2]
        if parents[1] * cables[1] >= of_leaf and of_pod >= of_leaf * children[1]:
            able.setdefault(children[0], []).append((parts, (children, parents, cables)))
    assert {shape[0][0] for shape in shapes} == able.keys()
    for leaf, members in able.items():
        chosen = [parts_of(*shape) for shape in shapes if shape[0][0] == leaf]
        assert set(chosen) <= {parts for parts, _ in members}
        for part in (0, 1):
            assert min(parts[part] for parts in chosen) == min(parts[part] for parts, _ in members)


@given(st.integers(1, 60), st.integers(1, 60))
def test_trunks_have_the_links_with_the_fewest_cables_for_every_number_of_parents(links, most):
    found = trunks(links, most)
    expected = {}
    for parents in range(1, links + 1):
        cables = -(-links // parents)
        if cables <= most and -(-links // cables) == parents:  # with one parent less, more cables are needed
            expected[parents] = cables
    assert dict(found) == expected


def test_full_bisection_of_1024_nodes_needs_at_most_160_switches_of_36_ports_in_a_plane():
    # Each of 57 leaves of 18 nodes has 18 uplinks, so 1,026 come from leaves and as many from the switches above:
    # 57 + 57 + 28.5 switches with all ports in use.
    for rule in (uplinks_for_taper(Fraction(1)), uplinks_for_throughput(Fraction(1))):
        switches, _, shape = next(three_level_sizes(1024, 36, 1, rule, PartCosts(switch=1000)))
        assert 143 <= switches <= 152
        assert fits(*shape, 36)
        assert throughput_of(*shape) >= 1


def test_sizes_for_the_largest_requests_come_at_once():
    found = list(islice(cheapest_trees(1 << 17, 1024, 1, uplinks_for_throughput(Fraction(1, 2)), COSTS[2]), 50))
    assert len(found) == 50
    assert all(
        prod(shape[0]) >= 1 << 17 and fits(*shape, 1024) and throughput_of(*shape) >= Fraction(1, 2) for shape in found
    )


def test_two_levels_reach_nothing_beyond_the_square_of_the_ports():
    assert list(two_level_sizes(649, 36, 1, uplinks_for_taper(Fraction(1)))) == []
    assert list(two_level_sizes(648, 36, 1, uplinks_for_taper(Fraction(1)))) == [
        (54, 648, ((18, 36), (1, 18), (1, 1))),
    ]
