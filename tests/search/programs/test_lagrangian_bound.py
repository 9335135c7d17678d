"""The Lagrangian bound: valid, and tighter than the formulas for traffic between nearly all nodes."""

import math

from hypothesis import example, given, settings
from hypothesis import strategies as st

from isoplane.models.families.hybrid import Hybrid
from isoplane.models.placement import by_switch
from isoplane.models.workloads import dense
from isoplane.objectives.fluid import FluidModel, bottleneck_bound_ns
from isoplane.search.circuits.rule_rounds import balanced
from isoplane.search.programs import assign_circuits
from isoplane.search.programs.lagrangian_bound import tighten_bound
from isoplane.search.programs.local import LocalSearch
from isoplane.search.programs.traffic import traffic_of
from tests.cases import for_each

from .brute_force import least_times
from .small import a_minute, small_traffic


@settings(deadline=None, max_examples=25)
@given(small_traffic(max_kilobytes=9), st.integers(0, 4))
def test_the_bound_is_valid_for_all_circuits(problem, max_circuits):
    hybrid, messages = problem
    traffic = traffic_of(hybrid, messages)
    best = traffic.ticks(least_times(FluidModel(hybrid, messages), min(max_circuits, hybrid.max_circuits))[0])
    assert tighten_bound(traffic, max_circuits, 0, 2 * best, a_minute) <= best


@settings(deadline=None, max_examples=15)
@given(st.sampled_from([(2, 8), (3, 6), (4, 4)]), st.integers(1, 12), st.integers(0, 999))
@example((4, 6), 6, 0)
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
    monkeypatch.setattr("isoplane.search.programs.assign.MAX_CIRCUITS", 0)
    monkeypatch.setattr("isoplane.search.programs.segment_bound.MAX_MESSAGES", 0)
    hybrid, messages = Hybrid(4, 2, up_gbps=2), dense(8, seed=1).message_list()
    assignment = assign_circuits(hybrid, messages, 2, seconds=1200)
    assert assignment.bound_by == "counts"
    least, _ = least_times(FluidModel(hybrid, messages), 2)
    assert bottleneck_bound_ns(hybrid, messages, 2) < assignment.bound_ns <= least
