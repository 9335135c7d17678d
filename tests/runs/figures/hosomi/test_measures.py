from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError, dual_cube
from isoplane.objectives import exact_metrics, metrics
from isoplane.runs.figures.hosomi.measures import COST_PARTS, DELAY_PARTS, UNITS, measures
from isoplane.runs.published import published
from tests.strategies import bases_up_to


@given(bases_up_to(8), st.booleans())
def test_the_parts_add_up_to_the_exact_delay_and_cost(connections, folded):
    network = dual_cube(connections.n, connections.generators, folded)
    found, exact = measures(network), exact_metrics(network)
    links = 2 * (network.family.n + folded)
    delay_ns = Fraction(
        exact.delay_paper, links * network.family.plane_switches**2 * network.site.switch.units().per_ns
    )
    assert sum(found[part] for part in DELAY_PARTS) == found["delay_paper"] == delay_ns
    cost = Fraction(exact.cost_cents, 100_000 * network.nodes)
    assert sum(found[part] for part in COST_PARTS) == found["network cost"] == cost
    assert found["switch cable share of cost"] == 100 * found["switch cable cost"] / cost


@given(bases_up_to(8), st.booleans())
def test_the_measures_are_the_metrics_of_a_record(connections, folded):
    network = dual_cube(connections.n, connections.generators, folded)
    found, record = measures(network), metrics(network, exact_metrics(network))
    assert float(found["aspl"]) == record["aspl"]
    assert float(found["max_traffic"]) == record["max_traffic"]
    assert found["max_traffic / 4"] * 4 == found["max_traffic"]
    assert float(found["delay_paper"]) == record["delay_paper_ns"]
    assert float(found["mean cable length"]) == record["cable_length_m"]
    assert float(found["network cost"] * 1000) == record["cost_usd_per_node"]


def test_the_costs_of_identical_cubes_of_n_8_are_those_of_the_price_list():
    network = dual_cube(8, tuple(1 << i for i in range(8)))
    parts = [float(1000 * measures(network)[part]) for part in COST_PARTS]
    assert parts[:3] == [485, 1861.68, 268]  # a NIC; 310.28 · 12 ports · 2 planes / 4 nodes; two cables of 134
    # cables of 1, 1, 3, 4, 10, 10, 5, 10 m, 128 of each in each plane, for 1024 nodes
    assert parts[3] == (110 + 110 + 148 + 242 + 545 + 545 + 278 + 545) * 128 * 2 / 1024


def test_every_published_metric_has_our_unit():
    stated = {p.metric: p.unit for p in published() if p.kind == "model" and not p.metric.endswith(" change")}
    assert stated == {metric: UNITS[metric] for metric in stated}


def test_a_network_without_a_layout_is_bad_input():
    without_layout = dual_cube(3, (3, 5, 7), layout=None)
    assert without_layout.baseline.site.layout is None
    with pytest.raises(InputError, match="layout"):
        measures(without_layout)
