"""The space of circuit assignments, the rules, placements by communication, and annealing over both."""

import json
from itertools import combinations
from threading import Event
from time import sleep

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Circuits, Design, Hybrid, InputError, Network, Placement
from isoplane.models.placement import by_switch
from isoplane.models.workloads import from_matrix, sparse, stencil
from isoplane.objectives import CUBES, Lexicographic
from isoplane.search import (
    Anneal,
    CircuitRule,
    CircuitSpace,
    ConnectionSets,
    Exact,
    Limits,
    ProgramCircuits,
    Task,
    Temper,
    solve,
)
from isoplane.search.circuits.group_placement import by_communication, cut_bytes
from isoplane.search.circuits.rule_rounds import QUICK, rule_rounds
from isoplane.search.circuits.rules import greedy, matching, round_robin
from isoplane.search.core.chain_setup import advance
from isoplane.search.core.chain_strategy import setup_of
from isoplane.search.core.chains import run_chains
from isoplane.search.core.methods import methods_of
from tests.cases import for_each, require_refusal

from .assigned import BOTTLENECK, COMPLETION, EIGHT_NODES, WORKLOAD, best, brute_force, objective_for, workloads

WALKS = [("free", COMPLETION), ("by_switch", BOTTLENECK), ("by_communication", BOTTLENECK)]


def rule_starts(task):
    """Return the best design of each rule and placement, best first."""
    return list(methods_of(task.space).starts(task))[-1].designs


@given(workloads(12), st.sampled_from([(2, 6), (3, 4), (6, 2)]), st.integers(0, 6), st.integers(1, 2))
def test_rules_choose_circuits_that_the_network_can_set_up(workload, shape, max_circuits, ports):
    hybrid, placement = Hybrid(*shape, ports), by_switch(12)
    greedy_sets = greedy(hybrid, workload, placement, max_circuits)
    for circuits in (
        round_robin(hybrid, workload, placement, max_circuits),
        matching(hybrid, workload, placement, max_circuits),
        *greedy_sets,
    ):
        circuits.require_fit(hybrid.optical)
        assert len(circuits) <= max_circuits
    assert [len(circuits) for circuits in greedy_sets] == list(range(len(greedy_sets)))


def test_round_robin_skips_groups_that_do_not_communicate():
    matrix = np.zeros((9, 9), dtype=int)
    matrix[0, 8] = 5
    found = round_robin(Hybrid(3, 3), from_matrix(matrix), by_switch(9), 4)
    assert found.pairs == ((0, 8), (1, 6), (2, 7))  # first the nodes that communicate, then the lowest free ones


