"""Objectives: exact scores, display values, targets, and invalid input."""

from fractions import Fraction
from itertools import permutations

import pytest

from isoplane import objectives
from isoplane.models import Circuits, Design, Hybrid, InputError, Network, Placement, dual_cube, port_aggregate
from isoplane.models.workloads import sparse
from isoplane.objectives import (
    CIRCUITS,
    CUBE_METRICS,
    CUBES,
    TIMES,
    ExactMetrics,
    Lexicographic,
    exact_metric,
    exact_metrics,
    metrics,
)
from tests.cases import for_each

ASPL = Lexicographic("aspl", (("sum_of_distances",),), CUBES)
TRAFFIC = Lexicographic("max_traffic", (("max_load",),), CUBES)
BOTH = Lexicographic("aspl_and_traffic", (("sum_of_distances", "max_load"), ("cable_length",)), CUBES)
DELAY = Lexicographic("delay_and_traffic", (("delay", "max_load"), ("cost",)), CUBES)
FRONT = Lexicographic("front", (("delay", "max_load"),), CUBES, front=("delay", "max_load"))
SINGLE = {metric: Lexicographic(metric, ((metric,),), CUBES) for metric in CUBE_METRICS}

TIME_NAMES = CIRCUITS.names
WORKLOAD = sparse(8, 3, 1_000_000, seed=2)
HYBRID = Design(Network(Hybrid(2, 4)), Circuits(((0, 5), (3, 4))), Placement((7, 2, 0, 1, 4, 6, 5, 3)))

IDENTICAL = dual_cube(8, tuple(1 << i for i in range(8)))
EXACT = ExactMetrics(8, ((2, 3, 3), (3, 3, 2)), 4, 2, 10**4, 10**15, 10**16, 10**6, 3000)
VALUES = dict(zip(CUBE_METRICS, (8, 4, 10**4, 10**15, 10**16, 10**6, 3000, 2), strict=False))  # those after losses last


# Scores


def test_scores_are_products_of_exact_metrics_in_order():
    assert ASPL.score(VALUES) == (8,)
    assert BOTH.score(VALUES) == (32, 10**4)
    assert DELAY.score(VALUES) == (4 * 10**15, 10**6)
    three = Lexicographic("three", (("cost",), ("delay_paper", "delay"), ("max_load",)), CUBES)
    assert three.score(VALUES) == (10**6, 10**31, 4)  # far beyond 64 bits
    assert {metric: exact_metric(EXACT, metric) for metric in VALUES} == VALUES


def test_an_evaluation_has_score_names_unknown_bounds_and_the_metrics_of_a_record():
    evaluation = BOTH(Design(IDENTICAL))
    assert evaluation.score == (1024 * 128, 5500 * 16 * 256)  # 5.5 m, 8 links in 2 planes, 256 switches
    assert evaluation.score_names == ("sum_of_distances*max_load", "cable_length")
    assert evaluation.bound == (None, None)
    assert evaluation.metrics == metrics(IDENTICAL, exact_metrics(IDENTICAL))


@for_each("names", [*((name,) for name in TIME_NAMES), *permutations(TIME_NAMES, 2), TIME_NAMES[::-1]])
def test_a_score_of_times_consists_of_metrics_of_the_record(names):
    objective = Lexicographic("some", [(name,) for name in names], CIRCUITS, WORKLOAD)
    found = objective(HYBRID)
    assert objective.point(HYBRID) == found.score == tuple(found.metrics[f"{name}_ns"] for name in names)


# Display values


def test_a_sum_of_distances_alone_is_shown_as_aspl_and_a_load_alone_as_traffic():
    assert ASPL.printed((800,), IDENTICAL) == 3.125  # 800 / 256
    assert TRAFFIC.printed((100,), IDENTICAL) == 5.12  # 512 / 100
    assert TRAFFIC.higher_is_better
    assert not ASPL.higher_is_better
    assert not BOTH.higher_is_better


@for_each(
    ("metric", "name"),
    [
        ("sum_of_distances", "aspl"),
        ("max_load", "max_traffic"),
        ("cable_length", "cable_length_m"),
        ("delay", "delay_ns"),
        ("delay_paper", "delay_paper_ns"),
        ("cost", "cost_usd_per_node"),
    ],
)
@for_each("network", [IDENTICAL, dual_cube(5, (3, 5, 9, 17, 31), True), port_aggregate(IDENTICAL)])
def test_a_single_metric_is_shown_as_in_a_record(metric, name, network):
    evaluation = SINGLE[metric](Design(network))
    assert SINGLE[metric].printed(evaluation.score, network) == pytest.approx(evaluation.metrics[name], rel=1e-15)


