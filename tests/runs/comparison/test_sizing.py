"""The sizing rule against a search of all members, and the reasons for families without a design."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import pytest

from isoplane.models import InputError, Layout, Network, Site
from isoplane.runs.comparison.compared_design import ComparedDesign, size
from isoplane.runs.comparison.request import Request, request_of
from isoplane.runs.comparison.rows import sized_and_measured
from isoplane.runs.comparison.sizes import sizing
from isoplane.runs.comparison.sizes.nearest_sizes import fewest_ports, has_members, largest_nodes, nearest_sizes
from isoplane.runs.comparison.sizes.plane_counts import Arrangement, arrangements, sized
from isoplane.runs.comparison.sizes.price_floor import price_floor
from isoplane.runs.comparison.sizes.racks import in_order_of_ids, on_site
from isoplane.runs.comparison.sizes.racks import price as network_price
from isoplane.runs.comparison.sizes.sized_design import SizedDesign, too_slow
from isoplane.runs.comparison.sizes.sizing import cheapest
from isoplane.runs.comparison.sizes.throughputs import requested_throughput, routed_throughput
from isoplane.runs.config.config_values import plain
from isoplane.runs.inputs.named_families import sized_families
from tests.cases import for_each
from tests.runs.cli.conftest import composed_config

SITE = Site(layout=Layout(racks_across=40, racks_deep=20, pitch_deep_m=1.0))
REQUEST = Request(
    nodes=60,
    ports=16,
    node_ports=2,
    planes=(1, 2),
    throughputs=(Fraction(9, 10),),
    families=sized_families(),
    taper=None,
    budget_cents=None,
    cable_mm=None,
    site=SITE,
    seed=1,
)
ARRANGEMENTS = arrangements(REQUEST)
BEYOND_CATALOGUE = 1 << 62


def price(family):
    """The price of the parts for 60 nodes, counted here, with racks filled in order."""
    network = in_order_of_ids(family, SITE)
    prices = SITE.prices
    total = 60 * prices.nic_cents(2) + 120 * prices.cable_for_mm(network.node_cable_mm)[1]
    for plane in network.cabling:
        total += int(plane.ports_used.sum()) * 31028
        ends = Counter(plane.cable_mm[plane.topology.peer >= 0].tolist())
        total += sum(count * prices.cable_for_mm(length)[1] for length, count in ends.items()) // 2
    return total


def promised(family, nodes):
    """The lower one of the throughputs with a node at each place, and with some nodes evenly spread."""
    return min(routed_throughput(family, 2), requested_throughput(family, nodes, 2))


def test_the_price_is_that_of_the_parts():
    found = cheapest(Arrangement("hyperx", 2).members(REQUEST, Fraction(1, 3)), REQUEST, Fraction(1, 3))
    assert found.price_cents == price(found.family)
    assert found.throughput == routed_throughput(found.family, 2) >= Fraction(1, 3)


LAYOUTS = [
    Layout(switches_per_rack=8, nodes_per_rack=64, aspects=()),
    Layout(switches_per_rack=2, nodes_per_rack=8, aspects=(), pitch_across_m=3.0, node_cable_m=4.0),
]


@for_each("layout", LAYOUTS)
@for_each(
    ("arrangement", "nodes", "ports", "least"),
    [
        *((each, 12, 5, Fraction(1, 3)) for each in ARRANGEMENTS),
        (Arrangement("hyperx", 2), 40, 8, Fraction(9, 10)),
        (Arrangement("mesh", 2), 40, 8, Fraction(9, 10)),
    ],
)
def test_the_design_is_the_cheapest_of_all_members_with_the_throughput(arrangement, nodes, ports, least, layout):
    request = replace(REQUEST, nodes=nodes, ports=ports, site=replace(SITE, layout=layout))
    members = list(arrangement.members(request, least))
    assert all(member.nodes >= nodes and member.ports <= ports for member in members)
    found, prices = cheapest(members, request, least), {member: in_order_price(member, request) for member in members}
    most = found.price_cents if isinstance(found, SizedDesign) else BEYOND_CATALOGUE
    assert all(promised(member, nodes) < least for member in members if prices[member] < most)
    assert all(price_floor(member, request) <= prices[member] for member in members)


def test_members_beyond_the_limit_of_ports_are_not_enumerated(monkeypatch):
    request = replace(REQUEST, nodes=64)  # a node at each place of the first member
    every = list(islice(Arrangement("hyperx", 1).members(request, Fraction(1, 2)), 4))
    pulled = []
    monkeypatch.setattr(sizing, "MAX_TRIED_PORTS", 1)  # those of the first member are more
    cheapest((pulled.append(member) or member for member in every), request, Fraction(1, 2))
    assert pulled == every[: len(pulled)] != every


def in_order_price(member, request):
    """The price with racks filled in order, or a higher one if a cable is longer than those of the catalogue."""
    try:
        return network_price(in_order_of_ids(member, request.site), request)
    except InputError:
        return BEYOND_CATALOGUE


@for_each("arrangement", ARRANGEMENTS)
def test_every_member_has_the_requested_ports_per_node(arrangement):
    for member in islice(arrangement.members(REQUEST, Fraction(1)), 4):
        planes = Network(member, Site(layout=None)).planes
        assert len(planes) == arrangement.planes
        assert all((plane.starts[1:] - plane.starts[:-1] == 2 // arrangement.planes).all() for plane in planes)
    narrow = replace(REQUEST, ports=4)  # at least 3 cables per switch, so one port for nodes
    for planes in (1, 2):
        assert bool(list(Arrangement("random_regular", planes).members(narrow, Fraction(1, 2)))) == (planes == 2)


def test_a_family_whose_cheapest_member_is_too_large_to_be_routed_has_no_design(monkeypatch):
    def refuse(*_):
        raise InputError("switches=20736: expected an integer from 1 to 16384")

    monkeypatch.setattr(sizing, "routed_throughput", refuse)
    found = cheapest(Arrangement("torus", 2).members(REQUEST, Fraction(1, 3)), REQUEST, Fraction(1, 3))
    assert not found.limits
    assert found.text.endswith(
        "may be the cheapest, but has no routes: switches=20736: expected an integer from 1 to 16384"
    )


def test_a_budget_excludes_what_costs_more():
    arrangement = Arrangement("hyperx", 2)
    best = cheapest(arrangement.members(REQUEST, Fraction(1, 2)), REQUEST, Fraction(1, 2))
    enough = replace(REQUEST, budget_cents=best.price_cents)
    short = replace(REQUEST, budget_cents=best.price_cents - 1)
    assert cheapest(arrangement.members(enough, Fraction(1, 2)), enough, Fraction(1, 2)) == best
    found = cheapest(arrangement.members(short, Fraction(1, 2)), short, Fraction(1, 2))
    assert (found.limits, found.value, found.design) == (("price",), best.price_cents, best)


def test_a_longest_cable_excludes_designs_with_longer_ones():
    arrangement = Arrangement("slim_fly", 1)
    limited = replace(REQUEST, cable_mm=1000)
    found = cheapest(arrangement.members(limited, Fraction(1, 2)), limited, Fraction(1, 2))
    assert found.limits == ("cable",)
    longer = replace(REQUEST, cable_mm=found.value)
    family = cheapest(arrangement.members(longer, Fraction(1, 2)), longer, Fraction(1, 2)).family
    assert found.design.family == family
    dear = replace(limited, budget_cents=100)
    both = cheapest(arrangement.members(dear, Fraction(1, 2)), dear, Fraction(1, 2))
    assert (both.limits, both.value) == (("price", "cable"), in_order_price(family, REQUEST))
    assert both.text.endswith(found.text)


def test_no_design_costs_more_or_has_longer_cables_than_allowed():
    floor = replace(SITE, layout=Layout(switches_per_rack=4, nodes_per_rack=32, assignment="search", aspects=()))
    arrangement = Arrangement("torus", 2)
    free = replace(REQUEST, site=floor)
    chosen = size(arrangement, free, Fraction(1, 2))
    for limits in ({"budget_cents": chosen.price_cents}, {"cable_mm": 5000}):
        request = replace(free, **limits)
        design = size(arrangement, request, Fraction(1, 2))
        if isinstance(design, SizedDesign):
            shown = ComparedDesign(arrangement, Fraction(1, 2), design, request).network
            assert network_price(shown, request) <= design.price_cents


def test_racks_by_the_rule_of_the_layout_are_tried_if_cables_are_too_long_otherwise():
    floor = replace(SITE, layout=Layout(switches_per_rack=4, nodes_per_rack=32, assignment="search", aspects=()))
    request = replace(REQUEST, site=floor, cable_mm=5000)
    arrangement = Arrangement("leaf_spine", 1)
    found = size(arrangement, request, Fraction(1, 2))
    with pytest.raises(InputError, match="needs a cable of 10 m; expected at most 5 m"):
        network_price(in_order_of_ids(found.family, floor), request)
    network = ComparedDesign(arrangement, Fraction(1, 2), found, request).network
    assert max(int(plane.cable_mm.max()) for plane in network.planes) <= 5000
    assert network_price(network, request) == found.price_cents
    too_dear = replace(request, budget_cents=found.price_cents - 1)
    reason = size(arrangement, too_dear, Fraction(1, 2))  # racks with short cables exist: the price is too high
    assert (reason.limits, reason.value, reason.design.family) == (("price",), found.price_cents, found.family)


def test_trees_of_odd_leaves_are_no_members_for_two_links_per_node():
    # 18-port fat-trees reach 1,200 places, but have 9 nodes at a switch; those of 20 ports have 10. With 9 parallel
    # cables, 36-port switches make 36³ / 4 · 9 = 1,296 places.
    request = replace(REQUEST, nodes=600, ports=36)
    members = list(Arrangement("fat_tree", 1).members(request, Fraction(9, 10)))
    assert {member.plane.switch_ports for member in members} == {20, 24, 28, 32, 36}
    assert {member.nodes for member in members if member.plane.cables_per_pair == 1} == {1000, 1728, 2744, 4096, 5832}
    assert min(member.nodes for member in members) == 648


def test_a_rack_holds_the_switches_of_all_planes():
    site = replace(SITE, layout=Layout(switches_per_rack=4, aspects=()))
    for planes, per_rack in ((1, 4), (2, 2)):
        member = next(Arrangement("hyperx", planes).members(replace(REQUEST, site=site), Fraction(1, 2)))
        assert on_site(member, site).site.layout.switches_per_rack == per_rack


@for_each("arrangement", ARRANGEMENTS)
def test_random_graphs_have_the_seed_of_the_request_and_other_families_no_other_members(arrangement):
    seed = (1 << 64) - 1
    members = list(islice(arrangement.members(replace(REQUEST, seed=seed), Fraction(1, 2)), 40))
    if arrangement.family in ("random_regular", "xpander"):
        assert members
        assert {member.plane.seed for member in members} == {seed}
    else:
        assert members == list(islice(arrangement.members(REQUEST, Fraction(1, 2)), 40))


FAMILIES = ("fat_tree", "leaf_spine", "xgft", "oft", "full_mesh", "dragonfly", "megafly", "slim_fly", "hypercube")


@for_each(("ports", "planes"), [(5, 1), (6, 2)])
@for_each("family", FAMILIES)
def test_the_nearest_sizes_are_the_nearest_of_all(family, planes, ports):
    arrangement, least, request = Arrangement(family, planes), Fraction(1, 2), replace(REQUEST, nodes=150, ports=ports)
    assert not has_members(arrangement, request, least)
    smaller = [nodes for nodes in range(1, 150) if has_members(arrangement, replace(request, nodes=nodes), least)]
    wider = (wide for wide in range(ports + 1, 65) if has_members(arrangement, replace(request, ports=wide), least))
    assert largest_nodes(arrangement, request, least) == max(smaller, default=0)
    assert fewest_ports(arrangement, request, least) == next(wider)


def test_the_nearest_fat_trees_follow_from_their_formula():
    # k-port switches: k^3 / 4 nodes. 8^3 / 4 = 128, 14^3 / 4 = 686, 16^3 / 4 = 1024.
    request, arrangement = replace(REQUEST, nodes=1000, ports=9, node_ports=1, planes=(1,)), Arrangement("fat_tree", 1)
    (found,), _ = sized_and_measured((arrangement, request))
    assert found.text == (
        "no size reaches 1000 nodes with 9-port switches; the largest has 128, and 16-port switches reach 1000"
    )


def test_links_are_the_reason_why_no_cube_has_nodes_with_four_in_a_plane():
    request = replace(REQUEST, node_ports=4, planes=(1,))
    for found in sized_and_measured((Arrangement("hypercube", 1), request))[0]:
        assert found.text == "a node has 4 links in each plane; expected at most 2"


@for_each("family", ["torus", "mesh", "random_regular"])
def test_switches_without_ports_for_all_links_of_a_node_end_the_search_for_sizes(family, monkeypatch):
    # Two links and a ring of two more ports exceed 3: of 3,000 and more places, no size is to be tried one by one.
    kind, asked = sized(family), []
    fitting = kind.fitting
    monkeypatch.setattr(kind, "fitting", lambda nodes, ports: asked.append(nodes) or fitting(nodes, ports))
    assert not has_members(Arrangement(family, 1), replace(REQUEST, nodes=1500, ports=3), Fraction(1, 2))
    assert len(asked) < 5


def test_no_number_of_ports_is_enough_for_more_nodes_than_tables_hold():
    request = replace(REQUEST, nodes=100_000, ports=36)
    text = nearest_sizes(Arrangement("fat_tree", 2), request, Fraction(1, 2))
    assert text == f"the largest has {36**3 // 4}, and 1024-port switches do not reach 100000 either"


def test_a_reason_other_than_the_size_has_no_nearest_sizes():
    request = replace(REQUEST, budget_cents=100)
    for found in sized_and_measured((Arrangement("fat_tree", 2), request))[0]:
        assert found.limits == ("price",)
        assert "reach" not in found.text


@for_each("family", ["fat_tree", "hyperx", "megafly", "xgft"])
def test_a_budget_of_the_price_that_is_shown_is_enough(family):
    request = request_of(plain(composed_config("compare", "nodes=200", "ports=12")))
    arrangement, least = Arrangement(family, 2), Fraction(1, 2)
    found = size(arrangement, request, least)
    assert found.price_cents < in_order_price(found.family, request)  # in other racks than those in order
    assert size(arrangement, replace(request, budget_cents=found.price_cents), least) == found
    assert size(arrangement, replace(request, budget_cents=found.price_cents - 1), least).limits == ("price",)


def test_a_catalogue_with_other_prices_has_them_in_its_name():
    words = ("nodes=30", "ports=8", "prices.multiples={switch:1.2,optics:0.8}")
    prices = request_of(plain(composed_config("compare", *words))).site.prices
    assert prices.name == "infiniband_edr_ranges, switch prices x 1.2, optics prices x 0.8"


def test_a_family_of_which_only_a_bound_is_known_is_not_called_the_nearest():
    tight, bound = Fraction(897, 1000), Fraction(9, 10)
    found, known = (too_slow(tight, bound, is_bound=is_bound) for is_bound in (True, False))
    assert (found.limits, known.limits) == ((), ("throughput",))
    assert known.order < found.order
