"""The members that may be the cheapest for a throughput, against all members of small sizes."""

from dataclasses import replace
from fractions import Fraction
from itertools import islice, permutations, product

from isoplane.models import InputError, family_named
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.multi_plane import MultiPlane, throughput_bound, with_layout_lengths
from isoplane.models.families.xgft import ExtendedFatTree
from isoplane.models.site.part_costs import PartCosts
from isoplane.runs.comparison.request import sized_families
from isoplane.runs.comparison.sizes.plane_counts import Arrangement
from isoplane.runs.comparison.sizes.price_floor import price_floor
from isoplane.runs.comparison.sizes.sizing import (
    SizedDesign,
    cheapest,
    in_order_of_ids,
    price,
    routed_throughput,
)
from tests.cases import for_each

from .test_sizing import REQUEST

WIDE = ("dragonfly", "full_mesh", "hyperx", "leaf_spine", "megafly", "oft", "random_regular", "xgft", "xpander")
THROUGHPUTS = [Fraction(9, 10), Fraction(1, 2), Fraction(1, 4)]


@for_each("links", [1, 2, 3])
@for_each("throughput", [*THROUGHPUTS, Fraction(1, 40)])
@for_each("name", WIDE)
def test_candidates_have_the_nodes_the_ports_and_the_throughput_by_formula(name, throughput, links):
    for nodes, ports in ((60, 16), (400, 48)):
        found = list(islice(family_named(name).candidates(nodes, ports, throughput, links), 300))
        assert len(found) == len(set(found))
        for member in found:
            assert member.nodes >= nodes
            assert member.ports <= ports
            bound = None if name == "megafly" else member.throughput_bound  # not counted before it is needed
            assert bound is None or bound >= throughput
            assert member.nodes_at_switch % links == 0


@for_each("costs", [PartCosts(), PartCosts(switch=30, cable=2), PartCosts(switch=10**6)])
@for_each("name", [*WIDE, "torus", "mesh"])
def test_candidates_are_in_ascending_order_of_their_costs(name, costs):
    found = list(islice(family_named(name).candidates(200, 24, Fraction(1, 2), 1, costs), 500))
    least = [costs.of(member.switches, member.cables) for member in found]
    assert least == sorted(least)


@for_each("name", sorted({*WIDE} - {"hyperx"}))  # whose grids of many nodes are many
def test_candidates_of_the_smallest_and_the_largest_requests_are_valid(name):
    for nodes, ports, throughput in product((2, 1 << 15), (2, 3, 256), (Fraction(1), Fraction(1, 10**9))):
        for member in islice(family_named(name).candidates(nodes, ports, throughput, 1), 20):
            assert member.nodes >= nodes
            assert member.ports <= ports


def test_there_are_candidates_for_all_requests_of_a_small_machine():
    for name, throughput in product(WIDE, THROUGHPUTS):
        assert next(family_named(name).candidates(60, 16, throughput, 1)), (name, throughput)


@for_each("name", ["torus", "mesh"])
def test_candidates_of_rings_include_the_minimal_sizes_that_their_formula_allows(name):
    kind = family_named(name)
    found = {(member.shape, member.nodes_per_switch) for member in kind.candidates(60, 16, Fraction(1, 2), 1)}
    fast = [size for size in kind.fitting(60, 16) if size.throughput_bound >= Fraction(1, 2)]
    assert fast
    for size in fast:
        assert {(order, size.nodes_per_switch) for order in permutations(size.shape)} <= found


def test_all_other_families_have_only_minimal_sizes():
    kinds = {name: family_named(name) for name in sized_families()}
    without = {name for name, kind in kinds.items() if kind.candidates(60, 16, Fraction(1, 2), 1) is None}
    assert without == {"folded_hypercube", "hypercube", "polar_fly", "rdt", "slim_fly"}


def small_leaf_spines(places, ports):
    for leaves, spines in product(range(2, ports + 1), range(1, ports)):
        for per_leaf in range(-(-places // leaves), ports - spines + 1):
            yield LeafSpine(leaf_switches=leaves, spine_switches=spines, nodes_per_leaf=per_leaf)


def small_meshes(places, ports):
    for layers, uplinks in product(range(1, ports // 2 + 1), range(1, ports)):
        for per_leaf in range(-(-places // (layers * (uplinks + 1))), ports - uplinks + 1):
            yield FullMesh(layers=layers, uplinks=uplinks, nodes_per_leaf=per_leaf)


def small_trees(places, ports):
    for m1, m2, m3 in product(range(1, ports), range(1, ports), range(2, ports + 1)):
        if m1 * m2 * (m3 - 1) < places <= m1 * m2 * m3:  # more pods cost more
            for w2, w3 in product(range(1, ports - m1 + 1), range(1, ports - m2 + 1)):
                yield ExtendedFatTree(children=(m1, m2, m3), parents=(1, w2, w3))


def small_dragonflies(places, ports):
    for a, h in product(range(1, ports), range(1, ports)):
        for groups in range(2, a * h + 2):
            for per_switch in range(-(-places // (a * groups)), ports - a - h + 2):
                yield Dragonfly(switches_per_group=a, global_ports=h, groups=groups, nodes_per_switch=per_switch)


@for_each("throughput", THROUGHPUTS)
@for_each(
    ("name", "members", "nodes", "ports", "planes"),
    [
        ("leaf_spine", small_leaf_spines, 20, 16, 2),
        ("leaf_spine", small_leaf_spines, 12, 16, 1),
        ("full_mesh", small_meshes, 60, 16, 2),
        ("full_mesh", small_meshes, 40, 16, 1),
        ("xgft", small_trees, 60, 12, 2),
        ("dragonfly", small_dragonflies, 60, 12, 2),
        ("dragonfly", small_dragonflies, 24, 12, 1),
    ],
)
def test_no_small_member_is_cheaper(name, members, nodes, ports, planes, throughput):
    request = replace(REQUEST, nodes=nodes, ports=ports)
    links = 2 // planes
    found = cheapest(Arrangement(name, planes).members(request, throughput), request, throughput)
    most = found.price_cents if isinstance(found, SizedDesign) else float("inf")
    for plane in members(nodes * links, ports):
        if plane.nodes_at_switch % links:
            continue
        family = MultiPlane(plane=with_layout_lengths(plane), planes=planes, links_per_node=links)
        bound, _ = throughput_bound(family)
        if bound is not None and bound < 2 * throughput:
            continue
        if price_floor(family, request) < most and is_cheaper(family, request, most):
            assert routed_throughput(family, 2) < throughput, family


def is_cheaper(family, request, most):
    """Whether a member costs less; no longer cable than in the catalogue is needed."""
    try:
        return price(in_order_of_ids(family, request.site), request) < most
    except InputError:
        return False
