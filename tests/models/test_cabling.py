import re

import pytest

from isoplane.models import InputError, Layout, PriceList, cable_table
from tests.cases import for_each

LONGER = PriceList(cables_usd={1.0: 110, 3.0: 148, 10.0: 545, 200.0: 2500})


def cable_by_cable(n, generator, layout, prices):
    """Add up the cables of a generator one by one: mm counted at both ends, cents once per cable."""
    switches = 1 << n
    cables = [prices.cable_for_mm(layout.cable_mm(x, x ^ generator, switches)) for x in range(switches)]
    return sum(length for length, _ in cables), sum(price for _, price in cables) // 2


@for_each(
    "layout",
    [
        Layout(),
        Layout(switches_per_rack=8),
        Layout(switches_per_rack=64),  # more than there are switches: a single rack
        Layout(switches_per_rack=3, racks_across=4, racks_deep=3),  # generators do not map racks to racks
        Layout(slack_m="2.5", rack_cable_m="1.5"),  # as a configuration file may write them
    ],
)
def test_the_table_matches_the_sum_over_single_cables(layout):
    table = cable_table(5, layout, PriceList())
    for generator in range(1, 32):
        total = (int(table.length_mm[generator]), int(table.price_cents[generator]))
        assert total == cable_by_cable(5, generator, layout, PriceList())


def test_mean_cable_lengths_of_identical_planes_are_the_published_ones():
    means_m = {}
    for n in (8, 12):
        lengths_mm = cable_table(n, Layout(), PriceList()).length_mm
        generators = [1 << i for i in range(n)]
        total_mm = sum(int(lengths_mm[g]) for g in generators)
        means_m[n] = (total_mm / n / 2**n / 1000, (total_mm + int(lengths_mm[2**n - 1])) / (n + 1) / 2**n / 1000)
    assert [round(mean, 2) for n in (8, 12) for mean in means_m[n]] == [5.5, 6.73, 11.17, 15.52]


def test_at_n_13_the_folded_link_needs_a_cable_of_130_metres_which_the_catalogue_lacks():
    # 2048 racks on 64 x 32: from corner to corner 63 x 0.8 + 31 x 2.5 + 2.0 = 129.9 m
    table = cable_table(13, Layout(), PriceList())
    message = "generator 8191 needs a cable of 129.9 m: the longest in prices=infiniband_edr is 100 m; expected a"
    with pytest.raises(InputError, match=re.escape(message)):
        table.require_cable(8191, PriceList())
    table.require_cable(1 << 12, PriceList())  # 16 rows of racks: 16 x 2.5 + 2.0 = 42 m


def test_require_all_cables_needs_a_cable_for_every_generator():
    cable_table(12, Layout(), PriceList()).require_all_cables(PriceList())
    cable_table(13, Layout(), LONGER).require_all_cables(LONGER)
    with pytest.raises(InputError, match=re.escape("needs a cable of 129.9 m")):
        cable_table(13, Layout(), PriceList()).require_all_cables(PriceList())
