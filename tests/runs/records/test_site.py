import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Crc, Design, InputError, Layout, Network, PriceList, RoutingCache, Site, SwitchModel
from isoplane.models.families.torus import Torus
from isoplane.objectives import default_objective
from isoplane.runs.records import (
    layout_from,
    layout_json,
    prices_from,
    prices_json,
    record_of,
    switch_from,
    switch_json,
    verify,
)
from isoplane.runs.records.schemas import check_schema
from tests.cases import for_each

from .samples import ORIGIN, network_of_dimension_5, sample

thousandths = st.integers(0, 10**9).map(lambda value: value / 1000)
hundredths = st.integers(0, 10**9).map(lambda value: value / 100)


CACHED = SwitchModel(endpoint_delay_ns=None, routing_ns=25, stages_ns=[30, 20, 15], cache=RoutingCache())


def through_json(data):
    return json.loads(json.dumps(data))


@given(
    st.builds(
        Layout,
        name=st.text(st.characters(exclude_categories=["Cs"])),
        switches_per_rack=st.integers(1, 100),
        aspects=st.lists(st.integers(1, 9)).map(tuple),
        pitch_across_m=thousandths,
        pitch_deep_m=thousandths,
        slack_m=thousandths,
        rack_cable_m=thousandths,
        node_cable_m=thousandths,
        nodes_per_rack=st.none() | st.integers(1, 100),
        assignment=st.sampled_from(["in_order", "metis", "search"]),
        seed=st.integers(0, 9),
    )
)
def test_a_layout_survives_a_round_trip_through_json(layout):
    assert layout_from(through_json(layout_json(layout))) == layout


@given(
    st.builds(
        PriceList,
        name=st.text(st.characters(exclude_categories=["Cs"])),
        cables_usd=st.dictionaries(thousandths.filter(bool), hundredths, min_size=1, max_size=9),
        nics_usd=st.dictionaries(st.integers(1, 9), hundredths, min_size=1, max_size=3),
        switch_port_usd=hundredths,
        switches_usd=st.dictionaries(st.integers(1, 99), hundredths, max_size=3),
        copper_to_m=st.none() | thousandths,
        switch_port_w=st.none() | thousandths,
        optical_cable_w=st.none() | thousandths,
        nic_w=st.none() | thousandths,
        ranges=st.dictionaries(
            st.sampled_from(["switch", "nic", "copper", "optics", "cable"]),
            st.tuples(st.integers(1, 10), st.integers(10, 30)).map(lambda pair: (pair[0] / 10, pair[1] / 10)),
        ),
    ),
    st.none() | st.integers(1, 99),
)
def test_a_price_list_survives_a_round_trip_through_json(prices, ports):
    if ports is not None and ports <= max(prices.switches_usd, default=99):
        prices = replace(prices, by="switch", switch_ports=ports)
    assert prices_from(through_json(prices_json(prices))) == prices


@given(
    st.builds(
        SwitchModel,
        delay_ns=st.floats(0, 1e9),
        cable_delay_ns_per_m=st.floats(0, 1e9),
        endpoint_delay_ns=st.floats(0, 1e9),
    )
    | st.builds(
        SwitchModel,
        delay_ns=st.floats(1e8, 1e9),
        endpoint_delay_ns=st.none(),
        packet_bytes=st.integers(0, 9999),
        routing_ns=thousandths.filter(lambda time: time < 1e6),
        table_interval_ns=thousandths,
        cache=st.builds(
            RoutingCache,
            ways=st.sampled_from([1, 4, 2048]),
            hash=st.none() | st.builds(Crc, reflected=st.booleans(), byte_order=st.sampled_from(["little", "big"])),
            replacement=st.sampled_from(["lru", "fifo", "random"]),
            seed=st.integers(0, 9),
            start=st.sampled_from(["warm", "cold", "exchange"]),
            area_mm2=st.none() | thousandths,
            interval_ns=st.none() | thousandths,
        ),
        lookup_nj=st.none() | thousandths,
        lookup_load=st.integers(0, 1000).map(lambda value: value / 1000),
    )
)
def test_a_switch_model_survives_a_round_trip_through_json(switch):
    assert switch_from(through_json(switch_json(switch))) == switch


def test_values_missing_from_a_configuration_are_those_of_the_paper():
    assert (layout_from({}), prices_from({}), switch_from({})) == (Layout(), PriceList(), SwitchModel())
    assert layout_from({"slack_m": 3}) == Layout(slack_m=3)
    bounded = Layout(racks_across=8, racks_deep=8)
    assert layout_from(through_json(layout_json(bounded))) == bounded


def test_fields_that_older_records_lack_are_left_out_at_their_default():
    old = {"name", "switches_per_rack", "aspects", "pitch_across_m", "pitch_deep_m", "slack_m", "rack_cable_m"}
    old |= {"node_cable_m", "racks_across", "racks_deep"}
    assert layout_json(Layout()).keys() == old
    assert layout_json(Layout(nodes_per_rack=64)).keys() == {*old, "nodes_per_rack"}
    assert layout_from({"aspects": None}) == Layout(aspects=())
    assert prices_json(PriceList()).keys() == {"name", "cables_usd", "nics_usd", "switch_port_usd"}
    whole = prices_json(PriceList(by="switch", switch_ports=36))
    assert whole == prices_json(PriceList()) | {"by": "switch", "switch_ports": 36}
    nothing = dict.fromkeys(["switches_usd", "copper_to_m", "switch_port_w", "optical_cable_w", "nic_w", "ranges"])
    assert prices_from(nothing) == PriceList()
    assert switch_json(SwitchModel()).keys() == {"name", "delay_ns", "cable_delay_ns_per_m", "endpoint_delay_ns"}
    assert "seed" not in switch_json(CACHED)["cache"]


