"""Trees with parallel cables in comparisons, against the prices and the loads of all of a small size."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

from isoplane.models import InputError
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.multi_plane import MultiPlane, throughput_bound, with_layout_lengths
from isoplane.models.families.xgft import ExtendedFatTree
from isoplane.runs.comparison.sizes.plane_counts import Arrangement
from isoplane.runs.comparison.sizes.sizing import (
    SizedDesign,
    cheapest,
    in_order_of_ids,
    price,
    routed_throughput,
)
from tests.cases import for_each

from .test_sizing import REQUEST, SITE


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
        yield ExtendedFatTree(
            (tree.nodes_per_leaf, tree.leaves), (1, tree.spines), cables_per_pair=tree.cables_per_pair
        )
    for m1, m2, m3 in product(range(1, ports), range(1, ports), range(2, ports + 1)):
        if not m1 * m2 * (m3 - 1) < places <= m1 * m2 * m3:
            continue
        for w2, p2 in product(range(1, ports), repeat=2):
            for w3, p3 in product(range(1, ports), range(1, ports // m3 + 1)):
                if m1 + w2 * p2 <= ports and m2 * p2 + w3 * p3 <= ports:
                    yield ExtendedFatTree((m1, m2, m3), (1, w2, w3), cables_per_pair=(p2, p3))


def priced(family, request):
    """The price, or infinity if a cable is longer than any of the catalogue."""
    try:
        return price(in_order_of_ids(family, request.site), request)
    except InputError:
        return float("inf")


@for_each("whole", [True, False])
@for_each("throughput", [Fraction(9, 10), Fraction(1, 2)])
@for_each(
    ("name", "members", "nodes", "ports", "planes"),
    [
        ("leaf_spine", leaf_spines, 20, 10, 2),
        ("leaf_spine", leaf_spines, 12, 12, 1),
        ("fat_tree", fat_trees, 40, 16, 2),
        ("xgft", extended, 24, 6, 2),
        ("xgft", extended, 12, 7, 1),
    ],
)
def test_no_small_tree_is_cheaper(name, members, nodes, ports, planes, throughput, whole):
    prices = replace(SITE.prices, by="switch", switch_ports=ports) if whole else SITE.prices
    request = replace(REQUEST, nodes=nodes, ports=ports, site=replace(SITE, prices=prices))
    links = 2 // planes
    found = cheapest(Arrangement(name, planes).members(request, throughput), request, throughput)
    most = found.price_cents if isinstance(found, SizedDesign) else float("inf")
    for plane in members(nodes * links, ports):
        if plane.nodes_at_switch % links == 0:
            family = MultiPlane(plane=with_layout_lengths(plane), planes=planes, links_per_node=links)
            if throughput_bound(family)[0] >= 2 * throughput and priced(family, request) < most:
                assert routed_throughput(family, 2) < throughput, family


@for_each("taper", [None, Fraction(1)])
@for_each("name", ["fat_tree", "xgft"])
def test_1024_nodes_in_two_planes_of_36_ports_take_at_most_330_switches(name, taper):
    prices = replace(SITE.prices, by="switch", switch_ports=36)
    request = replace(REQUEST, nodes=1024, ports=36, taper=taper, site=replace(SITE, prices=prices))
    found = cheapest(Arrangement(name, 2).members(request, Fraction(9, 10)), request, Fraction(9, 10))
    assert found.throughput >= Fraction(9, 10)
    assert found.family.nodes >= 1024
    assert found.family.switches <= 330
