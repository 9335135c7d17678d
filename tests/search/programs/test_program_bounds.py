"""The Lagrangian and the segment bound: valid, tighter than the formulas, and tight in small cases."""

import math
from dataclasses import replace

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from isoplane.models.families.hybrid import Hybrid
from isoplane.models.placement import by_switch
from isoplane.models.workloads import dense, from_matrix, sparse
from isoplane.objectives.fluid import FluidModel, bottleneck_bound_ns
from isoplane.search.circuits.rule_rounds import balanced
from isoplane.search.programs import assign_circuits
from isoplane.search.programs.integer_program import SolverResult
from isoplane.search.programs.lagrangian_bound import tighten_bound
from isoplane.search.programs.local_search import LocalSearch
from isoplane.search.programs.segment_bound import tighten_bound as tighten_by_segments
from isoplane.search.programs.solvers import cp_sat, mathopt
from isoplane.search.programs.traffic import traffic_of
from tests.cases import for_each

from .brute_force import a_minute, exact_ticks, least_times, small_traffic

SOLVERS = [(cp_sat.solve, False), (mathopt.solve, True)]


@settings(deadline=None, max_examples=25)
@given(small_traffic(max_kilobytes=9), st.integers(0, 4))
def test_the_bound_is_valid_for_all_circuits(problem, max_circuits):
    hybrid, messages = problem
    traffic = traffic_of(hybrid, messages)
    best = traffic.ticks(least_times(FluidModel(hybrid, messages), min(max_circuits, hybrid.max_circuits))[0])
    assert tighten_bound(traffic, max_circuits, 0, 2 * best, a_minute) <= best


@settings(deadline=None, max_examples=2)
@given(st.sampled_from([(2, 6), (3, 4), (4, 3)]), st.integers(1, 12), st.integers(0, 999))
@example((4, 4), 6, 0)
def test_the_bound_is_valid_for_circuits_of_larger_networks(shape, max_circuits, seed):
    hybrid = Hybrid(*shape, up_gbps=2)  # so slow that circuits must join the groups
    workload = dense(hybrid.nodes, seed=seed)
    circuits = balanced(hybrid, workload, by_switch(hybrid.nodes), min(max_circuits, hybrid.max_circuits))
    traffic = traffic_of(hybrid, workload.message_list())
    bottleneck = LocalSearch(traffic, max_circuits, 0, 1, a_minute, lambda _: None).evaluate(circuits).bottleneck
    assert tighten_bound(traffic, max_circuits, 0, 2 * bottleneck, a_minute) <= bottleneck


@for_each("max_circuits", [2, 3])
def test_the_bound_is_tighter_than_formulas_for_dense_traffic(max_circuits):
    hybrid, messages = Hybrid(4, 2, up_gbps=2), dense(8, seed=1).message_list()
    traffic = traffic_of(hybrid, messages)
    formula = math.floor(bottleneck_bound_ns(hybrid, messages, max_circuits) * traffic.ticks_per_ns)
    assert tighten_bound(traffic, max_circuits, formula, 2**60, a_minute) > 1.05 * formula


def test_without_time_the_bound_is_unchanged():
    traffic = traffic_of(Hybrid(4, 2), dense(8).message_list())
    assert tighten_bound(traffic, 3, 7, 2**60, lambda: -math.inf) == 7


def test_the_bound_is_used_if_there_are_too_many_messages_for_the_segment_bound(monkeypatch):
    monkeypatch.setattr("isoplane.search.programs.circuit_solution.MAX_CIRCUITS", 0)
    monkeypatch.setattr("isoplane.search.programs.segment_bound.MAX_MESSAGES", 0)
    hybrid, messages = Hybrid(4, 2, up_gbps=2), dense(8, seed=1).message_list()
    assignment = assign_circuits(hybrid, messages, 2, seconds=1200)
    assert assignment.bound_by == "counts"
    least, _ = least_times(FluidModel(hybrid, messages), 2)
    assert bottleneck_bound_ns(hybrid, messages, 2) < assignment.bound_ns <= least


@for_each(("solve", "floating"), SOLVERS)
@for_each("unit_bytes", [1, 1999])
@settings(deadline=None, max_examples=4)
@given(small_traffic(max_kilobytes=3), st.integers(0, 3), st.integers(0, 2))
def test_the_segment_bound_is_valid_for_all_circuits(solve, floating, unit_bytes, problem, max_circuits, extra_bytes):
    hybrid, messages = problem
    lengths = unit_bytes * messages.length_bytes + extra_bytes * (np.arange(messages.messages) % 3)
    traffic = traffic_of(hybrid, replace(messages, length_bytes=lengths))
    best = exact_ticks(traffic, max_circuits)
    assert tighten_by_segments(traffic, max_circuits, 0, 2 * best, solve, a_minute, floating=floating) <= best


@for_each(("bound", "is_excluded"), [(1, False), (2, True)])
def test_a_floating_point_solver_excludes_nothing_by_a_margin_of_one_step(bound, is_excluded):
    hybrid = Hybrid(2, 4, up_gbps=1)
    traffic = traffic_of(hybrid, sparse(8, 2, 1000, seed=1).message_list())

    def solve(*_):
        return SolverResult("feasible", None, bound)

    assert (tighten_by_segments(traffic, 2, 0, 10**9, solve, a_minute, floating=True) > 0) == is_excluded
    assert tighten_by_segments(traffic, 2, 0, 10**9, solve, a_minute) > 0


def test_not_all_messages_can_save_a_segment():
    # Two groups of two; each node sends to both nodes of the other group. With one circuit, its ends send four
    # messages, two of them directly, and relay one for each other node: 4 segments over two links, two units each. With
    # two circuits, four of eight messages are direct and four have a segment: one unit for each of four links.
    hybrid = Hybrid(2, 2, up_gbps=1)
    matrix = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 0, 0]]) * 1000
    messages = from_matrix(matrix).message_list()
    traffic = traffic_of(hybrid, messages)
    for max_circuits, units in ((1, 2), (2, 1)):
        for solve, floating in SOLVERS:
            bound = tighten_by_segments(traffic, max_circuits, 0, 10**9, solve, a_minute, floating=floating)
            assert bound == units * traffic.node
        assert bound == traffic.ticks(least_times(FluidModel(hybrid, messages), max_circuits)[0])


def test_messages_of_many_lengths_are_bounded_as_quickly_as_equal_ones():
    # As above, with lengths that differ: a bound that rises bit by bit would not get far in a minute.
    hybrid = Hybrid(2, 2, up_gbps=1)
    matrix = np.array([[0, 0, 999_983, 1_000_003], [0, 0, 1_000_033, 1_000_000]])
    messages = from_matrix(np.vstack([matrix, np.roll(matrix[::-1], 2, axis=1)])).message_list()
    traffic = traffic_of(hybrid, messages)
    assert np.gcd.reduce(traffic.sent, axis=None) == 1
    for max_circuits in (1, 2):
        best = traffic.ticks(least_times(FluidModel(hybrid, messages), max_circuits)[0])
        assert 0.999 * best <= tighten_by_segments(traffic, max_circuits, 0, best, cp_sat.solve, a_minute) <= best
