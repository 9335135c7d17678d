"""The data behind the charts of loads, distances, convergence and the front."""

from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import dual_cube
from isoplane.objectives import CUBES, Lexicographic
from isoplane.runs.report import HistoryRow
from isoplane.runs.report.report_data import ReportData
from isoplane.runs.report.sections.convergence import curve
from isoplane.runs.report.sections.distances import histogram
from isoplane.runs.report.sections.front import Plane, Point, non_dominated, plane_of, points
from isoplane.runs.report.sections.loads import load_bars

from .cases import BEST_OF_8, data, record, report_data_up_to

ASPL = Lexicographic("aspl", (("sum_of_distances",),), CUBES)


@given(report_data_up_to(6))
def test_each_histogram_counts_every_offset_and_the_nearest_one_adds_up_to_the_sum_of_distances(case):
    found = histogram(case.design.cubes)
    for counts in (*found.planes, found.nearest):
        assert sum(counts) == case.network.family.plane_switches
    weighted = sum(distance * count for distance, count in enumerate(found.nearest))
    assert weighted == case.design.metrics["sum_of_distances"]


def test_the_histograms_of_an_8_cube_are_the_binomials():
    found = histogram(dual_cube(8, BEST_OF_8).family)
    assert found.planes == ((1, 8, 28, 56, 70, 56, 28, 8, 1),) * 2
    assert sum(k * count for k, count in enumerate(found.nearest)) == 800
    # Folded, distances k and 9 - k become one: 1, 8 + 1, 28 + 8, ...
    assert histogram(dual_cube(8, BEST_OF_8, True).family).planes[0] == (1, 9, 36, 84, 126)


@given(report_data_up_to(6))
def test_loads_have_a_bar_for_every_link_and_count_two_packets_for_every_hop(case):
    bars = load_bars(case.design, case.design.exact)
    links = case.network.family.n + case.network.family.folded
    assert [bar.plane for bar in bars] == [0] * links + [1] * links
    assert sum(bar.packets for bar in bars) == 2 * case.design.metrics["sum_of_distances"]
    assert {bar.packets for bar in bars if bar.busiest} == {case.design.metrics["max_load"]}
    assert [bar.folded_link for bar in bars] == (
        [False] * case.network.family.n + [True] * case.network.family.folded
    ) * 2


def test_a_curve_extends_to_the_end_of_the_run():
    rows = [HistoryRow(0.5, 100, (12,)), HistoryRow(2.0, 900, (8,), (6,))]
    found = curve(rows, ASPL, dual_cube(3, (3, 5, 7)), {"evaluations": 5000, "seconds": 10.0})
    assert found.values == (1.5, 1.0, 1.0)  # 12 / 8, 8 / 8, and nothing better until the end
    assert (found.evaluations, found.seconds) == ((100, 900, 5000), (0.5, 2.0, 10.0))
    assert (found.bound, found.improvements) == (0.75, 2)


def test_a_curve_leaves_out_designs_that_only_join_a_front_and_takes_the_bound_from_a_proof():
    rows = [
        HistoryRow(1.0, 10, (12,)),
        HistoryRow(2.0, 20, (16,)),
        HistoryRow(3.0, 30, (8,)),
        HistoryRow(4.0, 40, (8,), (8,)),
    ]
    found = curve(rows, ASPL, dual_cube(3, (3, 5, 7)), None)
    assert (found.values, found.evaluations) == ((1.5, 1.0, 1.0), (10, 30, 40))
    assert (found.bound, found.improvements) == (1.0, 2)


def test_a_curve_without_a_summary_ends_with_the_last_improvement():
    found = curve([HistoryRow(0.5, 100, (12,))], ASPL, dual_cube(3, (3, 5, 7)), None)
    assert (found.evaluations, found.bound) == ((100,), None)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1))
def test_the_front_has_exactly_the_points_that_no_other_beats(coordinates):
    candidates = [Point("record", "", x, traffic) for x, traffic in coordinates]
    front = {(p.x, p.y) for p in non_dominated(candidates)}

    def beaten(x, traffic):
        return any((a <= x and t >= traffic) and (a, t) != (x, traffic) for a, t in coordinates)

    assert front == {point for point in coordinates if not beaten(*point)}


def test_the_front_shows_the_delays_of_the_design_of_published_ones_and_of_other_records():
    other = record(8, tuple(1 << i for i in range(8)))
    found = points(ReportData(record(8, BEST_OF_8), others=[record(8, BEST_OF_8), other]))
    coordinates = {(p.kind, p.name): (round(p.x, 2), p.y) for p in found}
    assert coordinates == {
        ("record", ""): (601.0, 4.0),  # the design's own record is not shown twice
        ("identical planes", ""): (601.0, 4.0),
        ("design", ""): (523.82, 5.12),
        ("design by the published formula", ""): (523.82, 5.12),
        ("published", "DI-HC"): (524.0, 5.12),
        ("published", "DI-HC-r"): (513.0, 5.0),
    }


def test_published_delays_are_not_compared_with_those_of_other_racks():
    case = data(8, BEST_OF_8, nodes_per_switch=2)
    assert not [point for point in points(case) if point.kind == "published"]


def test_without_a_layout_the_front_shows_aspl():
    case = data(8, BEST_OF_8, layout=None)
    coordinates = {(p.kind, p.name): p.x for p in points(case)}
    assert coordinates == {("identical planes", ""): 4.0, ("design", ""): 3.125, ("published", "DI-HC"): 3.13}


def test_the_front_is_drawn_by_the_metrics_that_were_searched():
    searched = record(8, BEST_OF_8)
    searched["provenance"]["config"]["objective"] = {"name": "front", "metrics": ["max_traffic", "delay_paper"]}
    case = ReportData(searched, others=[record(8, tuple(1 << i for i in range(8)))])
    assert plane_of(case) == Plane("max_traffic", "delay_paper_ns")
    (other,) = (point for point in points(case) if point.kind == "record")
    assert (other.x, other.y) == (4.0, 601.0)
    assert {point.name for point in points(case) if point.kind == "published"} == {"DI-HC", "DI-HC-r"}


def test_lower_values_are_better_on_both_axes_of_costs_and_delays():
    candidates = [Point("record", "", x, y) for x, y in ((3, 5), (2, 6), (2, 7), (4, 5), (5, 4))]
    assert Plane("cost_usd_per_node", "delay_ns").higher == (False, False)
    assert [(p.x, p.y) for p in non_dominated(candidates, (False, False))] == [(2, 6), (3, 5), (5, 4)]
    assert [(p.x, p.y) for p in non_dominated(candidates, (True, True))] == [(5, 4), (4, 5), (2, 7)]