@given(workloads(6))
def test_the_cut_of_six_processes_is_nearly_the_smallest(workload):
    # A local optimum under exchanges: for two groups of three it is in the better half of the 10 cuts.
    hybrid = Hybrid(2, 3)
    cuts = []
    for group in combinations(range(6), 3):
        rest = [process for process in range(6) if process not in group]
        nodes = [0] * 6
        for node, process in enumerate([*group, *rest]):
            nodes[process] = node
        cuts.append(cut_bytes(hybrid, workload, Placement(tuple(nodes))))
    found = cut_bytes(hybrid, workload, by_communication(hybrid, workload))
    assert min(cuts) <= found <= sorted(cuts)[len(cuts) // 2]


def test_the_stencil_of_the_paper_is_cut_into_four_rectangles():
    # 8 x 16 processes in 4 groups: cut by rows, 3 borders of 16 pairs; as 2 x 2 rectangles of 4 x 8, 16 + 8 pairs.
    hybrid, workload = Hybrid(), stencil(iterations=1)
    assert cut_bytes(hybrid, workload, by_switch(128)) == 3 * 16 * 2 * 40_000_000
    assert cut_bytes(hybrid, workload, by_communication(hybrid, workload)) == (16 + 8) * 2 * 40_000_000


@for_each("components", [COMPLETION, BOTTLENECK])
@for_each("circuits", [2, 4])
def test_annealing_finds_the_best_of_all_sets_for_eight_nodes(circuits, components):
    space = CircuitSpace(EIGHT_NODES, sparse(8, 2, 1_000_000, seed=1), circuits, "by_switch")
    found = best(space, Anneal(chains=4), Limits(evaluations=20_000), components=components)
    assert found.evaluation.score == brute_force(space, objective_for(space.workload, components))


@for_each("placement", ["by_switch", "by_communication", "free"])
def test_the_default_is_never_worse_than_a_rule(placement):
    space = CircuitSpace(Hybrid(4, 4, up_gbps=20), sparse(16, 3, 1_000_000, seed=2), 6, placement)
    found = best(space, Anneal(chains=4), Limits(evaluations=200)).evaluation.score
    for rule in ("round_robin", "matching", "greedy", "balanced"):
        assert found <= best(space, CircuitRule(rule)).evaluation.score


@for_each(("placement", "components"), WALKS)
def test_a_walk_depends_neither_on_workers_nor_on_how_it_is_split(placement, components):
    space = CircuitSpace(Hybrid(4, 4), sparse(16, 3, 1_000_000), 6, placement)
    limits = Limits(evaluations=200)
    one, two = (best(space, Anneal(chains=4), limits, 1, workers, components) for workers in (1, 2))
    assert (one.design, one.evaluations) == (two.design, two.evaluations)
    task = Task(space, objective_for(space.workload, components), 1)
    setup = setup_of(task, (Anneal(chains=4),) * 4, "anneal", rule_starts(task))
    state = first = setup.first(3, 1, None)
    for share in (1, 5, 30, 64):
        state = advance((setup, 1, json.loads(json.dumps(state)), share, 1))[0]
    assert state == advance((setup, 1, first, 100, 1))[0]


@for_each("damage", [lambda s: s[:-1], lambda s: [s[0] ^ 1, *s[1:]], lambda s: [], lambda s: [*s, 0]])
@for_each(("placement", "components"), WALKS)
def test_a_damaged_state_is_rejected(damage, placement, components):
    space = CircuitSpace(EIGHT_NODES, WORKLOAD, 3, placement)
    task = Task(space, objective_for(components=components), 1)
    setup = setup_of(task, (Anneal(chains=4),) * 4, "anneal", rule_starts(task))
    with pytest.raises(InputError, match="checkpoint"):
        setup.searcher(0, damage(setup.first(1, 0, None)))


def test_a_walk_respects_the_maximum_number_of_circuits():
    space = CircuitSpace(Hybrid(4, 3, 2), sparse(12, 3, 1_000_000), 7)
    task = Task(space, objective_for(space.workload), 1, evaluations=600)
    setup = setup_of(task, (Anneal(chains=4),) * 4, "anneal", rule_starts(task))
    for round_ in run_chains(setup, task, "walk"):
        for candidate in round_.designs:
            design = space.design(candidate)
            assert len(design.circuits) <= 7
            assert space.canonical(candidate) == candidate


@for_each("components", [COMPLETION, BOTTLENECK])
def test_after_an_offer_a_walk_is_at_least_as_good_as_the_offered_design(components):
    task = Task(CircuitSpace(EIGHT_NODES, WORKLOAD, 4, "by_switch"), objective_for(components=components), 1)
    setup = setup_of(task, (Anneal(chains=4),) * 4, "anneal", (task.space.candidate(task.space.baseline),))
    walk = setup.searcher(0, setup.first(1, 0, None))
    offered = rule_starts(task)[0]
    walk.offer(list(offered))
    assert setup.score(tuple(walk.designs()[0])) <= setup.score(offered)


@settings(deadline=None, max_examples=15)
@given(workloads(8), st.integers(0, 4), st.sampled_from(["by_switch", "by_communication", "free"]))
def test_no_design_beats_the_bound_of_its_space(workload, circuits, placement):
    space, objective = CircuitSpace(EIGHT_NODES, workload, circuits, placement), objective_for(workload)
    bounds = space.bounds(objective)
    for candidate in rule_starts(Task(space, objective, 1)):
        score = objective.point(space.design(candidate))
        assert all(bound is None or bound <= value for bound, value in zip(bounds, score, strict=True))


@for_each("strategy", [CircuitRule("round_robin"), ProgramCircuits(), Anneal(chains=4)])
def test_no_strategy_loses_its_warm_start(strategy):
    space = CircuitSpace(EIGHT_NODES, WORKLOAD, 3, "by_switch")
    objective = objective_for(components=BOTTLENECK)
    start = best(space, Anneal(chains=4), Limits(evaluations=3000), components=BOTTLENECK).design
    *_, last = solve(space, objective, strategy, Limits(evaluations=200), 1, warm_start=start)
    assert last.evaluation.score <= objective.point(start)


def test_closing_the_rounds_of_the_rules_ends_them(monkeypatch):
    ended = Event()

    def balance_until_stopped(hybrid, workload, placement, circuits, seconds_left):
        for _ in range(12_000):
            if seconds_left() < 0:
                ended.set()
                break
            sleep(0.1)
        return Circuits()

    monkeypatch.setattr("isoplane.search.circuits.rule_rounds.balanced", balance_until_stopped)
    task, generators = Task(CircuitSpace(EIGHT_NODES, WORKLOAD, 3), objective_for(), 1), []

    def record_rounds(*arguments, **options):
        # A reference, so that garbage collection does not close the generator.
        generators.append(rule_rounds(*arguments, **options))
        return generators[-1]

    monkeypatch.setattr("isoplane.search.circuits.methods.rule_rounds", record_rounds)
    rounds = Anneal(chains=4).rounds(task)
    rule_count = 0
    while rule_count < len(QUICK):
        rule_count += bool(next(rounds).designs)
    assert not next(rounds).designs  # the rule `balanced` is running
    rounds.close()
    assert ended.is_set()


SETS = ConnectionSets(4)
ASPL = Lexicographic("aspl", (("sum_of_distances",),), CUBES)
SPACE = CircuitSpace(EIGHT_NODES, WORKLOAD, 1, "by_switch")


def begin(space, objective, strategy):
    return list(solve(space, objective, strategy, Limits(), 1))


def start(circuits, placement):
    return SPACE.candidate(Design(Network(EIGHT_NODES), Circuits(circuits), placement))


@for_each(
    ("call", "message"),
    [
        (lambda: CircuitSpace(EIGHT_NODES, sparse(9, 2)), "workload.processes=9: expected one for each of 8 nodes"),
        (lambda: CircuitSpace(EIGHT_NODES, WORKLOAD, 5), "network.circuits=5"),
        (lambda: CircuitSpace(EIGHT_NODES, WORKLOAD, -1), "network.circuits=-1"),
        (
            lambda: CircuitSpace(EIGHT_NODES, WORKLOAD, 3, "at_random"),
            "network.placement=at_random: expected by_switch",
        ),
        (lambda: ProgramCircuits("abacus"), "abacus"),
        (lambda: ProgramCircuits(seconds=0), "strategy.seconds=0"),
        (lambda: CircuitRule("tarot"), "strategy.rule=tarot: expected round_robin, greedy, matching, balanced"),
        (lambda: Anneal(coolest=0.002, hottest=0.0001), "strategy.coolest"),
        (lambda: begin(SETS, ASPL, CircuitRule("greedy")), "strategy=greedy"),
        (
            lambda: begin(SPACE, objective_for(), Temper()),
            "strategy=temper: has no searchers for circuits of an optical",
        ),
        (
            lambda: begin(SPACE, objective_for(), Exact()),
            "strategy=exact: searches connection sets of cubes; expected auto or another",
        ),
        (lambda: begin(SPACE, objective_for(), Anneal(structured=True)), "strategy.structured=true: circuits of an"),
        (lambda: begin(SPACE, ASPL, CircuitRule("greedy")), "objective=aspl"),
        (lambda: begin(SETS, objective_for(), Anneal()), "objective=completion"),
        (lambda: SPACE.fitted(objective_for(sparse(8, 3))), "another workload"),
        (lambda: SPACE.candidate(SETS.baseline), "warm_start: another network"),
        (lambda: start(((0, 4), (1, 5)), by_switch(8)), "warm_start: 2 circuits; expected at most 1"),
        (lambda: start((), Placement((1, 0, 2, 3, 4, 5, 6, 7))), "warm_start: another placement"),
    ],
)
def test_inconsistent_arguments_are_rejected(call, message):
    require_refusal(call, message)