def test_a_number_is_written_the_same_way_however_it_was_given():
    texts = {json.dumps(layout_json(Layout(slack_m=slack))) for slack in (2, 2.0, "2", "2.000")}
    assert len(texts) == 1
    assert layout_json(Layout(slack_m="0.70"))["slack_m"] == 0.7


def test_a_catalogue_may_be_a_mapping_or_a_list_in_any_order():
    entries = [{"length_m": 3.0, "price_usd": 148}, {"price_usd": 110, "length_m": 1}]
    from_list = prices_from({"cables_usd": entries, "nics_usd": [{"ports": 2, "price_usd": 485}]})
    assert from_list == prices_from({"cables_usd": {1.0: 110, 3.0: 148}, "nics_usd": {2: 485}})
    assert [entry["length_m"] for entry in prices_json(from_list)["cables_usd"]] == [1, 3]


@for_each(
    ("read", "data", "message"),
    [
        (layout_from, {"pitch": 1}, "layout.pitch: unknown key; expected name, switches_per_rack, aspects"),
        (layout_from, [], "layout=[]: expected a mapping with the keys name, switches_per_rack"),
        (layout_from, {"name": 5}, "layout.name=5: expected text"),
        (layout_from, {"slack_m": -1}, "layout.slack_m=-1: expected a number of at least 0"),
        (prices_from, {"cables_usd": 3}, "prices.cables_usd=3: expected a mapping from length_m to price_usd, or"),
        (prices_from, {"cables_usd": [{"length_m": 1}]}, "prices.cables_usd: {'length_m': 1}; expected entries"),
        (prices_from, {"cables_usd": {1: 5, "1.0": 6}}, "prices.cables_usd: length_m=1 occurs twice; expected one"),
        (prices_from, {"cables_usd": {1: -5}}, "prices.cables_usd[1]=-5: expected a number of at least 0"),
        (prices_from, {"cables_usd": {"far": 5}}, "prices.cables_usd.length_m='far': expected a number of at"),
        (prices_from, {"nics_usd": {"1": 5}}, "prices.nics_usd='1': expected an integer of at least 1"),
        (prices_from, {"switch_port_usd": None}, "prices.switch_port_usd=null: expected a number of at least 0"),
        (prices_from, {"ranges": {"nic": 2}}, "prices.ranges.nic=2: expected [low, high]"),
        (switch_from, {"routing_ns": 91}, "switch.routing_ns=91: expected at most switch.delay_ns=90"),
        (switch_from, {"stages_ns": [1, 2, 3]}, "switch.stages_ns=[1, 2, 3]: expected three times whose sum is 90"),
        (switch_from, {"cache": {}}, "switch.routing_ns=null: expected the time of a look-up in the table"),
        (switch_from, {"routing_ns": 25, "cache": {}}, "switch.endpoint_delay_ns=131: includes a switch, whose delay"),
        (switch_from, {"cache": {"ways": 3}}, "switch.cache.ways=3: expected a divisor of switch.cache.entries=2048"),
        (switch_from, {"cache": {"start": "hot"}}, "switch.cache.start=hot: expected warm, cold, exchange"),
        (switch_from, {"cache": {"hash": {"width": 8}}}, "switch.cache.hash.polynomial=79764919: expected an integer"),
        (switch_from, {"cache": {"line": 1}}, "switch.cache.line: unknown key; expected entries, ways, hit_ns"),
        (switch_from, {"delay_ns": "0.1234567890123456789"}, "expected a decimal number of at most 15 digits"),
    ],
)
def test_errors_in_a_site_say_what_is_allowed(read, data, message):
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        read(data)
    assert "\n" not in str(caught.value)


FULL_CATALOGUE = PriceList(
    switches_usd={8: 1000, 16: 1900.5},
    copper_to_m=3,
    switch_port_w=2.8,
    optical_cable_w=1.5,
    nic_w=10,
    ranges={"switch": (0.5, 2), "optics": (0.8, 1)},
)
WHOLE = PriceList(by="switch", switch_ports=36)
SQUARE_FLOOR = Layout(aspects=())


def test_a_record_with_a_full_catalogue_and_a_nearly_square_floor_verifies():
    record = sample(network_of_dimension_5(prices=FULL_CATALOGUE, layout=Layout(aspects=())))
    assert check_schema(json.loads(json.dumps(record))) == record
    assert record["prices"]["switches_usd"][1] == {"ports": 16, "price_usd": 1900.5}
    assert record["prices"]["ranges"] == {"optics": [0.8, 1], "switch": [0.5, 2]}
    assert verify(json.loads(json.dumps(record))) == []
    assert record["id"] != sample(network_of_dimension_5(layout=Layout(aspects=())))["id"]


def test_a_record_states_the_ports_of_whole_switches_and_its_price_is_checked():
    network = Network(Torus(shape=(4, 3), nodes_per_switch=2, node_cable_m=2.0), Site(SQUARE_FLOOR, WHOLE))
    design = Design(network)
    objective = default_objective(design)
    record = record_of(design, objective(design), objective=objective.name, status="feasible", provenance=ORIGIN)
    assert record["prices"].items() >= {"by": "switch", "switch_ports": 36}.items()
    assert verify(json.loads(json.dumps(record))) == []
    by_port = json.loads(json.dumps(record))
    del by_port["prices"]["by"], by_port["prices"]["switch_ports"]
    # 12 switches with 4 cables and 2 nodes each have 30 spare ports
    assert any("cost" in problem for problem in map(str, verify(by_port)))
