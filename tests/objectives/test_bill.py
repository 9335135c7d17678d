from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Layout, Network, PriceList, RoutingCache, Site, SwitchModel, dual_cube
from isoplane.models.families.torus import Torus
from isoplane.models.site.prices import PART_CLASSES
from isoplane.objectives import exact_metrics
from isoplane.objectives.costs.bill import Bill, Part, bill_of, price_draws, price_range
from isoplane.objectives.general import general_exact
from isoplane.objectives.reference.cubes import measure_cubes
from isoplane.objectives.reference.links import cables_of
from tests.cases import for_each, require_refusal
from tests.strategies import bases_up_to

from .general.networks import random_network, random_rails

hundredths = st.integers(0, 10**6).map(lambda value: value / 100)
factors = st.tuples(st.integers(1, 10).map(lambda tenths: tenths / 10), st.integers(10, 50).map(lambda t: t / 10))
NICS = {ports: 100.0 * ports for ports in range(1, 10)}


@st.composite
def price_lists(draw):
    """Catalogues with or without switches of given sizes, whole switches, limits of copper, powers and ranges."""
    rule = st.integers(40, 99).map(lambda ports: {"by": "switch", "switch_ports": ports})
    return PriceList(
        **draw(st.just({}) | rule),
        cables_usd={length: draw(hundredths) for length in (1.0, 2.5, 6, 30)},
        nics_usd=NICS,
        switch_port_usd=draw(hundredths),
        switches_usd=draw(st.just({}) | st.dictionaries(st.integers(1, 80), hundredths).map(lambda d: {**d, 99: 1000})),
        copper_to_m=draw(st.sampled_from([None, 0, 2, 2.5, 40])),
        switch_port_w=draw(st.none() | hundredths),
        optical_cable_w=draw(st.none() | hundredths),
        nic_w=draw(st.none() | hundredths),
        ranges=draw(st.dictionaries(st.sampled_from(PART_CLASSES), factors)),
    )


@given(st.integers(0, 1 << 30), st.booleans(), price_lists())
@settings(deadline=None)
def test_the_total_is_the_price_of_the_reference(seed, rails, prices):
    network = replace((random_rails if rails else random_network)(seed), site=Site(prices=prices))
    bill = bill_of(network)
    assert bill.total_cents == cables_of(network)[1]
    assert bill.total_cents == general_exact(network).cost_cents
    assert bill.total_cents == sum(bill.class_cents(part_class) for part_class in PART_CLASSES)


@given(bases_up_to(4), st.booleans(), st.integers(1, 4), price_lists())
@settings(deadline=None, max_examples=30)
def test_the_total_of_cubes_is_that_of_the_kernels_and_of_their_reference(connections, folded, nodes, prices):
    site = {"nodes_per_switch": nodes, "layout": Layout(aspects=()), "prices": prices}
    network = dual_cube(connections.n, connections.generators, folded, **site)
    assert bill_of(network).total_cents == exact_metrics(network).cost_cents == measure_cubes(network).cost_cents


def watts_by_hand(network, prices):
    """Every used port, every node link and every cable of more than `copper_to_m`, one after the other."""
    found = Fraction(0)
    for plane in network.planes:
        node_ports = [switch for switch in plane.node_switch for _ in range(network.node_cable_mm is not None)]
        cables = [
            mm
            for ports in zip(plane.topology.peer, plane.cable_mm, strict=True)
            for peer, mm in zip(*ports, strict=True)
            if peer >= 0
        ]
        found += (len(cables) + len(node_ports)) * Fraction(str(prices.switch_port_w or 0))
        found += len(node_ports) * Fraction(str(prices.nic_w or 0))
        lengths = [*cables, *plane.node_lengths_mm.tolist(), *plane.node_lengths_mm.tolist()]  # both ends of each
        bought = [min(1000 * each for each in prices.cables_usd if 1000 * each >= mm) for mm in lengths]
        optical = [mm for mm in bought if prices.copper_to_m is not None and mm > 1000 * prices.copper_to_m]
        found += len(optical) * Fraction(str(prices.optical_cable_w or 0)) / 2
    return found


@given(st.integers(0, 1 << 30), price_lists())
@settings(deadline=None)
def test_powers_add_up_over_ports_links_and_optical_cables(seed, prices):
    network = replace(random_rails(seed), site=Site(prices=prices))
    watts = bill_of(network).watts
    if watts is None:
        assert prices.switch_port_w is None
        assert prices.nic_w is None
    else:
        assert watts == float(watts_by_hand(network, prices))


def test_metres_are_those_of_the_bought_cables_by_class():
    # 5 x 4 torus: 40 cables of 2.6 m, bought as 3 m; 20 node cables of 1 m
    prices = PriceList(copper_to_m=2)
    bill = bill_of(Network(Torus(shape=(5, 4), assumed_cable_m=2.6, node_cable_m=1.0), Site(prices=prices)))
    assert (bill.length_m("copper"), bill.length_m("optics"), bill.length_m("cable")) == (20, 120, 0)
    assert bill.class_cents("optics") == 40 * 14800
    everything = bill_of(Network(Torus(shape=(5, 4), assumed_cable_m=2.6, node_cable_m=1.0)))
    assert (everything.length_m("copper"), everything.length_m("optics"), everything.length_m("cable")) == (0, 0, 140)


POWERS = {"lookup_nj": 42, "static_mw": 36}
CONVENTIONAL = SwitchModel(endpoint_delay_ns=None, link_gbps=200, packet_bytes=400, routing_ns=25, **POWERS)
CACHED = replace(CONVENTIONAL, cache=RoutingCache(entries=8, lookup_nj=0.039, static_mw=13))