def test_a_product_of_delay_and_load_is_shown_in_ns_times_packets():
    evaluation = DELAY(Design(IDENTICAL))
    assert DELAY.exact_printed_value(evaluation.score, IDENTICAL) == 601 * 128  # (5.5 x 5 + 90) x 4 + 131 ns


# Targets


def test_targets_are_reached_from_above_except_traffic_from_below():
    assert ASPL.reaches((800,), Fraction("3.125"), IDENTICAL)
    assert not ASPL.reaches((801,), Fraction("3.125"), IDENTICAL)
    assert TRAFFIC.reaches((100,), Fraction("5.12"), IDENTICAL)
    assert not TRAFFIC.reaches((101,), Fraction("5.12"), IDENTICAL)
    assert BOTH.reaches((80000, 10**9), Fraction(80000), IDENTICAL)
    assert not BOTH.reaches((80001, 0), Fraction(80000), IDENTICAL)


def test_targets_are_compared_exactly():
    # 1/3 hop is not a binary fraction: 85/256 and 86/256 are its neighbours.
    third = Fraction(1, 3)
    assert ASPL.reaches((85,), third, IDENTICAL)
    assert not ASPL.reaches((86,), third, IDENTICAL)
    delay = SINGLE["delay"]
    score = delay(Design(IDENTICAL)).score
    assert delay.reaches(score, Fraction(601), IDENTICAL)
    assert not delay.reaches((score[0] + 1,), Fraction(601), IDENTICAL)  # 7.6e-9 ns more


# Without a layout


def test_without_a_layout_ties_are_not_broken_by_cables():
    bare = BOTH.without_layout()
    assert (bare.name, bare.components) == ("aspl_and_traffic", (("sum_of_distances", "max_load"),))
    assert ASPL.without_layout() == ASPL
    front = ("sum_of_distances", "max_load")
    kept = Lexicographic("front", (("sum_of_distances",), ("cost",)), CUBES, front=front).without_layout()
    assert (kept.components, kept.front) == ((("sum_of_distances",),), front)


@for_each(
    "objective",
    [
        DELAY,
        FRONT,
        SINGLE["cost"],
        Lexicographic("mixed", (("sum_of_distances",),), CUBES, front=("max_load", "cost")),
        Lexicographic("product", (("max_load", "cable_length"),), CUBES),
    ],
)
def test_an_objective_of_cable_metrics_needs_a_layout(objective):
    assert objective.needs_layout
    with pytest.raises(InputError, match=f"objective={objective.name}: needs a layout"):
        objective.without_layout()


def test_a_score_of_cable_metrics_needs_a_network_with_a_layout():
    bare = Design(dual_cube(3, (3, 5, 7), layout=None))
    for objective in (BOTH, DELAY, SINGLE["cost"]):
        with pytest.raises(InputError, match="needs a layout"):
            objective(bare)
    assert ASPL(bare).score == (8,)


# Invalid input


def test_unknown_metrics_are_rejected_with_a_list_of_the_known_ones():
    allowed = "expected sum_of_distances, diameter, max_load, cable_length, longest_cable, delay, delay_paper, cost"
    with pytest.raises(InputError, match=f"metric 'speed' of objective=x: {allowed}"):
        Lexicographic("x", (("max_load", "speed"),), CUBES)
    with pytest.raises(InputError, match=f"metric 'aspl' of objective=x: {allowed}"):
        Lexicographic("x", (("max_load",),), CUBES, front=("aspl", "max_load"))


@for_each("components", [(), ((),), (("cost",), ()), (("cost",),) * 4])
def test_a_score_has_one_to_three_components(components):
    with pytest.raises(InputError, match="components of x: expected 1 to 3 different products of 1 to 2 metrics"):
        Lexicographic("x", components, CUBES)


@for_each("front", [(), ("delay",), ("delay", "delay"), ("delay", "max_load", "cost")])
def test_a_front_has_two_different_metrics(front):
    with pytest.raises(InputError, match="expected two different metrics"):
        Lexicographic("x", (("delay",),), CUBES, front=front)


def test_objectives_have_the_names_that_the_documentation_gave_them():
    with pytest.warns(DeprecationWarning, match="CubeObjective is Lexicographic now"):
        assert objectives.CubeObjective("aspl", (("sum_of_distances",),)) == ASPL
    with pytest.warns(DeprecationWarning, match="NetworkTimeObjective is Lexicographic now"):
        times = objectives.NetworkTimeObjective("x", ("total",), WORKLOAD)
    assert times == Lexicographic("x", (("total",),), TIMES, WORKLOAD)
