"""Rules for circuits as rounds of a search, and as its starts."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from math import inf
from threading import Event
from typing import TYPE_CHECKING

from isoplane.fleet.threads import MOMENT_S
from isoplane.models import Circuits, Hybrid, Placement
from isoplane.models.workloads import Workload
from isoplane.objectives.fluid import WorkloadObjective

from ..programs.statement import Left
from ..space import Candidate
from ..strategy import Round
from . import rules as circuit_rules
from .balanced import balanced
from .candidates import candidate_of

if TYPE_CHECKING:  # a space has these rounds as its starts
    from .assignments import Assignments

Rule = Callable[[Hybrid, Workload, Placement, int], list[Circuits]]

# Those that need no clock, the quickest first: a matching of hundreds of nodes with several ports takes seconds.
QUICK: dict[str, Rule] = {
    "round_robin": lambda *problem: [circuit_rules.round_robin(*problem)],
    "greedy": circuit_rules.greedy,
    "matching": lambda *problem: [circuit_rules.matching(*problem)],
}
BALANCED = "balanced"
RULES = (*QUICK, BALANCED)


def rule_candidates(space: Assignments, rule: str, left: Left = lambda: inf) -> list[Candidate]:
    """Return the candidates that a rule makes; one that takes time ends early once `left` tells that there is none."""

    def balance(hybrid: Hybrid, workload: Workload, placement: Placement, circuits: int) -> list[Circuits]:
        return [balanced(hybrid, workload, placement, circuits, left)]

    make = balance if rule == BALANCED else QUICK[rule]
    return [
        candidate_of(circuits, placement)
        for placement in space.placements
        for circuits in make(space.hybrid, space.workload, placement, space.most)
    ]


def rule_rounds(
    space: Assignments, objective: WorkloadObjective, start: Candidate | None, replayed: bool = False
) -> Generator[Round, None, None]:
    """Yield what a search begins with and a quick rule makes, then the same with what each further rule makes.

    These are the best of each rule for every placement, the best first. While a rule takes its time, rounds without
    designs are yielded; whoever closes the generator ends it.
    """
    given = [] if start is None else [start]
    best, spent, yielded = [each for each in _best(space, objective, given) if each], len(given), False
    for rule in QUICK:
        made = rule_candidates(space, rule)
        for judged in _best(space, objective, made):
            if judged is not None:
                best.append(judged)
            elif yielded:  # a design of 128 nodes that all send to all takes seconds
                yield Round(spent, (), replayed=replayed)
        spent, yielded = spent + len(made), True
        yield Round(spent, _in_order(best), replayed=replayed)
    with closing(_balanced(space)) as balancing:
        for found in balancing:
            if found is None:
                yield Round(spent, (), replayed=replayed)
            else:
                best += [each for each in _best(space, objective, found) if each]
                yield Round(spent + len(found), _in_order(best), replayed=replayed)


_Judged = tuple[tuple[int, ...], Candidate]


def _best(space: Assignments, objective: WorkloadObjective, candidates: list[Candidate]) -> Iterator[_Judged | None]:
    """Yield None after each of some candidates, then the best of them for each placement, with its score."""
    best: dict[tuple[int, ...], _Judged] = {}
    for candidate in candidates:
        scored = objective.point(space.design(candidate)), candidate
        placed = candidate[: space.hybrid.nodes]
        best[placed] = min(best.get(placed, scored), scored)
        yield None
    yield from best.values()


def _in_order(judged: list[_Judged]) -> tuple[Candidate, ...]:
    return tuple(dict.fromkeys(candidate for _, candidate in sorted(judged)))


def _balanced(space: Assignments) -> Generator[list[Candidate] | None, None, None]:
    """Yield None again and again while circuits are balanced, then what came out; closing this ends it early."""
    closed = Event()
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(rule_candidates, space, BALANCED, lambda: -inf if closed.is_set() else inf)
        try:
            while wait([made], MOMENT_S).not_done:
                yield None
            yield made.result()
        finally:
            closed.set()
