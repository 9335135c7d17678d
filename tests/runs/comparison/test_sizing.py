"""The sizing rule against a search of all members, and the reasons for families without a design."""

from dataclasses import replace
from fractions import Fraction

import pytest

from isoplane.models import Layout, Network, PriceList, Site
from isoplane.objectives.general import GeneralExact
from isoplane.runs.comparison.arrangements import Arrangement, arrangements
from isoplane.runs.comparison.request import Request, sized_families
from isoplane.runs.comparison.sizing import Sized, Unsized, cheapest, price_floor, routed_throughput

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


def price(family):
    return GeneralExact(Network(family, SITE)).cost_cents


@pytest.mark.parametrize("least", [Fraction(9, 10), Fraction(1, 3)])
@pytest.mark.parametrize("arrangement", ARRANGEMENTS, ids=lambda each: each.title)
def test_the_design_is_the_cheapest_of_all_members_with_the_throughput(arrangement, least):
    members = list(arrangement.members(REQUEST, least))
    assert all(member.nodes >= 60 and member.ports <= 16 for member in members)
    able = [member for member in members if routed_throughput(member, 2) >= least]
    found = cheapest(members, REQUEST, least)
    if able:
        assert isinstance(found, Sized)
        assert found.price_cents == price(found.family) == min(map(price, able))
        assert found.throughput == routed_throughput(found.family, 2) >= least
    else:
        assert isinstance(found, Unsized)
        assert "throughput" in found.reason


@pytest.mark.parametrize("arrangement", ARRANGEMENTS, ids=lambda each: each.title)
def test_the_lower_bound_on_the_price_is_one(arrangement):
    for member in list(arrangement.members(REQUEST, Fraction(9, 10)))[:12]:
        assert price_floor(member, REQUEST) <= price(member)


@pytest.mark.parametrize("arrangement", ARRANGEMENTS, ids=lambda each: each.title)
def test_every_member_has_the_requested_ports_per_node(arrangement):
    for member in list(arrangement.members(REQUEST, Fraction(1)))[:4]:
        planes = Network(member, Site(layout=None)).planes
        assert len(planes) == arrangement.planes
        assert all((plane.starts[1:] - plane.starts[:-1] == 2 // arrangement.planes).all() for plane in planes)


def test_a_budget_excludes_what_costs_more():
    arrangement = Arrangement("hyperx", 2)
    best = cheapest(arrangement.members(REQUEST, Fraction(1, 2)), REQUEST, Fraction(1, 2))
    enough = replace(REQUEST, budget_cents=best.price_cents)
    short = replace(REQUEST, budget_cents=best.price_cents - 1)
    assert cheapest(arrangement.members(enough, Fraction(1, 2)), enough, Fraction(1, 2)) == best
    assert "costs" in cheapest(arrangement.members(short, Fraction(1, 2)), short, Fraction(1, 2)).reason


def test_a_longest_cable_excludes_designs_with_longer_ones():
    arrangement = Arrangement("slim_fly", 1)
    limited = replace(REQUEST, cable_mm=1000)
    found = cheapest(arrangement.members(limited, Fraction(1, 2)), limited, Fraction(1, 2))
    assert isinstance(found, Unsized)
    assert "needs a cable of" in found.reason


def test_a_design_beyond_the_catalogue_is_named_with_its_reason():
    site = Site(layout=SITE.layout, prices=PriceList(cables_usd={1.0: 110, 2.0: 134}))
    request = replace(REQUEST, site=site)
    found = cheapest(Arrangement("slim_fly", 1).members(request, Fraction(1, 2)), request, Fraction(1, 2))
    assert isinstance(found, Unsized)
    assert "the longest in prices=infiniband_edr is 2 m" in found.reason


def test_relabelled_planes_have_shorter_paths_than_identical_ones():
    identical, relabelled = (
        next(Arrangement("hypercube", 2, relabelled).members(REQUEST, Fraction(1))) for relabelled in (False, True)
    )
    assert identical.n == relabelled.n
    assert routed_throughput(relabelled, 2) > routed_throughput(identical, 2)