def test_look_ups_of_all_switches_need_power_where_it_is_stated():
    # 20 switches of 5 ports of 200 Gbit/s, half in use: 500 Gbit/s, 156.25 million packets of 400 bytes a second
    torus = Torus(shape=(5, 4))
    mpps, misses = Fraction(15625, 100), Fraction(1, 10)
    table_w = Fraction(36, 1000) + mpps * 42 / 1000
    cache_w = 5 * Fraction(13, 1000) + mpps * Fraction("0.039") / 1000
    bill = bill_of(Network(torus, Site(switch=CONVENTIONAL)), miss_rate=misses)  # without caches every packet misses
    assert [(part.count, part.unit_milliwatts) for part in bill.lookups] == [(20, 1000 * table_w)]
    assert bill.watts == float(20 * table_w)
    bill = bill_of(Network(torus, Site(switch=CACHED)), miss_rate=misses)
    assert [(part.description, part.count, part.unit_milliwatts) for part in bill.lookups] == [
        (
            "routing table of a switch of 5 ports at 500 Gbit/s",
            20,
            1000 * (Fraction(36, 1000) + misses * mpps * 42 / 1000),
        ),
        ("caches of a switch of 5 ports at 500 Gbit/s", 20, 1000 * cache_w),
    ]
    unknown = bill_of(Network(torus, Site(switch=replace(CACHED, static_mw=None))))
    assert (unknown.lookups, unknown.watts) == ((), None)
    assert {each.total_cents for each in (bill, unknown)} == {bill_of(Network(torus)).total_cents}


@given(st.integers(0, 1 << 30), st.booleans())
@settings(deadline=None)
def test_look_ups_follow_the_rates_of_all_ports(seed, rails):
    network = replace((random_rails if rails else random_network)(seed), site=Site(switch=CONVENTIONAL))
    gbps, switches = Fraction(0), 0
    for plane in network.planes:
        timing = plane.timing
        for rates, links in (
            (timing.rate_mbps, int((plane.topology.peer >= 0).sum())),
            (timing.node_rate_mbps, len(plane.node_switch)),
        ):
            gbps += 200 * links if rates is None else Fraction(int(rates.sum()), 1000)
        switches += len({*np.flatnonzero((plane.topology.peer >= 0).any(axis=1)), *plane.node_switch})
    # half of it in packets of 3,200 bits, of 42 nJ each, and 36 mW for each switch with a port in use
    assert bill_of(network).watts == pytest.approx(float(gbps / 2 / 3200 * 42 + switches * Fraction(36, 1000)))


@for_each(
    ("prices", "layout", "message"),
    [
        (PriceList(switches_usd={4: 1}), Layout(), "a switch of 5 ports: the largest in prices=infiniband_edr has 4"),
        (PriceList(), None, "layout=none: the price needs a layout"),
    ],
)
def test_what_cannot_be_bought_is_reported(prices, layout, message):
    network = Network(Torus(shape=(5, 4), node_cable_m=1.0), Site(layout, prices))
    require_refusal(lambda: bill_of(network), message)


@st.composite
def bills(draw, ranges):
    classes = st.sampled_from(PART_CLASSES)
    part = st.builds(Part, classes, st.just(""), st.integers(0, 1000), st.integers(0, 10**6))
    return Bill(tuple(draw(st.lists(part, max_size=6))), ranges)


@given(st.dictionaries(st.sampled_from(PART_CLASSES), factors).flatmap(bills), st.integers(0, 99))
def test_draws_lie_in_the_range_and_are_a_prefix_of_more_draws(bill, seed):
    low, middle, high = price_range(bill)
    by_hand = [
        sum(
            Fraction(part.count * part.unit_cents, 100) * Fraction(str(bill.ranges.get(part.part_class, (1, 1))[end]))
            for part in bill.parts
        )
        for end in (0, 1)
    ]
    assert (low, high) == pytest.approx([float(end) for end in by_hand], rel=1e-12)
    assert middle == bill.total_cents / 100
    draws = price_draws(bill, 50, seed)
    assert (draws >= low * (1 - 1e-12)).all()
    assert (draws <= high * (1 + 1e-12)).all()
    assert price_draws(bill, 20, seed).tolist() == draws[:20].tolist()


@given(st.data(), st.dictionaries(st.sampled_from(PART_CLASSES), factors), st.integers(0, 99))
def test_draw_by_draw_every_network_has_the_same_factors(data, ranges, seed):
    one, other = data.draw(bills(ranges)), data.draw(bills(ranges))
    together = Bill((*one.parts, *other.parts), ranges)
    summed = price_draws(one, 30, seed) + price_draws(other, 30, seed)
    assert price_draws(together, 30, seed) == pytest.approx(summed, rel=1e-12)


def test_factors_are_log_uniform():
    # between 1/4 and 4, half of the factors are below 1, and a quarter below 1/2, within 5 standard deviations
    draws = price_draws(Bill((Part("nic", "", 1, 100),), {"nic": (0.25, 4)}), 4000, 7)
    assert abs((draws < 1).mean() - 1 / 2) < 5 * np.sqrt(1 / 4 / 4000)
    assert abs((draws < 0.5).mean() - 1 / 4) < 5 * np.sqrt(3 / 16 / 4000)


@for_each(("draws", "seed"), [(0, 1), (1.5, 1), (3, -1)])
def test_bad_numbers_of_draws_are_rejected(draws, seed):
    require_refusal(lambda: price_draws(Bill((), {}), draws, seed), "expected an integer")
