"""The JSON of a comparison: the request it was made for."""

import json
from dataclasses import replace
from fractions import Fraction

from isoplane.models import Layout, PriceList, Site, SwitchModel
from isoplane.runs.comparison.request import request_of
from isoplane.runs.comparison.tables import json_text
from tests.cases import for_each

from .test_sizing import REQUEST

PRICES = PriceList(
    name="other", cables_usd={1.0: 10, 50.5: 90.25}, nics_usd={2: 20}, switches_usd={16: 7000}, ranges={"nic": (1, 2)}
)
LAYOUT = Layout(name="low", nodes_per_rack=24, assignment="metis", seed=3, slack_m=0.7)


@for_each(
    "changes",
    [
        {},
        {"taper": Fraction(1, 3), "throughputs": (Fraction(9, 10), Fraction(1, 8)), "planes": (2,), "seed": 5},
        {"budget_cents": 123456, "cable_mm": 12500, "families": ("hyperx", "oft"), "failures": "none"},
        {"site": Site(LAYOUT, PRICES, SwitchModel("fast", delay_ns=45, link_gbps=400)), "nodes": 100, "ports": 20},
    ],
)
def test_the_request_of_a_comparison_is_read_back_from_its_json(changes):
    request = replace(REQUEST, **changes)
    content = json.loads(json_text(request, ()))
    assert request_of(content["request"]) == request
