"""The choice among the sizes that are laid out: in a comparison, and at every position of the sliders."""

import random
from fractions import Fraction

import numpy as np

from isoplane.models import InputError
from isoplane.objectives import bill_of
from isoplane.runs.comparison.compared_design import ComparedDesign, size
from isoplane.runs.comparison.interactive.offers import offers
from isoplane.runs.comparison.interactive.sliders import multiples_of
from isoplane.runs.comparison.request import request_of
from isoplane.runs.comparison.sizes import sizing
from isoplane.runs.comparison.sizes.plane_counts import Arrangement
from isoplane.runs.comparison.sizes.racks import in_order_of_ids, on_site, price
from isoplane.runs.config.config_values import plain
from tests.cases import for_each
from tests.runs.cli.conftest import composed_config
from tests.runs.comparison.test_sizing import promised

LEAF_SPINES = Arrangement("leaf_spine", 2)  # of which the second one with racks in order is the cheapest in others
TOO_LONG = 1 << 62


def requested(*words):
    return request_of(plain(composed_config("compare", *words)))


def cents(network, request):
    """The price of a network, above all others if a cable is too long."""
    try:
        return price(network, request)
    except InputError:
        return TOO_LONG


def prices_of(family, request):
    """Its prices with racks in order, and with those that are shown."""
    in_order = cents(in_order_of_ids(family, request.site), request)
    return in_order, min(in_order, cents(on_site(family, request.site), request))


@for_each(
    ("arrangement", "words", "least"),
    [
        (LEAF_SPINES, ("nodes=200", "ports=24"), Fraction(9, 10)),
        (LEAF_SPINES, ("nodes=200", "ports=24", "prices.multiples={optics:0.5}"), Fraction(9, 10)),
        (Arrangement("full_mesh", 1), ("nodes=60", "ports=16", "cable_m=10"), Fraction(1, 2)),
    ],
)
def test_no_size_that_is_laid_out_is_cheaper_than_the_design(arrangement, words, least):
    request = requested(*words)
    found = size(arrangement, request, least)
    able = [member for member in arrangement.members(request, least) if promised(member, request.nodes) >= least]
    in_order = {member: cents(in_order_of_ids(member, request.site), request) for member in able}
    within = [member for member in able if in_order[member] < TOO_LONG]
    laid_out = sorted(within, key=in_order.__getitem__)[: sizing.MAX_LAID_OUT]
    assert len(laid_out) > 1
    assert found.price_cents == min(prices_of(member, request)[1] for member in laid_out)
    shown = ComparedDesign(arrangement, least, found, request).network
    assert found.price_cents == bill_of(shown, request.nodes).total_cents
    assert found.family in laid_out


def test_the_cheapest_size_with_racks_in_order_is_not_that_with_the_racks_that_are_shown():
    request, least = requested("nodes=200", "ports=24"), Fraction(9, 10)
    first, *others = sizing.shortlist(LEAF_SPINES.members(request, least), request, least)
    found = size(LEAF_SPINES, request, least)
    assert found.family in [other.family for other in others]
    assert found.price_cents < prices_of(first.family, request)[1]


def test_at_positions_of_the_sliders_the_lowest_of_the_prices_is_that_of_the_design():
    request = requested("nodes=200", "ports=24", "throughput=0.9")
    limits, draws = (None, 15000, 5000), random.Random(5)
    found = offers((LEAF_SPINES, (request, limits)))
    multiples = multiples_of(request.site.prices)
    names = set()
    for limit, (choice,) in zip(limits, found["choices"], strict=True):
        for _ in range(2):
            steps = [draws.randrange(len(each)) for each in multiples.values()]
            shape = [1 if name == "nic" else len(each) for name, each in multiples.items()]
            flat = int(np.ravel_multi_index([min(s, n - 1) for s, n in zip(steps, shape, strict=True)], shape))
            changed = ",".join(f"{n}:{float(each[s])}" for (n, each), s in zip(multiples.items(), steps, strict=True))
            words = [f"prices.multiples={{{changed}}}", *([] if limit is None else [f"cable_m={limit / 1000}"])]
            asked = requested("nodes=200", "ports=24", "throughput=0.9", *words)
            design = size(LEAF_SPINES, asked, Fraction(9, 10))
            said = choice["said"].get(flat) if "pairs" in choice else -1
            if said is not None and said < 0:
                assert design.limits
                continue
            pairs = choice["pairs"] if said is None else [choice["pairs"][said]]
            best = min(
                (sum(c[s] for c, s in zip(racks["cents"], steps, strict=True)), found["designs"][index]["name"])
                for index, number in pairs
                for racks in [found["designs"][index]["racks"][number]]
            )
            assert best[0] == design.price_cents
            assert design.family.plane.title.split()[-1] in best[1]
            names.add(best[1])
    assert names
