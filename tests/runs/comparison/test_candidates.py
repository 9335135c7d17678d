"""The members that may be the cheapest for a throughput, against all members of small sizes."""

from dataclasses import replace
from fractions import Fraction
from itertools import islice, permutations, product

from isoplane.models import InputError, family_named
from isoplane.models.cabling.assumed_lengths import with_layout_lengths
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.multi_plane import MultiPlane, throughput_bound
from isoplane.models.families.xgft import ExtendedFatTree
from isoplane.models.site.part_costs import PartCosts
from isoplane.runs.comparison.sizes.nearest_sizes import LEFT_OUT, nearest_sizes
from isoplane.runs.comparison.sizes.plane_counts import Arrangement
from isoplane.runs.comparison.sizes.price_floor import price_floor
from isoplane.runs.comparison.sizes.racks import in_order_of_ids, price
from isoplane.runs.comparison.sizes.sized_design import SizedDesign
from isoplane.runs.comparison.sizes.sizing import cheapest
from isoplane.runs.inputs.named_families import sized_families
from tests.cases import for_each

from .test_sizing import REQUEST, SITE, promised

WIDE = ("dragonfly", "full_mesh", "hyperx", "leaf_spine", "megafly", "oft", "random_regular", "xgft", "xpander")
THROUGHPUTS = [Fraction(9, 10), Fraction(1, 2), Fraction(1, 4)]


@for_each("links", [1, 3])
@for_each("throughput", [*THROUGHPUTS, Fraction(1, 40)])
@for_each("name", WIDE)
def test_candidates_have_the_nodes_the_ports_and_the_throughput_by_formula(name, throughput, links):
    for nodes, ports in ((60, 16), (400, 48)):
        found = list(islice(family_named(name).candidates(nodes, ports, throughput, links), 60))
        assert len(found) == len(set(found))
        for member in found:
            assert member.nodes >= nodes
            assert member.ports <= ports
            bound = None if name == "megafly" else member.throughput_bound  # not counted before it is needed
            assert bound is None or bound >= throughput
            assert member.nodes_at_switch % links == 0


@for_each("costs", [PartCosts(switch=30, cable=2), PartCosts(switch=10**6)])
@for_each("name", [*WIDE, "torus", "mesh"])
def test_candidates_are_in_ascending_order_of_their_costs(name, costs):
    found = list(islice(family_named(name).candidates(200, 24, Fraction(1, 2), 1, costs), 200))
    least = [costs.of(member.switches, member.cables) for member in found]
    assert least == sorted(least)


def test_there_are_candidates_for_all_requests_of_a_small_machine():
    for name, throughput in product(WIDE, THROUGHPUTS):
        assert next(family_named(name).candidates(60, 16, throughput, 1)), (name, throughput)


@for_each("name", [*WIDE, "fat_tree", "torus", "mesh"])
def test_a_machine_that_has_candidates_for_a_throughput_has_some_for_every_lower_one(name):
    kind, throughputs = family_named(name), [Fraction(1, part) for part in (1, 2, 3, 4, 10, 20)]
    for nodes, ports, links in ((60, 15, 2), (60, 24, 3), (1500, 15, 3), (1500, 24, 2)):
        some = [next(kind.candidates(nodes * links, ports, each, links), None) is not None for each in throughputs]
        assert some == sorted(some), (nodes, ports, links)


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


