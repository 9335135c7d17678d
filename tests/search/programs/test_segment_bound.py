"""The segment bound: valid, and tight in small cases."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models.families.hybrid import Hybrid
from isoplane.models.workloads import from_matrix, sparse
from isoplane.objectives.fluid import FluidModel
from isoplane.search.programs.integer_program import SolverResult
from isoplane.search.programs.segment_bound import tighten_bound
from isoplane.search.programs.solvers import cp_sat, mathopt
from isoplane.search.programs.traffic import traffic_of
from tests.cases import for_each

from .brute_force import exact_ticks, least_times
from .small import a_minute, small_traffic

SOLVERS = [(cp_sat.solve, False), (mathopt.solve, True)]


@for_each(("solve", "floating"), SOLVERS)
@for_each("unit_bytes", [1, 1999])
@settings(deadline=None, max_examples=6)
@given(small_traffic(max_kilobytes=3), st.integers(0, 3), st.integers(0, 2))
def test_the_bound_is_valid_for_all_circuits(solve, floating, unit_bytes, problem, max_circuits, extra_bytes):
    hybrid, messages = problem
    lengths = unit_bytes * messages.length_bytes + extra_bytes * (np.arange(messages.messages) % 3)
    traffic = traffic_of(hybrid, replace(messages, length_bytes=lengths))
    best = exact_ticks(traffic, max_circuits)
    assert tighten_bound(traffic, max_circuits, 0, 2 * best, solve, a_minute, floating=floating) <= best


@for_each(("bound", "is_excluded"), [(1, False), (2, True)])
def test_a_floating_point_solver_excludes_nothing_by_a_margin_of_one_step(bound, is_excluded):
    hybrid = Hybrid(2, 4, up_gbps=1)
    traffic = traffic_of(hybrid, sparse(8, 2, 1000, seed=1).message_list())

    def solve(*_):
        return SolverResult("feasible", None, bound)

    assert (tighten_bound(traffic, 2, 0, 10**9, solve, a_minute, floating=True) > 0) == is_excluded
    assert tighten_bound(traffic, 2, 0, 10**9, solve, a_minute) > 0


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
            bound = tighten_bound(traffic, max_circuits, 0, 10**9, solve, a_minute, floating=floating)
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
        assert 0.999 * best <= tighten_bound(traffic, max_circuits, 0, best, cp_sat.solve, a_minute) <= best
