"""The data behind the charts of loads, distances, convergence, the front, cables and costs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Design, dual_cube
from isoplane.objectives import CUBES, Lexicographic
from isoplane.runs.drawing.network_picture import plane_pictures
from isoplane.runs.report.designs import evaluated_design
from isoplane.runs.report.history import HistoryRow
from isoplane.runs.report.report_data import ReportData
from isoplane.runs.report.sections.convergence import curve
from isoplane.runs.report.sections.front import higher_is_better, metrics_of_axes, non_dominated, points
from tests.cases import for_each

from .cases import BEST_OF_8, data, record, report_data_up_to

ASPL = Lexicographic("aspl", (("sum_of_distances",),), CUBES)


@given(report_data_up_to(6))
def test_each_histogram_counts_every_offset_and_the_nearest_one_adds_up_to_the_sum_of_distances(case):
    planes, nearest, _ = case.design.distance_counts
    for counts in (*planes, nearest):
        assert sum(counts) == case.network.family.plane_switches
    weighted = sum(distance * count for distance, count in enumerate(nearest))
    assert weighted == case.design.metrics["sum_of_distances"]


def test_the_histograms_of_an_8_cube_are_the_binomials():
    planes, nearest, unit = evaluated_design("", Design(dual_cube(8, BEST_OF_8))).distance_counts
    assert planes == [(1, 8, 28, 56, 70, 56, 28, 8, 1)] * 2
    assert sum(k * count for k, count in enumerate(nearest)) == 800
    assert unit == "offsets (of 256)"
    # Folded, distances k and 9 - k become one: 1, 8 + 1, 28 + 8, ...
    folded, _, _ = evaluated_design("", Design(dual_cube(8, BEST_OF_8, True))).distance_counts
    assert folded[0] == (1, 9, 36, 84, 126)


@given(report_data_up_to(6))
def test_loads_have_a_bar_for_every_link_and_count_two_packets_for_every_hop(case):
    planes, cubes = case.design.generator_loads, case.network.family
    packets = [load for bars in planes for _, load in bars]
    assert sum(packets) == 2 * case.design.metrics["sum_of_distances"]
    assert max(packets) == case.design.metrics["max_load"]
    folded = [[name.endswith("folded") for name, _ in bars] for bars in planes]
    assert folded == [[False] * cubes.n + [True] * cubes.folded] * 2


def test_a_curve_extends_to_the_end_of_the_run():
    rows = [HistoryRow(0.5, 100, (12,)), HistoryRow(2.0, 900, (8,), (6,))]
    points, improvements, bound = curve(rows, ASPL, dual_cube(3, (3, 5, 7)), {"evaluations": 5000, "seconds": 10.0})
    assert points == [(100, 0.5, 1.5), (900, 2.0, 1.0), (5000, 10.0, 1.0)]  # 12 / 8, 8 / 8, and no better until the end
    assert (bound, improvements) == (0.75, 2)


def test_a_curve_leaves_out_designs_that_only_join_a_front_and_takes_the_bound_from_a_proof():
    rows = [
        HistoryRow(1.0, 10, (12,)),
        HistoryRow(2.0, 20, (16,)),
        HistoryRow(3.0, 30, (8,)),
        HistoryRow(4.0, 40, (8,), (8,)),
    ]
    points, improvements, bound = curve(rows, ASPL, dual_cube(3, (3, 5, 7)), None)
    assert [(evaluations, value) for evaluations, _, value in points] == [(10, 1.5), (30, 1.0), (40, 1.0)]
    assert (bound, improvements) == (1.0, 2)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1))
def test_the_front_has_exactly_the_points_that_no_other_beats(coordinates):
    candidates = [("record", "", x, traffic) for x, traffic in coordinates]
    front = {(x, y) for _, _, x, y in non_dominated(candidates)}

    def beaten(x, traffic):
        return any((a <= x and t >= traffic) and (a, t) != (x, traffic) for a, t in coordinates)

    assert front == {point for point in coordinates if not beaten(*point)}


def test_the_front_shows_the_delays_of_the_design_of_published_ones_and_of_other_records():
    other = record(8, tuple(1 << i for i in range(8)))
    found = points(ReportData(record(8, BEST_OF_8), others=[record(8, BEST_OF_8), other]))
    coordinates = {(kind, name): (round(x, 2), y) for kind, name, x, y in found}
    assert coordinates == {
        ("record", ""): (601.0, 4.0),  # the design's own record is not shown twice
        ("identical planes", ""): (601.0, 4.0),
        ("design", ""): (523.82, 5.12),
        ("design by the published formula", ""): (523.82, 5.12),
        ("published", "DI-HC"): (524.0, 5.12),
        ("published", "DI-HC-r"): (513.0, 5.0),
    }


def test_without_a_layout_the_front_shows_aspl_and_with_other_racks_no_published_delays():
    assert not [point for point in points(data(8, BEST_OF_8, nodes_per_switch=2)) if point[0] == "published"]
    case = data(8, BEST_OF_8, layout=None)
    coordinates = {(kind, name): x for kind, name, x, _ in points(case)}
    assert coordinates == {("identical planes", ""): 4.0, ("design", ""): 3.125, ("published", "DI-HC"): 3.13}


def test_the_front_is_drawn_by_the_metrics_that_were_searched():
    searched = record(8, BEST_OF_8)
    searched["provenance"]["config"]["objective"] = {"name": "front", "metrics": ["max_traffic", "delay_paper"]}
    case = ReportData(searched, others=[record(8, tuple(1 << i for i in range(8)))])
    assert metrics_of_axes(case) == ("max_traffic", "delay_paper_ns")
    assert [point for point in points(case) if point[0] == "record"] == [("record", "", 4.0, 601.0)]
    assert {name for kind, name, *_ in points(case) if kind == "published"} == {"DI-HC", "DI-HC-r"}


@for_each("metrics", [[], ["delay"], ["delay", "cost", "aspl"], [["a"], "b"]])
def test_a_record_with_other_metrics_than_those_of_a_front_has_none(metrics):
    other = record(8, BEST_OF_8)
    other["provenance"]["config"]["objective"] = {"name": "front", "metrics": metrics}
    assert ReportData(other).front_metrics is None


def test_lower_values_are_better_on_both_axes_of_costs_and_delays():
    candidates = [("record", "", x, y) for x, y in ((3, 5), (2, 6), (2, 7), (4, 5), (5, 4))]
    assert higher_is_better(("cost_usd_per_node", "delay_ns")) == (False, False)
    assert [(x, y) for _, _, x, y in non_dominated(candidates, (False, False))] == [(2, 6), (3, 5), (5, 4)]
    assert [(x, y) for _, _, x, y in non_dominated(candidates, (True, True))] == [(5, 4), (4, 5), (2, 7)]


def with_racks(n):
    return report_data_up_to(n).filter(lambda case: case.network.site.layout is not None)


@given(with_racks(5))
def test_cable_lengths_follow_the_layout_and_the_catalogue(case):
    network = case.network
    for _, (_, *rows) in plane_pictures(network):
        for _, *ends, length_m in rows:
            switch, neighbour = (int(name.partition("-S")[2]) for name in ends)
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
