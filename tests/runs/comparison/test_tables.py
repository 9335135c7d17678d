"""The JSON of a comparison, the request it was made for, and the numbers beside the markers of its chart."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from isoplane.models import Layout, PriceList, Site, SwitchModel
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.slim_fly import SlimFly
from isoplane.models.families.torus import Torus
from isoplane.runs.comparison import charts
from isoplane.runs.comparison.charts import unit_prices
from isoplane.runs.comparison.conclusions import names_text
from isoplane.runs.comparison.request import request_of
from isoplane.runs.comparison.rows import Row
from isoplane.runs.comparison.sizes.plane_counts import Arrangement
from isoplane.runs.comparison.sizes.sized_design import SizedDesign
from isoplane.runs.comparison.tables import SUMMARY, chief_numbers, json_text
from isoplane.runs.config.config_values import plain
from isoplane.runs.config.option_files import choices_of
from isoplane.runs.drawing.drawing import new_figure
from tests.cases import for_each
from tests.runs.cli.conftest import composed_config

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
        {"budget_cents": 123456, "cable_mm": 12500, "families": ("hyperx", "oft"), "failures": "none", "diameter": 3},
        {"switches": 30},
        {"site": Site(LAYOUT, PRICES, SwitchModel("fast", delay_ns=45, link_gbps=400)), "nodes": 100, "ports": 20},
    ],
)
def test_the_request_of_a_comparison_is_read_back_from_its_json(changes):
    request = replace(REQUEST, **changes)
    content = json.loads(json_text(request, ()))
    assert request_of(content["request"]) == request


@for_each(
    ("limits", "first"),
    [
        ({}, ["throughput, all places"]),
        ({"cable_mm": 30_000}, ["longest cable", "throughput, all places"]),
        ({"cable_mm": 30_000, "diameter": 3}, ["longest cable", "diameter", "throughput, all places"]),
    ],
)
def test_columns_with_a_limit_are_among_the_first_of_a_table(limits, first):
    columns = chief_numbers(replace(REQUEST, **limits), ()).columns
    assert columns[: 3 + len(first)] == ["design", "nodes", "switches", *first]
    assert len(columns) == 1 + len(SUMMARY)


def test_names_of_designs_are_explained_by_what_their_families_say_of_sizes():
    grids = [SizedDesign(each, Fraction(1), 0) for each in (Torus(shape=(3, 3)), Mesh(shape=(3, 3)), SlimFly(q=5))]
    rows = [Row(Arrangement(each.family.name, 1), Fraction(1), each, {}) for each in grids]
    sides = "torus, mesh: switches along each side of the grid"
    assert names_text(rows) == f"Names have the size of each plane. {sides}; slim fly: the order q of the field."
    assert not names_text(())


@for_each(("most", "scale"), [(4000, "linear"), (24_000, "log")])
def test_numbers_hide_no_others_and_a_wide_axis_of_prices_is_logarithmic(most, scale, monkeypatch):
    prices = [3000, *[3500] * 20, most]
    values = [{"cost_usd_per_node": price, "delay_ns": 300.0} for price in prices]
    monkeypatch.setattr(charts, "size_text", lambda row: "")  # of rows without a design
    axes = new_figure(3.0).subplots()
    charts._panel(
        axes, [Row(Arrangement("torus", 1), Fraction(1), None, each) for each in values], range(22), "delay_ns"
    )
    axes.figure.draw_without_rendering()
    written = [text for text in axes.texts if text.get_text().isdigit()]
    assert {"0", "21"} < {text.get_text() for text in written}
    assert len(written) < len(prices)  # there is no room for those of twenty equal designs
    boxes = [text.get_window_extent() for text in written]
    assert not any(one.padded(-1).overlaps(other) for one, other in combinations(boxes, 2))
    assert axes.get_xscale() == scale


@for_each("name", choices_of("prices"))
def test_prices_of_a_catalogue_name_their_source_and_others_of_its_name_do_not(name):
    shipped = request_of(plain(composed_config("compare", "nodes=64", "ports=12", f"prices={name}"))).site.prices
    *_, note = unit_prices(shipped)
    assert f"Prices of {name}: {choices_of('prices')[name]}." in str(note.values["text"])
    assert re.search(r" (20\d\d)\b", choices_of("prices")[name])
    *_, note = unit_prices(replace(shipped, switch_port_usd=1))
    assert f"Prices of {name}. " in str(note.values["text"])
