"""Searches whose designs a simulation judges."""

import random
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pytest

from isoplane.models import InputError, dual_cube
from isoplane.models.workloads import PhasedWorkload, all_to_all, ring_all_reduce
from isoplane.objectives import TIMES, Lexicographic, SimulatedTimes
from isoplane.objectives.scoring.worded_objective import limited
from isoplane.runs.records.judge import judged, simulated_ns
from isoplane.search import Anneal, ConnectionSets, Limits, Round, solve
from isoplane.search.cubes.level_task import distinct_levels, level_task
from isoplane.search.cubes.methods import rounds_to_simulate
from isoplane.simulator import Hardware, workload_time_ns
from tests.objectives.everything import all_bases

from .pages import Pages

RING = ring_all_reduce(8, 8 * 4096)
COMPLETION = Lexicographic("completion", (("completion",), ("total",)), TIMES, RING)
SPACE = ConnectionSets(3, nodes_per_switch=1).with_workload(RING)


def rounds_of(*designs):
    yield from (Round(number, each) for number, each in designs)


def test_every_round_has_one_design_that_was_not_judged_before():
    found = rounds_to_simulate(rounds_of((1, ((1,), (2,), (3,))), (2, ((2,), (3,))), (3, ((4,),)), (4, ())), ((1,),))
    chosen = [each.designs for each in found]
    assert all(len(designs) == 1 for designs in chosen[:3])
    assert {design for designs in chosen for design in designs} == {(2,), (3,), (4,)}
    assert chosen[2] == ((4,),)  # the newest first


def test_repeated_rounds_judge_nothing():
    once = [each.designs for each in rounds_to_simulate(rounds_of((1, ((1,), (2,))), (2, ((3,),))), ()) if each.designs]
    repeated = rounds_of((1, ((1,), (2,))), (1, ((1,), (2,))), (2, ((3,),)), (2, ((3,),)))
    assert [each.designs for each in rounds_to_simulate(repeated, ()) if each.designs] == once


def test_the_judge_decides_and_the_starts_are_judged():
    slow = lru_cache(lambda network, workload, shorten: -network.family.planes[1].connections.generators[-1])
    objective = Lexicographic("completion", (("simulated",), ("completion",)), SimulatedTimes(slow, 1), RING)
    *_, last = solve(SPACE, objective, Anneal(chains=2), Limits(evaluations=400_000), seed=1)
    assert last.evaluation.score[0] == -7
    assert last.evaluation.metrics["simulated_ns"] == -7
    assert (last.evaluation.bound[0], last.status) == (None, "feasible")


def test_no_judged_design_is_slower_than_a_start():
    *_, last = solve(SPACE, judged(COMPLETION, 1), Anneal(chains=2), Limits(evaluations=20_000), seed=1)
    assert last.evaluation.score[0] == simulated_ns(last.design.network, RING, 1)
    assert last.evaluation.score[0] <= simulated_ns(SPACE.baseline.network, RING, 1)


def test_limits_come_before_the_judged_time():
    slow = lru_cache(lambda network, workload, shorten: sum(network.family.planes[1].connections.generators))
    worded = limited(COMPLETION, "max_load <= 3, longest_cable_m <= 30", SPACE.baseline.network)
    objective = replace(judged(worded, 1), evaluator=SimulatedTimes(slow, 1))
    *_, last = solve(SPACE, objective, Anneal(chains=2), Limits(evaluations=400_000), seed=1)
    designs = [SPACE.design(tuple(basis)) for basis in all_bases(3).tolist()]
    meeting = [design for design in designs if objective.point(design)[0] == 0]
    assert 0 < len(meeting) < len(designs)
    assert last.evaluation.score[:2] == min(objective.point(design)[:2] for design in meeting)
    assert last.evaluation.score_names == ("excess", "simulated", "completion", "total")


@dataclass
class StopAfter:
    """Limits, and a number of rounds that are not replayed."""

    limits: Limits
    rounds: int
    reason: str | None = None

    @property
    def evaluations(self):
        return self.limits.evaluations

    def __call__(self, objective, progress):
        self.rounds -= not progress.replayed
        self.reason = self.limits(objective, progress)
        return self.reason or ("killed" if self.rounds <= 0 else None)


def test_the_number_of_workers_and_interruptions_do_not_change_a_judged_search():
    objective, limits = judged(COMPLETION, 1), Limits(evaluations=150_000)
    uninterrupted = list(solve(SPACE, objective, Anneal(chains=3), limits, seed=1, workers=2))
    checkpoint, rng, reason = Pages(), random.Random(2), None
    while reason is None:
        stop = StopAfter(limits, rng.randint(1, 6))
        solutions = list(solve(SPACE, objective, Anneal(chains=3), stop, seed=1, checkpoint=checkpoint))
        reason = stop.reason
    assert [each.evaluation for each in solutions] == [each.evaluation for each in uninterrupted]


def test_whole_messages_take_the_planes_in_turn():
    # Two messages from 0 to 3, one after the other, and one from 1 to 2 at once; both planes are equally near.
    work = PhasedWorkload("some", 4, *map(np.array, ([0, 1, 1], [0, 0, 1], [3, 3, 2], [100, 10, 1000])))
    sets = ConnectionSets(2, nodes_per_switch=1)
    levels = (distinct_levels(sets, work.message_list(), whole=each) for each in (True, False))
    whole, split = (level_task(sets, each).totals(np.array([[1, 2]], dtype=np.uint32)).tolist() for each in levels)
    assert split == [[500 + 5, 500, 4 * (100 + 10 + 1000)]]
    assert whole == [[1000 + 10, 1000, 4 * (100 + 10 + 1000)]]


def test_a_simulated_time_of_one_message_is_its_latency():
    work = PhasedWorkload("one", 4, *map(np.array, ([0], [0], [1], [256])))
    network = dual_cube(2, (1, 2), nodes_per_switch=1)
    hardware = Hardware()
    # 8 flits of 256 bits at 100 Gbit/s, two switches of 90 ns, and cables of 2, 1 and 2 m, rounded to ticks.
    expected = 20.48 + 2 * 90 + 5 * 5
    assert float(workload_time_ns(network, hardware, work.message_list())) == pytest.approx(expected, abs=4)


def test_shortened_messages_are_simulated():
    network = SPACE.baseline.network
    assert simulated_ns(network, RING, 4) == simulated_ns(network, ring_all_reduce(8, 8 * 1024), 1)


def test_a_simulated_time_is_no_component_of_its_own():
    with pytest.raises(InputError, match=r"metric 'simulated' of objective=x"):
        Lexicographic("x", (("simulated",),), TIMES, all_to_all(8))
