"""Designs that rules for circuits produce, as the rounds of a strategy and as starts of a search."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from math import inf
from threading import Event

from isoplane.fleet.threads import POLL_INTERVAL_S
from isoplane.models import Circuits, InputError, OpticalFamily, Placement
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.workloads import Workload
from isoplane.objectives import Lexicographic

from ..core.space import Candidate
from ..core.strategy import Round, Strategy, Task, require_space
from ..programs.integer_program import TimeLeft
from ..programs.local_search import CHAINS, LocalSearch, order
from ..programs.traffic import traffic_of
from . import rules as circuit_rules
from .space import CircuitSpace, candidate_of

_SEED = 1  # fixed, because the result of a rule must not depend on the seed of the search
_TRIAL_CALLS, _FINAL_CALLS = 4, 64  # native calls of each search: from every start, then from the best results


def balanced(
    hybrid: Hybrid, workload: Workload, placement: Placement, circuits: int, seconds_left: TimeLeft = lambda: inf
) -> Circuits:
    """Return circuits with a short bottleneck time, deterministically.

    Short annealing runs from every graph of connected groups, then longer ones from the best results: a second or two
    for 128 nodes in four groups.

    Parameters
    ----------
    hybrid, workload, placement
        The network, the traffic of its processes, and the node of each process.
    circuits
        Maximum number of circuits.
    seconds_left
        Returns the seconds left; once none are left, the best circuits so far are returned.

    Examples
    --------
    >>> from isoplane.models.workloads import sparse
    >>> from isoplane.objectives.fluid import FluidModel
    >>> from .rules import round_robin
    >>> hybrid, work, nodes = Hybrid(2, 8), sparse(16, 3), Placement(tuple(range(16)))
    >>> model = FluidModel(hybrid, work.message_list())
    >>> [model.times(rule(hybrid, work, nodes, 4)).bottleneck_ns for rule in (balanced, round_robin)]
    [128000000, 224000000]
    """
    traffic = traffic_of(hybrid, workload.message_list(), placement)
    local = LocalSearch(traffic, circuits, _SEED, 1, seconds_left, lambda _: None)
    starts = local.starts((), _TRIAL_CALLS)
    return min([*starts, *local.chains(1, starts[:CHAINS], _FINAL_CALLS)], key=order).circuits


Rule = Callable[[OpticalFamily, Workload, Placement, int], list[Circuits]]

# Rules that need no time limit, the quickest first: a matching of hundreds of nodes with several ports takes seconds.
QUICK: dict[str, Rule] = {
    "round_robin": lambda *problem: [circuit_rules.round_robin(*problem)],
    "greedy": circuit_rules.greedy,
    "matching": lambda *problem: [circuit_rules.matching(*problem)],
}
BALANCED = "balanced"
RULES = (*QUICK, BALANCED)


def rule_candidates(space: CircuitSpace, rule: str, seconds_left: TimeLeft = lambda: inf) -> list[Candidate]:
    """Return the candidates of a rule; a slow rule stops early once no time is left."""

    def balance(optical: OpticalFamily, workload: Workload, placement: Placement, circuits: int) -> list[Circuits]:
        return [balanced(space.tree, workload, placement, circuits, seconds_left)]

    assign = balance if rule == BALANCED else QUICK[rule]
    return [
        candidate_of(circuits, placement)
        for placement in space.placements
        for circuits in assign(space.optical, space.workload, placement, space.max_circuits)
    ]


@dataclass(frozen=True)
class CircuitRule(Strategy):
    """Circuits assigned by a rule, for each of the named placements of the space.

    Parameters
    ----------
    rule
        ``round_robin``, the rule of the paper; ``matching``; ``greedy``, the best of a sequence of growing sets; or
        ``balanced``, a short search that minimises only the bottleneck time.

    Raises
    ------
    InputError
        If the rule is unknown.

    References
    ----------
    `isoplane.search.circuits.rules`, and `balanced`.

    Examples
    --------
    >>> CircuitRule("round_robin").name
    'round_robin'
    """

    rule: str

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise InputError(f"strategy.rule={self.rule}: expected {', '.join(RULES)}")

    @property
    def name(self) -> str:
        """Name of the strategy in records."""
        return self.rule

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Yield one round per set of circuits and placement."""
        candidates = rule_candidates(require_space(task, CircuitSpace, self.name), self.rule)
        candidates += [] if task.start is None else [task.start]
        for evaluations, candidate in enumerate(candidates, 1):
            yield Round(evaluations, (candidate,))


def rule_rounds(
    space: CircuitSpace, objective: Lexicographic, start: Candidate | None, replayed: bool = False
) -> Generator[Round, None, None]:
    """Yield the warm start and the designs of the quickest rule, then add those of each further rule for the network.

    A round has the best design of each rule and placement, best first. While a slow rule runs, rounds without designs
    are yielded; closing the generator stops the rule.
    """
    starts = [] if start is None else [start]
    best = [scored for scored in _best(space, objective, starts) if scored]
    evaluations, has_yielded = len(starts), False
    for rule in QUICK:
        candidates = rule_candidates(space, rule)
        for scored in _best(space, objective, candidates):
            if scored is not None:
                best.append(scored)
            elif has_yielded:  # evaluating an all-to-all workload on 128 nodes takes seconds
                yield Round(evaluations, (), replayed=replayed)
        evaluations, has_yielded = evaluations + len(candidates), True
        yield Round(evaluations, _in_order(best), replayed=replayed)
    if not space.has_tree:  # `balanced` works with the links of the tree
        return
    with closing(_balance(space)) as balancing:
        for candidates_of_rule in balancing:
            if candidates_of_rule is None:
                yield Round(evaluations, (), replayed=replayed)
            else:
                best += [scored for scored in _best(space, objective, candidates_of_rule) if scored]
                yield Round(evaluations + len(candidates_of_rule), _in_order(best), replayed=replayed)


_Scored = tuple[tuple[int, ...], Candidate]


def _best(space: CircuitSpace, objective: Lexicographic, candidates: list[Candidate]) -> Iterator[_Scored | None]:
    """Yield None after each evaluation, then the best candidate of each placement with its score."""
    best: dict[tuple[int, ...], _Scored] = {}
    for candidate in candidates:
        scored = objective.point(space.design(candidate)), candidate
        placement = candidate[: space.optical.nodes]
        best[placement] = min(best.get(placement, scored), scored)
        yield None
    yield from best.values()


def _in_order(scored: list[_Scored]) -> tuple[Candidate, ...]:
    return tuple(dict.fromkeys(candidate for _, candidate in sorted(scored)))


def _balance(space: CircuitSpace) -> Generator[list[Candidate] | None, None, None]:
    """Yield None repeatedly while the rule `balanced` runs, then its candidates; closing the generator ends it."""
    closed = Event()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(rule_candidates, space, BALANCED, lambda: -inf if closed.is_set() else inf)
        try:
            while wait([running], POLL_INTERVAL_S).not_done:
                yield None
            yield running.result()
        finally:
            # Before the pool closes, because that waits for the rule to end.
            closed.set()
