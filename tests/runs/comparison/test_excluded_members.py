"""Limits that exclude members of a family: the design is the cheapest of the others."""

from dataclasses import replace
from fractions import Fraction

from isoplane.models import Network
from isoplane.models.network import NO_SITE
from isoplane.objectives.general import GeneralExact
from isoplane.runs.comparison.sizes.plane_counts import Arrangement
from isoplane.runs.comparison.sizes.sized_design import Miss, SizedDesign
from isoplane.runs.comparison.sizes.sizing import cheapest
from tests.cases import for_each

from .test_sizing import BEYOND_CATALOGUE, REQUEST, in_order_price, promised

NEAR_AND_FAR = (Arrangement("hypercube", 2, relabelled=True), Arrangement("leaf_spine", 1), Arrangement("hyperx", 2))


def diameter(network):
    return GeneralExact(network).diameter


def switches(network):
    return sum(network.plane_switches)


@for_each(
    ("measure", "limit"), [*((diameter, limit) for limit in (1, 2, 3)), *((switches, limit) for limit in (8, 11, 12))]
)
def test_within_a_limit_the_design_is_the_cheapest_of_the_members_within_it(measure, limit):
    name = measure.__name__
    request, least = replace(REQUEST, nodes=12, ports=5, **{name: limit}), Fraction(1, 3)
    found = {arrangement: cheapest(arrangement.members(request, least), request, least) for arrangement in NEAR_AND_FAR}
    for arrangement, design in found.items():
        members = [member for member in arrangement.members(request, least) if promised(member, 12) >= least]
        values = {member: measure(Network(member, NO_SITE)) for member in members}
        prices = [in_order_price(member, request) for member in members if values[member] <= limit]
        if isinstance(design, SizedDesign):
            assert values[design.family] <= limit
            assert design.price_cents == min(prices)
        else:
            assert min(prices, default=BEYOND_CATALOGUE) == BEYOND_CATALOGUE
            assert not values or (design.limits, design.value) == ((name,), min(values.values()))
    assert len({isinstance(design, Miss) for design in found.values()}) == 2
