from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError, dual_cube
from isoplane.objectives import exact_metrics, metrics
from isoplane.runs.figures.hosomi.measures import COST_PARTS, DELAY_PARTS, measures
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


def test_a_network_without_a_layout_is_bad_input():
    without_layout = dual_cube(3, (3, 5, 7), layout=None)
    assert without_layout.baseline.site.layout is None
    with pytest.raises(InputError, match="layout"):
        measures(without_layout)
