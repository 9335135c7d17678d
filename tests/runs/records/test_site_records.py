"""Records with the fields of layouts and catalogues that older records lack."""

import json

from isoplane.models import Design, Layout, Network, PriceList, Site
from isoplane.models.families.torus import Torus
from isoplane.objectives import default_objective
from isoplane.runs.records import record_of, verify
from isoplane.runs.records.schemas import check_schema

from .samples import ORIGIN, network_of_dimension_5, sample

PRICES = PriceList(
    switches_usd={8: 1000, 16: 1900.5},
    copper_to_m=3,
    switch_port_w=2.8,
    optical_cable_w=1.5,
    nic_w=10,
    ranges={"switch": (0.5, 2), "optics": (0.8, 1)},
)
WHOLE = PriceList(by="switch", switch_ports=36)
LAYOUT = Layout(aspects=())


def test_a_record_with_a_full_catalogue_and_a_nearly_square_floor_verifies():
    record = sample(network_of_dimension_5(prices=PRICES, layout=Layout(aspects=())))
    assert check_schema(json.loads(json.dumps(record))) == record
    assert record["prices"]["switches_usd"][1] == {"ports": 16, "price_usd": 1900.5}
    assert record["prices"]["ranges"] == {"optics": [0.8, 1], "switch": [0.5, 2]}
    assert verify(json.loads(json.dumps(record))) == []
    assert record["id"] != sample(network_of_dimension_5(layout=Layout(aspects=())))["id"]


def test_a_record_states_the_ports_of_whole_switches_and_its_price_is_checked():
    network = Network(Torus(shape=(4, 3), nodes_per_switch=2, node_cable_m=2.0), Site(LAYOUT, WHOLE))
    design = Design(network)
    objective = default_objective(design)
    record = record_of(design, objective(design), objective=objective.name, status="feasible", provenance=ORIGIN)
    assert record["prices"].items() >= {"by": "switch", "switch_ports": 36}.items()
    assert verify(json.loads(json.dumps(record))) == []
    by_port = json.loads(json.dumps(record))
    del by_port["prices"]["by"], by_port["prices"]["switch_ports"]
    # 12 switches with 4 cables and 2 nodes each have 30 spare ports
    assert any("cost" in problem for problem in map(str, verify(by_port)))
