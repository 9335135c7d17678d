import pickle
import re
from dataclasses import replace
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError, PriceList
from tests.cases import for_each


@for_each(
    ("needed_mm", "length_mm", "price_cents"),
    [(0, 1000, 11000), (1000, 1000, 11000), (1001, 2000, 13400), (6900, 10000, 54500), (100000, 100000, 166500)],
)
def test_the_catalogue_rounds_up_to_the_next_cable(needed_mm, length_mm, price_cents):
    assert PriceList().cable_for_mm(needed_mm) == (length_mm, price_cents)


def test_a_cable_that_is_too_long_is_an_error():
    message = "a cable of 100.001 m: the longest in prices=infiniband_edr is 100 m; expected a catalogue with"
    with pytest.raises(InputError, match=re.escape(message)):
        PriceList().cable_for_mm(100_001)


def test_the_order_of_a_catalogue_does_not_matter():
    ascending, descending = PriceList(cables_usd={1.0: 110, 2.0: 134}), PriceList(cables_usd={2.0: 134, 1.0: 110})
    assert ascending == descending
    assert hash(ascending) == hash(descending)
    assert descending.lengths_mm.tolist() == [1000, 2000]
    assert descending.cable_cents.tolist() == [11000, 13400]


def test_lengths_and_prices_of_cables_are_computed_once_and_cannot_be_changed():
    prices = PriceList(cables_usd={1.0: 110, 2.0: 134})
    for array in (prices.lengths_mm, prices.cable_cents):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    assert prices.lengths_mm is prices.lengths_mm
    copy = pickle.loads(pickle.dumps(prices))
    assert copy == prices == PriceList(cables_usd={1.0: 110, 2.0: 134})
    assert copy.cable_cents.tolist() == [11000, 13400]


def test_a_network_interface_is_priced_by_its_number_of_ports():
    assert [PriceList().nic_cents(ports) for ports in (1, 2)] == [39900, 48500]


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
        with pytest.raises(InputError, match=f"none with {ports} ports"):
            prices.nic_cents(ports)


def test_a_missing_interface_is_reported_with_the_available_ones():
    with pytest.raises(
        InputError, match=re.escape("prices.nics_usd: none with 5 ports in all; expected sums of [2, 4]")
    ):
        PriceList(nics_usd={2: 485, 4: 900}).nic_cents(5)


@for_each(
    ("fields", "message"),
    [
        ({"cables_usd": {}}, "prices: expected a catalogue with at least one cable and one network interface"),
        ({"nics_usd": {}}, "prices: expected a catalogue with at least one cable and one network interface"),
        ({"cables_usd": [1.0]}, "prices.cables_usd=[1.0]: expected a mapping to prices in US$"),
        ({"nics_usd": 485}, "prices.nics_usd=485: expected a mapping to prices in US$"),
        ({"cables_usd": {0: 1}}, "prices.cables_usd: a cable of 0 m; expected lengths above 0"),
        ({"cables_usd": {"long": 1}}, "prices.cables_usd='long': expected a number of at least 0"),
        ({"cables_usd": {1.0: -1}}, "prices.cables_usd[1.0]=-1: expected a number of at least 0"),
        ({"cables_usd": {1.0: 1.005}}, "prices.cables_usd[1.0]=1.005: expected a price in US$ with at most two"),
        ({"nics_usd": {0: 1}}, "prices.nics_usd=0: expected an integer of at least 1"),
        ({"nics_usd": {2: "dear"}}, "prices.nics_usd[2]='dear': expected a number of at least 0"),
        ({"switch_port_usd": True}, "prices.switch_port_usd=True: expected a number of at least 0"),
        ({"by": "cable"}, "prices.by='cable': expected port, switch"),
        ({"by": "switch"}, "prices.by=switch: expected the ports of every switch, such as prices.switch_ports=36"),
        ({"switch_ports": 36}, "prices.switch_ports=36: has no effect; expected prices.by=switch"),
        ({"by": "switch", "switch_ports": 0}, "prices.switch_ports=0: expected an integer of at least 1"),
        ({"by": "switch", "switch_ports": 9, "switches_usd": {8: 1}}, "a switch of 9 ports: the largest in prices="),
    ],
)
def test_a_bad_price_list_is_reported_with_the_allowed_values(fields, message):
    with pytest.raises(InputError, match=re.escape(message)):
        PriceList(**fields)


EVERYTHING = PriceList(
    switches_usd={18: 5000, 36: 9000.5, 40: 8000},
    copper_to_m=3,
    switch_port_w=2.8,
    optical_cable_w="1.5",
    nic_w=10,
    ranges={"switch": [0.5, 2], "optics": (0.8, 1)},
    by="switch",
    switch_ports=24,
)


def test_a_full_catalogue_is_hashed_and_pickled():
    same = replace(EVERYTHING, ranges=dict(reversed(EVERYTHING.ranges.items())))
    assert same == EVERYTHING
    assert hash(same) == hash(EVERYTHING)
    assert pickle.loads(pickle.dumps(EVERYTHING)) == EVERYTHING
    assert hash(replace(EVERYTHING, nic_w=11)) != hash(EVERYTHING)


@given(st.dictionaries(st.integers(1, 50), st.integers(1, 500), min_size=1, max_size=5), st.integers(0, 60))
def test_a_switch_is_the_cheapest_that_has_enough_ports(switches, ports):
    prices = PriceList(switches_usd=switches)
    enough = {size: usd for size, usd in switches.items() if size >= ports}
    if enough:
        size, cents = prices.switch_for(ports)
        assert cents == 100 * min(enough.values()) == 100 * switches[size]
    else:
        message = f"a switch of {ports} ports: the largest in prices=infiniband_edr has {max(switches)}; expected a"
        with pytest.raises(InputError, match=re.escape(message)):
            prices.switch_for(ports)


def test_without_sizes_a_switch_has_as_many_ports_as_are_used():
    assert PriceList().switch_for(12) == (12, 12 * 31028)


@given(st.dictionaries(st.integers(1, 50), st.integers(1, 500), max_size=5), st.integers(1, 60), st.integers(0, 60))
def test_a_whole_switch_costs_the_same_however_many_of_its_ports_are_used(switches, ports, used):
    by_port = PriceList(switches_usd=switches)
    if switches and max(switches) < ports:
        return
    whole = PriceList(switches_usd=switches, by="switch", switch_ports=ports)
    if used <= ports:
        assert whole.switch_for(used) == by_port.switch_for(ports)
    else:
        with pytest.raises(InputError, match=f"a switch of {used} ports: expected at most prices.switch_ports={ports}"):
            whole.switch_for(used)
