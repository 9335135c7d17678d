"""The data behind the charts of racks, cables and costs."""

from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError, Layout, Network, Site, cable_table
from isoplane.models.cabling.racks import assign_racks
from isoplane.models.families.torus import Torus
from isoplane.runs.report.designs.evaluated import cable_counts
from isoplane.runs.report.sections.floor import floor_plan, free_places
from tests.cases import for_each

from .cases import BEST_OF_8, data, report_data_up_to

RACK_SIZES = st.tuples(st.floats(0.5, 3), st.floats(0.5, 3))


def with_racks(n):
    return report_data_up_to(n).filter(lambda case: case.network.site.layout is not None)


@given(with_racks(6))
def test_every_cable_is_counted_once_and_the_lengths_add_up_to_the_table(case):
    network = case.network
    links = network.family.n + network.family.folded
    table = cable_table(network.family.n, network.site.layout, network.site.prices)
    for plane, counts in zip(network.family.planes, cable_counts(network), strict=True):
        assert sum(counts.values()) == links * network.family.plane_switches // 2
        both_ends = sum(int(table.length_mm[generator]) for generator in plane.links)
        assert 2 * sum(length * number for length, number in counts.items()) == both_ends


@given(with_racks(5))
def test_cable_lengths_follow_the_layout_and_the_catalogue(case):
    network = case.network
    for switch in range(network.family.plane_switches):
        for neighbour, _, length_m in chain(*floor_plan(network, switch).cables):
            needed = network.site.layout.cable_mm(switch, neighbour, network.family.plane_switches)
            assert length_m == network.site.prices.cable_for_mm(needed)[0] / 1000


@given(with_racks(6))
def test_the_parts_of_the_cost_add_up_to_the_cost_of_every_network(case):
    for evaluated in (case.design, *case.compared):
        parts = evaluated.cost_cents()
        assert sum(parts) == evaluated.exact.cost_cents
        assert sum(parts) / (100 * evaluated.network.nodes) == evaluated.metrics["cost_usd_per_node"]
        assert min(parts) >= 0


def test_the_parts_of_the_cost_are_those_of_the_paper():
    case = data(8, BEST_OF_8)
    divisor = 100 * case.network.nodes  # from cents in total to US$ per node
    interfaces, switches, node_cables, _ = (cents / divisor for cents in case.design.cost_cents())
    assert (interfaces, node_cables) == (485, 2 * 134)
    assert switches == pytest.approx(310.28 * 12 * 2 / 4)


def test_a_floor_plan_has_every_rack_and_every_cable_of_the_switch():
    plan = floor_plan(data(5, (7, 11, 19, 29, 30)).network, switch_id=8)
    # 8 racks, 4 across and 2 deep; a rack is 0.8 m by 0.6 · 2.5 m = 1.5 m its centre at half of that from its corner.
    assert plan.rack_m == pytest.approx((0.8, 1.5))
    assert plan.centres_m[0].tolist() == pytest.approx([0.4, 0.75])
    assert plan.centres_m[7].tolist() == pytest.approx([0.4 + 3 * 0.8, 0.75 + 2.5])
    assert plan.floor_m == pytest.approx((4 * 0.8, 2.5 + 1.5))
    assert [plan.home(plane) for plane in (0, 1)] == [8 // 4, 8 // 4]
    first, second = plan.cables
    # Paper, Fig. 4: from 8 to 12 it is 2.8 m, so the cable has 3 m; to 24, one row further, 4.5 m, so 5 m.
    assert first == ((9, 2, 1.0), (10, 2, 1.0), (12, 3, 3.0), (0, 0, 4.0), (24, 6, 5.0))
    assert [neighbour ^ 8 for neighbour, _, _ in second] == [7, 11, 19, 29, 30]


def test_a_floor_plan_follows_the_assignment_of_switches_to_racks():
    layout = Layout(switches_per_rack=2, aspects=(), assignment="search")
    network = Network(Torus(shape=(4, 3), cable_m=None), Site(layout))
    plan = floor_plan(network, switch_id=5)
    rack = assign_racks(network.planes[0].topology, np.ones(12), layout).rack
    assert plan.home(0) == rack[5]
    assert [(neighbour, home) for neighbour, home, _ in plan.cables[0]] == [
        (peer, rack[peer]) for peer in network.planes[0].topology.peer[5].tolist()
    ]


@for_each("switch_id", [-1, 8, True, 1.0])
def test_a_switch_that_does_not_exist_has_no_floor_plan(switch_id):
    with pytest.raises(InputError, match="switch_id"):
        floor_plan(data().network, switch_id)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=8, unique=True), RACK_SIZES)
def test_labels_cover_neither_racks_nor_each_other(racks, rack):
    width, height = 2.5, 0.7
    heights = free_places(racks, rack, [width] * len(racks), height)
    labels = [(x, y, width, height) for (x, _), y in zip(racks, heights, strict=True)]
    pairs = [*combinations(labels, 2), *((label, (*place, *rack)) for label in labels for place in racks)]
    for (x, y, w, h), (a, b, v, g) in pairs:
        assert abs(x - a) >= (w + v) / 2 - 1e-9 or abs(y - b) >= (h + g) / 2 - 1e-9