def meshes(places, ports):
    for layers, uplinks in product(range(1, ports // 2 + 1), range(1, ports)):
        for per_leaf in range(-(-places // (layers * (uplinks + 1))), ports - uplinks + 1):
            yield FullMesh(layers=layers, uplinks=uplinks, nodes_per_leaf=per_leaf)


def dragonflies(places, ports):
    for a, h in product(range(1, ports), range(1, ports)):
        for groups in range(2, a * h + 2):
            for per_switch in range(-(-places // (a * groups)), ports - a - h + 2):
                yield Dragonfly(switches_per_group=a, global_ports=h, groups=groups, nodes_per_switch=per_switch)


def priced(family, request):
    """The price, or infinity if a cable is longer than any of the catalogue."""
    try:
        return price(in_order_of_ids(family, request.site), request)
    except InputError:
        return float("inf")


def leaf_spines(places, ports):
    for leaves, spines, cables in product(range(2, ports + 1), range(1, ports), range(1, ports)):
        if leaves * cables <= ports:
            for at_leaf in range(-(-places // leaves), ports - spines * cables + 1):
                yield LeafSpine(
                    leaf_switches=leaves, spine_switches=spines, nodes_per_leaf=at_leaf, cables_per_pair=cables
                )


def fat_trees(places, ports):
    for half in range(1, ports // 2 + 1):
        for cables in product([each for each in range(1, half + 1) if half % each == 0], repeat=2):
            tree = FatTree(switch_ports=2 * half, cables_per_pair=cables)
            if tree.nodes >= places:
                yield tree


def extended(places, ports):
    """Trees of two levels, and those of three of the fewest pods: more cost more."""
    for tree in leaf_spines(places, ports):
        children, parents, _ = tree.tree
        yield ExtendedFatTree(children, parents, cables_per_pair=tree.cables_per_pair)
    for m1, m2, m3 in product(range(1, ports), range(1, ports), range(2, ports + 1)):
        if not m1 * m2 * (m3 - 1) < places <= m1 * m2 * m3:
            continue
        for w2, p2 in product(range(1, ports), repeat=2):
            for w3, p3 in product(range(1, ports), range(1, ports // m3 + 1)):
                if m1 + w2 * p2 <= ports and m2 * p2 + w3 * p3 <= ports:
                    yield ExtendedFatTree((m1, m2, m3), (1, w2, w3), cables_per_pair=(p2, p3))


@for_each(("throughput", "whole"), [(Fraction(9, 10), True), (Fraction(1, 2), False)])
@for_each(
    ("name", "members", "nodes", "ports", "planes"),
    [
        ("leaf_spine", leaf_spines, 20, 10, 2),
        ("leaf_spine", leaf_spines, 12, 12, 1),
        ("fat_tree", fat_trees, 40, 16, 2),
        ("xgft", extended, 24, 6, 2),
        ("xgft", extended, 12, 7, 1),
        ("full_mesh", meshes, 60, 16, 2),
        ("full_mesh", meshes, 40, 16, 1),
        ("dragonfly", dragonflies, 60, 12, 2),
        ("dragonfly", dragonflies, 24, 12, 1),
    ],
)
def test_no_small_member_is_cheaper(name, members, nodes, ports, planes, throughput, whole):
    prices = replace(SITE.prices, by="switch", switch_ports=ports) if whole else SITE.prices
    request = replace(REQUEST, nodes=nodes, ports=ports, site=replace(SITE, prices=prices))
    links = 2 // planes
    found = cheapest(Arrangement(name, planes).members(request, throughput), request, throughput)
    most = found.price_cents if isinstance(found, SizedDesign) else float("inf")
    for plane in members(nodes * links, ports):
        if plane.nodes_at_switch % links == 0:
            family = MultiPlane(plane=with_layout_lengths(plane), planes=planes, links_per_node=links)
            bound, _ = throughput_bound(family)
            if (bound is None or bound >= 2 * throughput) and price_floor(family, request) < most:
                assert priced(family, request) >= most or promised(family, nodes) < throughput, family


@for_each("taper", [None, Fraction(1)])
@for_each("name", ["fat_tree", "xgft"])
def test_1024_nodes_in_two_planes_of_36_ports_take_at_most_330_switches(name, taper):
    prices = replace(SITE.prices, by="switch", switch_ports=36)
    request = replace(REQUEST, nodes=1024, ports=36, taper=taper, site=replace(SITE, prices=prices))
    found = cheapest(Arrangement(name, 2).members(request, Fraction(9, 10)), request, Fraction(9, 10))
    assert found.throughput >= Fraction(9, 10)
    assert found.family.nodes >= 1024
    assert found.family.switches <= 330


def test_the_nearest_grids_are_those_of_a_longer_side_than_hypercubes():
    # One node takes a port, and a line of three switches two more; four switches in a square need two as well.
    request = replace(REQUEST, nodes=1500, ports=3)
    text = nearest_sizes(Arrangement("hyperx", 2), request, Fraction(1, 2))
    assert text.startswith("the largest has 3, and ")
    assert text.endswith(LEFT_OUT)
    assert LEFT_OUT not in nearest_sizes(Arrangement("full_mesh", 2), request, Fraction(1, 2))
