"""Sites: exact numbers, delays, grids of racks, lengths and prices of cables, interfaces and switches."""

import pickle
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import DelayUnits, Layout, PriceList, SwitchModel, assign_racks, cable_table
from isoplane.models.checks import cents, check_bool, check_int, exact_number, millimetres
from isoplane.models.topologies import graph
from tests.cases import for_each, require_refusal


@given(st.integers(0, 255), st.integers(0, 255))
def test_a_cable_has_the_same_length_from_either_end(switch, other):
    assert Layout().cable_mm(switch, other, 256) == Layout().cable_mm(other, switch, 256)


@given(st.integers(1, 200), st.integers(0, 40), st.integers(0, 40))
def test_without_aspects_no_grid_has_a_shorter_longer_side_nor_one_as_short_fewer_places(racks, across_dm, deep_dm):
    layout = Layout(aspects=(), pitch_across_m=across_dm / 10, pitch_deep_m=deep_dm / 10)
    across, deep = layout.grid_of(racks)
    others = ((each, -(-racks // each)) for each in range(1, racks + 1))
    best = min((max(a * across_dm, d * deep_dm), a * d) for a, d in others)
    assert (max(across * across_dm, deep * deep_dm), across * deep) == best
    assert across * (deep - 1) < racks <= across * deep  # unused places only in the last row


@given(st.integers(1, 40), st.integers(1, 10), st.integers(1, 8), st.none() | st.integers(8, 40))
def test_a_layout_filled_by_id_has_the_racks_that_both_capacities_give(switches, per_rack, nodes, nodes_per_rack):
    layout = Layout(switches_per_rack=per_rack, nodes_per_rack=nodes_per_rack, aspects=())
    chain = graph([(i, i + 1) for i in range(switches - 1)] or [(0, 1)], max(2, switches))
    rack = assign_racks(chain, np.full(chain.switches, nodes), layout).rack
    assert rack.tolist() == (np.arange(chain.switches) // layout.filled_by_id(nodes).switches_per_rack).tolist()


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
        table = cable_table(n, Layout(), PriceList())
        table.require_all_cables(PriceList())
        generators = [1 << i for i in range(n)]
        total_mm = sum(int(table.length_mm[g]) for g in generators)
        folded_mm = total_mm + int(table.length_mm[2**n - 1])
        means_m[n] = (total_mm / n / 2**n / 1000, folded_mm / (n + 1) / 2**n / 1000)
    assert [round(mean, 2) for n in (8, 12) for mean in means_m[n]] == [5.5, 6.73, 11.17, 15.52]
    long = cable_table(13, Layout(), LONGER)
    long.require_all_cables(LONGER)
    long.require_cable(1 << 12, PriceList())  # 16 rows of racks: 16 x 2.5 + 2.0 = 42 m


@given(st.dictionaries(st.integers(1, 5), st.integers(1, 500), min_size=1, max_size=3), st.integers(1, 9))
def test_a_port_count_missing_from_the_catalogue_costs_the_cheapest_combination(nics, ports):
    prices = PriceList(nics_usd=nics)
    combinations = (c for count in range(1, 10) for c in combinations_with_replacement(nics, count) if sum(c) == ports)
    costs = [100 * sum(nics[port_count] for port_count in combination) for combination in combinations]
    if ports in nics:
        assert prices.nic_cents(ports) == 100 * nics[ports]
    elif costs:
        assert prices.nic_cents(ports) == min(costs)
    else:
        require_refusal(lambda: prices.nic_cents(ports), f"none with {ports} ports")


@given(st.dictionaries(st.integers(1, 50), st.integers(1, 500), min_size=1, max_size=5), st.integers(0, 60))
def test_a_switch_is_the_cheapest_that_has_enough_ports(switches, ports):
    prices = PriceList(switches_usd=switches)
    enough = {size: usd for size, usd in switches.items() if size >= ports}
    if enough:
        size, cents = prices.switch_for(ports)
        assert cents == 100 * min(enough.values()) == 100 * switches[size]
    else:
        require_refusal(lambda: prices.switch_for(ports), f"a switch of {ports} ports: the largest in prices=")


@given(st.dictionaries(st.integers(1, 50), st.integers(1, 500), max_size=5), st.integers(1, 60), st.integers(0, 60))
def test_a_whole_switch_costs_the_same_however_many_of_its_ports_are_used(switches, ports, used):
    by_port = PriceList(switches_usd=switches)
    if switches and max(switches) < ports:
        return
    whole = PriceList(switches_usd=switches, by="switch", switch_ports=ports)
    if used <= ports:
        assert whole.switch_for(used) == by_port.switch_for(ports)
    else:
        require_refusal(lambda: whole.switch_for(used), f"{used} ports: expected at most prices.switch_ports={ports}")


CATALOGUE = PriceList()
GRIDS = {1: (1, 1), 2: (1, 1), 3: (2, 1), 4: (4, 1), 5: (4, 2), 8: (16, 4), 9: (16, 8), 12: (64, 16)}
NINE = Layout(racks_across=3, racks_deep=3)
BINARY = SwitchModel(delay_ns=Fraction(90.1)).units()


@for_each(
    ("of", "expected"),
    [
        # twice or four times as wide as deep
        (lambda: {n: Layout().grid(1 << n) for n in GRIDS}, GRIDS),
        (lambda: (NINE.grid(32), NINE.positions_mm(32)[3].tolist()), ((3, 3), [0, 2500])),  # 8 racks on 9 positions
        (lambda: (Layout(aspects=None), Layout(aspects=[])), (Layout(aspects=()),) * 2),
        # the paper's figure 4: racks 2 and 3, neighbours, 0.8 + 2.0 m; opposite corners of 4x2, 3 x 0.8 + 2.5 + 2.0 m
        (lambda: [Layout().cable_mm(*ends, switches=32) for ends in ((8, 12), (0, 31))], [2800, 6900]),
        (lambda: [CATALOGUE.cable_for_mm(mm) for mm in (0, 1000)], [(1000, 11000)] * 2),
        (lambda: [CATALOGUE.cable_for_mm(mm) for mm in (1001, 2800)], [(2000, 13400), (3000, 14800)]),
        (lambda: [CATALOGUE.cable_for_mm(mm) for mm in (6900, 100000)], [(10000, 54500), (100000, 166500)]),
        (lambda: [CATALOGUE.nic_cents(ports) for ports in (1, 2)], [39900, 48500]),
        (lambda: CATALOGUE.switch_for(12), (12, 12 * 31028)),  # of as many ports as are used
        (lambda: exact_number("x", 0.1), Fraction(1, 10)),
        (lambda: [exact_number("x", value) for value in ("2.5", Decimal("2.5"), Fraction(5, 2))], [Fraction(5, 2)] * 3),
        (lambda: (millimetres("x", 0.29), cents("x", 310.28), cents("x", 0.29)), (290, 31028, 29)),  # 0.29 * 100 < 29
        (lambda: (check_int("x", 8, 1, 8), check_bool("x", False)), (8, False)),
        # 90 ns, 5 ns/m = 5 ps/mm, 131 ns; 4.75 ps/mm needs quarters of a picosecond
        (lambda: SwitchModel().units(), DelayUnits(hop=90_000, cable_mm=5, endpoint=131_000, per_ns=1000)),
        (
            lambda: SwitchModel(cable_delay_ns_per_m=4.75).units(),
            DelayUnits(hop=360_000, cable_mm=19, endpoint=524_000, per_ns=4000),
        ),
        (lambda: SwitchModel(delay_ns=90.1).units().hop, 90_100),
        (
            lambda: (SwitchModel(delay_ns=90.1), Fraction(BINARY.hop, BINARY.per_ns)),
            (SwitchModel(delay_ns=Fraction(90.1)), Fraction(90.1)),
        ),
    ],
)
def test_grids_lengths_prices_and_delays_are_those_of_the_papers_and_of_exact_numbers(of, expected):
    assert of() == expected


def test_the_order_of_a_catalogue_does_not_matter_and_nothing_in_it_can_be_changed():
    keys = {
        "copper_to_m": 3,
        "switch_port_w": 2.8,
        "optical_cable_w": "1.5",
        "nic_w": 10,
        "by": "switch",
        "switch_ports": 24,
    }
    switches, ranges = {18: 5000, 36: 9000.5, 40: 8000}, {"switch": [0.5, 2], "optics": (0.8, 1)}
    one = PriceList(cables_usd={2.0: 134, 1.0: 110}, switches_usd=switches, ranges=ranges, **keys)
    same = replace(one, cables_usd={1.0: 110, 2.0: 134}, ranges=dict(reversed(ranges.items())))
    copy = pickle.loads(pickle.dumps(one))
    assert one == same == copy
    assert hash(one) == hash(same) != hash(replace(one, nic_w=11))
    assert (copy.lengths_mm.tolist(), copy.cable_cents.tolist()) == ([1000, 2000], [11000, 13400])
    for array in (one.lengths_mm, one.cable_cents):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    assert one.lengths_mm is one.lengths_mm
