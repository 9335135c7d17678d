"""Sizes that reach a number of nodes or a throughput, against enumerations of all sizes."""

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, islice, permutations, product
from math import prod

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import cube_planes, dual_cube, family_named
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.family_kinds.dragonfly_sizes import sufficient_dragonflies
from isoplane.models.family_kinds.minimal_sizes import minimal_grids, orders_of, ring_ports, sufficient_grids
from isoplane.models.site.part_costs import PartCosts
from isoplane.runs.inputs.named_families import sized_families
from tests.cases import for_each


def all_shapes(switches, largest=None):
    """All ways to write a number as a product of numbers from 2 to `largest`, in descending order."""
    if switches == 1:
        yield ()
    for side in range(2, min(switches, largest or switches) + 1):
        if switches % side == 0:
            yield from ((side, *rest) for rest in all_shapes(switches // side, side))


def is_minimal(shape, at_switch, nodes):
    """Whether the grid has too few nodes if its longest side is one switch shorter, or a pair of switches."""
    return shape == (2,) or prod((shape[0] - 1, *shape[1:])) * at_switch < nodes


@given(
    st.integers(1, 40),
    st.integers(2, 12),
    st.integers(1, 3),
    st.lists(st.integers(1, 13), min_size=80, max_size=80),
    st.integers(0, 2),
    st.booleans(),
)
def test_grids_are_all_shapes_or_all_minimal_ones_whose_sides_fit_together(
    places, ports, links, table, growth, minimal
):
    nodes = -(-places // links)
    expected = []
    for switches in range(2, max(2, 2 * nodes - 1) + 1):
        at_switch = max(1, -(-nodes // switches))
        found = []
        for shape in all_shapes(switches):
            needed = sum(table[side - 2] + growth * links * at_switch for side in shape)
            if needed + links * at_switch <= ports and (not minimal or is_minimal(shape, at_switch, nodes)):
                found.append((needed, shape))
        expected += [(shape, links * at_switch) for _, shape in sorted(found)]
    grids = sufficient_grids(
        places, ports, links, lambda at: lambda side: table[side - 2] + growth * at, minimal=minimal
    )
    assert list(grids) == expected


@given(st.lists(st.integers(2, 5), min_size=1, max_size=5))
def test_orders_are_all_different_ones_of_the_sides(shape):
    assert set(orders_of(tuple(shape))) == set(permutations(shape))
    assert next(orders_of(tuple(shape))) == tuple(shape)


@given(st.integers(1, 60), st.integers(2, 12))
def test_minimal_grids_are_those_with_one_link_per_node_and_the_same_ports_for_any_places(nodes, ports):
    expected = list(sufficient_grids(nodes, ports, 1, lambda places: ring_ports, minimal=True))
    assert list(minimal_grids(nodes, ports)) == expected
    for shape, at_switch in expected:
        assert prod(shape) * at_switch >= nodes
        assert sum(map(ring_ports, shape)) + at_switch <= ports


def all_sizes(nodes, ports, links):
    """All dragonflies of the fewest nodes per switch with the nodes within the ports, and no spare global ports."""
    for a in range(1, ports):
        for groups in range(2, 2 * max(2, -(-nodes // (a * links))) + 1):
            per_switch = -(-nodes // (a * groups * links)) * links
            for h in range(-(-(groups - 1) // a), ports + 1 - a - per_switch + 1):
                cables = a * h // (groups - 1) * (groups - 1)
                if a * (h - 1) >= cables:
                    continue
                yield Dragonfly(switches_per_group=a, global_ports=h, groups=groups, nodes_per_switch=per_switch)


@settings(max_examples=15, deadline=None)
@given(
    st.integers(1, 60),
    st.integers(2, 11),
    st.fractions(Fraction(1, 20), 4, max_denominator=20),
    st.integers(1, 3),
    st.sampled_from([PartCosts(), PartCosts(switch=7, cable=2)]),
)
def test_sizes_are_all_with_the_throughput_in_ascending_order_of_costs(nodes, ports, throughput, links, costs):
    fast = [each for each in all_sizes(nodes, ports, links) if each.throughput_bound >= throughput]
    assert all(each.nodes >= nodes and each.ports <= ports for each in fast)
    found = [Dragonfly(**size) for size in sufficient_dragonflies(nodes, ports, throughput, links, costs)]
    assert [costs.of(each.switches, each.cables) for each in found] == sorted(
        costs.of(each.switches, each.cables) for each in fast
    )
    assert set(found) == set(fast)


@for_each("throughput", [Fraction(9, 10), Fraction(1, 3)])
def test_a_size_is_found_for_exactly_its_throughput_and_not_for_slightly_more(throughput):
    def first(least):
        found = islice(sufficient_dragonflies(20000, 64, least, 2), 48)
        return [Dragonfly(**size) for size in found]

    for size in first(throughput)[:4]:
        assert size in first(size.throughput_bound)
        assert size not in first(size.throughput_bound + Fraction(1, 10**15))


def test_no_size_has_more_switches_than_a_routing_table():
    for size in islice(sufficient_dragonflies(1 << 17, 1024, Fraction(1, 10**9), 1), 48):
        assert size["switches_per_group"] * size["groups"] <= 1 << 14
    assert not list(sufficient_dragonflies(1 << 17, 8, Fraction(1, 10**9), 1))  # over 2^14 switches of 7 nodes


PARAMETERS = {
    "dragonfly": ("global_ports", "groups"),  # only balanced ones
    "fat_tree": ("switch_ports",),
    "folded_hypercube": ("n", "nodes_per_switch"),
    "full_mesh": ("layers", "uplinks"),  # with as many uplinks as nodes at a leaf
    "hypercube": ("n", "nodes_per_switch"),
    "hyperx": ("shape", "nodes_per_switch"),
    "leaf_spine": ("leaf_switches", "spine_switches"),  # of full bisection
    "megafly": ("global_ports", "groups"),  # only balanced ones
    "mesh": ("shape", "nodes_per_switch"),
    "oft": ("q",),
    "polar_fly": ("q", "nodes_per_switch"),
    "random_regular": ("switches", "nodes_per_switch"),
    "rdt": ("side", "nodes_per_switch"),
    "slim_fly": ("q", "nodes_per_switch"),
    "torus": ("shape", "nodes_per_switch"),
    "xgft": ("children",),  # of three levels and full bisection, the lower two alike
    "xpander": ("switches", "nodes_per_switch"),  # only those that use all ports
}


def parameters(family):
    """Return the size parameters of a member; sides of a grid are padded with ones."""
    found = []
    for name in PARAMETERS[family.name]:
        value = getattr(family, name)
        found += [*value, *[1] * (24 - len(value))] if isinstance(value, tuple) else [value]
    return found


@cache
def members_and_sizes(name):
    """Return the members of a family with small parameters, their parameters, numbers of nodes and of ports."""
    small = members(name, 8)
    return small, *map(np.array, zip(*((parameters(each), each.nodes, each.ports) for each in small), strict=True))


def covered(sizes, others):
    """Return whether each size is at least as large in every parameter as one of the others."""
    return (sizes[:, None] >= others).all(axis=2).any(axis=1)


def members(name, largest):
    """Return all members of a family with small parameters."""
    cls, counts = family_named(name), range(1, largest + 1)
    if name in ("torus", "mesh", "hyperx"):
        shapes = [s[::-1] for d in (1, 2, 3, 4) for s in combinations_with_replacement(range(2, largest + 2), d)]
        return [cls(shape=shape, nodes_per_switch=n, node_cable_m=2.0) for shape, n in product(shapes, counts)]
    if name == "rdt":
        return [cls(side=side, nodes_per_switch=n, node_cable_m=2.0) for side, n in product((4, 8, 12, 16), counts)]
    if name == "dragonfly":
        balanced = [(h, g) for h in (1, 2, 3) for g in range(2, 2 * h * h + 2)]
        return [cls(switches_per_group=2 * h, global_ports=h, groups=g, nodes_per_switch=h) for h, g in balanced]
    if name == "megafly":
        balanced = [(h, g) for h in (1, 2, 3, 4) for g in range(2, h * h + 2)]
        return [
            cls(leaves_per_group=h, spines_per_group=h, global_ports=h, groups=g, nodes_per_leaf=h) for h, g in balanced
        ]
    if name == "leaf_spine":
        sizes = product(range(2, 2 * largest), counts)
        return [cls(leaf_switches=leaves, spine_switches=n, nodes_per_leaf=n) for leaves, n in sizes]
    if name == "full_mesh":
        return [cls(layers=layers, uplinks=n, nodes_per_leaf=n) for layers, n in product(counts, counts)]
    if name == "oft":
        return [cls(q=q, nodes_per_leaf=q + 1) for q in (2, 3, 4, 5)]
    if name == "fat_tree":
        return [cls(switch_ports=k) for k in range(2, 2 * largest, 2)]
    if name == "xgft":
        return [cls(children=(n, n, p), parents=(1, n, n)) for n, p in product(counts, range(2, 2 * largest))]
    if name in ("polar_fly", "slim_fly"):
        return [cls(q=q, nodes_per_switch=n) for q, n in product((3, 4, 5, 7), counts)]
    if name == "random_regular":
        sizes = [(s, r) for s in range(4, 14) for r in range(3, s) if s * r % 2 == 0]
        return [cls(switches=s, degree=r, nodes_per_switch=n) for (s, r), n in product(sizes, counts)]
    if name == "xpander":
        sizes = product(range(3, 8), range(1, 5), counts)
        return [cls(degree=d, lift=k, nodes_per_switch=n) for d, k, n in sizes]
    folded = name == "folded_hypercube"
    cubes = {n: dual_cube(n, tuple(1 << i for i in range(n)), folded).family.planes for n in range(2, 8)}
    return [cube_planes(planes, n) for planes, n in product(cubes.values(), counts)]


@for_each("name", PARAMETERS)
@given(st.integers(1, 5000), st.integers(1, 48))
@settings(max_examples=15)
def test_every_size_reaches_the_nodes_within_the_ports_and_sizes_are_sorted_by_switches(name, nodes, ports):
    found = list(islice(family_named(name).fitting(nodes, ports), 20))
    assert all(member.nodes >= nodes and member.ports <= ports for member in found)
    assert [member.switches for member in found] == sorted(member.switches for member in found)
    assert len(set(found)) == len(found)


@for_each("name", PARAMETERS)
@given(st.integers(1, 40), st.integers(1, 14))
@settings(max_examples=20)
def test_sizes_are_exactly_the_minimal_ones(name, nodes, ports):
    found = np.array([parameters(member) for member in family_named(name).fitting(nodes, ports)])
    small, sizes, node_counts, port_counts = members_and_sizes(name)
    # Those that must be covered.
    fit = (node_counts >= nodes) & (port_counts == ports if name == "xpander" else port_counts <= ports)
    missed = fit & ~covered(sizes, found) if len(found) else fit
    assert [small[index] for index in np.flatnonzero(missed)] == []
    for size in found:
        assert not covered(size[None], found[(found != size).any(axis=1)]).any()


def test_all_other_families_have_a_given_size():
    assert sized_families() == tuple(sorted(PARAMETERS))


def test_no_size_fits_if_ports_are_too_few():
    assert list(family_named("fat_tree").fitting(1500, 16)) == []  # 16³ / 4 = 1024
    assert list(family_named("hypercube").fitting(3000, 10)) == []  # 2^9 · 1 = 2^8 · 2 = 512 nodes at most
