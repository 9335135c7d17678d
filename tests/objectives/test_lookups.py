"""Power, area and throughput of look-ups: equations (5) to (7) of Hirasawa et al. 2020."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import RoutingCache, SwitchModel
from isoplane.objectives.costs.lookups import (
    cache_area_mm2,
    cache_share_of_chip,
    limiting_miss_rate,
    lookup_mpps,
    lookup_power,
)
from tests.cases import for_each, require_refusal

TABLE = {"lookup_nj": 42, "static_mw": 36, "chip_mm2": 329, "table_interval_ns": 25}
CONVENTIONAL = SwitchModel(
    delay_ns=100, endpoint_delay_ns=None, link_gbps=200, packet_bytes=400, routing_ns=25, **TABLE
)
CACHE = RoutingCache(lookup_nj=0.039, static_mw=13, area_mm2=0.73, interval_ns=1)
CACHED = replace(CONVENTIONAL, cache=CACHE)
shares = st.integers(0, 1000).map(lambda parts: Fraction(parts, 1000))


@for_each(
    ("load", "conventional", "no_miss", "one_percent"),
    [(0, "0.036", "0.127", "0.127"), (0.5, "9.22", "0.136", "0.227"), (1, "18.41", "0.144", "0.328")],
)
def test_powers_are_those_of_figure_13(load, conventional, no_miss, one_percent):
    cases = (CONVENTIONAL, 0, conventional), (CACHED, 0, no_miss), (CACHED, 0.01, one_percent)
    for switch, miss_rate, watts in cases:
        decimals = len(watts.partition(".")[2])
        assert round(lookup_power(switch, 7, load, miss_rate).total_w, decimals) == Fraction(watts)


def test_static_power_of_the_caches_is_about_a_hundredth_at_half_load():
    # 7 caches of 13 mW; 218.75 million look-ups a second of 42 nJ and 36 mW
    conventional, cached = lookup_power(CONVENTIONAL, 7), lookup_power(CACHED, 7)
    share = cached.cache_static_w / conventional.total_w
    assert share == Fraction(91, 1000) / (Fraction(21875, 100) * 42 / 1000 + Fraction(36, 1000))
    assert round(float(100 * share), 2) == 0.99


@given(ports=st.integers(1, 100), load=shares, miss_rate=shares)
def test_a_cache_saves_as_much_as_its_hits_spare(ports, load, miss_rate):
    conventional, cached = (lookup_power(switch, ports, load, miss_rate) for switch in (CONVENTIONAL, CACHED))
    packets_per_ns = load * ports * 200 / 3200
    spared = packets_per_ns * (1 - miss_rate) * 42 - packets_per_ns * Fraction("0.039") - ports * Fraction("0.013")
    assert conventional.total_w - cached.total_w == spared
    assert conventional[2:] == (0, 0)


def test_the_rates_of_the_links_may_be_given():
    assert lookup_power(CACHED, 7, capacity_gbps=Fraction(1400)) == lookup_power(CACHED, 7)
    halved = lookup_power(CACHED, 7, capacity_gbps=Fraction(700), miss_rate=1)
    assert 2 * halved.table_dynamic_w == lookup_power(CACHED, 7, miss_rate=1).table_dynamic_w
    assert halved.cache_static_w == Fraction(91, 1000)


@for_each(
    "switch",
    [
        replace(CONVENTIONAL, lookup_nj=None),
        replace(CONVENTIONAL, static_mw=None),
        replace(CONVENTIONAL, packet_bytes=0),
        replace(CACHED, cache=replace(CACHE, lookup_nj=None)),
        replace(CACHED, cache=replace(CACHE, static_mw=None)),
    ],
)
def test_without_a_constant_the_power_is_unknown(switch):
    assert lookup_power(switch, 7) is None


def test_the_area_of_ten_caches_is_2_percent_of_the_chip():
    assert cache_area_mm2(CACHED, 10) == Fraction(73, 10)
    assert round(float(100 * cache_share_of_chip(CACHED, 10)), 1) == 2.2
    assert (cache_area_mm2(CONVENTIONAL, 10), cache_share_of_chip(CONVENTIONAL, 10)) == (0, 0)
    assert cache_share_of_chip(replace(CACHED, chip_mm2=None), 10) is None
    assert cache_area_mm2(replace(CACHED, cache=replace(CACHE, area_mm2=None)), 10) is None


def test_throughputs_are_those_of_section_7():
    assert lookup_mpps(CONVENTIONAL) == 40
    assert [lookup_mpps(CACHED, rate) for rate in (0, 0.04, 0.1, 1)] == [1000, 1000, 400, 40]


@given(ports=st.integers(1, 50), miss_rate=shares)
def test_the_table_limits_from_the_share_of_misses_on_at_which_both_are_equal(ports, miss_rate):
    least = limiting_miss_rate(CACHED, ports)
    assert least == Fraction(1, 25 * ports)
    assert (lookup_mpps(CACHED, miss_rate, ports) < 1000 * ports) == (miss_rate > least)
    assert lookup_mpps(CACHED, least, ports) == 1000 * ports


def test_what_has_no_known_limit_has_no_throughput():
    unlimited = replace(CONVENTIONAL, table_interval_ns=0)
    assert lookup_mpps(unlimited) is limiting_miss_rate(CONVENTIONAL) is None
    cached = replace(unlimited, cache=CACHE)
    assert (lookup_mpps(cached, 1), limiting_miss_rate(cached)) == (1000, 1)
    unknown, at_once = (replace(CACHED, cache=replace(CACHE, interval_ns=interval)) for interval in (None, 0))
    assert lookup_mpps(unknown, 1) is limiting_miss_rate(unknown) is None
    assert (lookup_mpps(at_once, 0.5), lookup_mpps(at_once, 0), limiting_miss_rate(at_once)) == (80, None, 0)


@for_each(
    ("call", "problem"),
    [
        (lambda: lookup_power(CACHED, 7, load=1.5), "load=1.5: expected a number of at least 0 and at most 1"),
        (lambda: lookup_power(CACHED, 7, miss_rate=-1), "miss_rate=-1: expected a number of at least 0"),
        (lambda: lookup_mpps(CACHED, 2), "miss_rate=2: expected a number of at least 0 and at most 1"),
        (lambda: lookup_mpps(CACHED, ports=0), "ports=0: expected an integer of at least 1"),
        (lambda: replace(CACHED, lookup_load=2), "switch.lookup_load=2: expected a number of at least 0 and at most 1"),
    ],
)
def test_values_out_of_range_are_bad_input(call, problem):
    require_refusal(call, problem)
